"""Passes a server's standard input and output through, and keeps each message:
tee.py LOG COMMAND…"""

import json
import subprocess
import sys
import threading


def pump(source, target, log, direction):
    for line in source:
        log.write(json.dumps({"direction": direction, "message": json.loads(line)}) + "\n")
        target.write(line)
        target.flush()
    target.close()


def main():
    with open(sys.argv[1], "a", buffering=1, encoding="utf-8") as log:
        server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        given = (sys.stdin.buffer, server.stdin, log, "in")
        threading.Thread(target=pump, args=given, daemon=True).start()
        pump(server.stdout, sys.stdout.buffer, log, "out")


main()
