"""A client of a server over standard input and output: lines of JSON, nothing more."""

import json
import os
import subprocess
import time


class Client:
    def __init__(self, command, folder=None, env=None, roots=None):
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.roots = roots
        self.number = 0
        capabilities = {"roots": {}} if roots else {}
        hello = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "bench", "version": "1"}}
        self.hello = self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        number = self.number
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("the server went")
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if told.get("method") == "roots/list":
                listed = [{"uri": f"file://{root}", "name": os.path.basename(root)} for root in self.roots or []]
                self.send({"jsonrpc": "2.0", "id": told["id"], "result": {"roots": listed}})
            elif told.get("id") == number and "method" not in told:
                if "error" in told:
                    raise RuntimeError(told["error"].get("message"))
                return told["result"]

    def call(self, tool, arguments):
        """The answer's text, whether it is an error, and the seconds."""
        began = time.perf_counter()
        told = self.ask("tools/call", {"name": tool, "arguments": arguments})
        seconds = time.perf_counter() - began
        text = "\n".join(part.get("text", "") for part in told.get("content", []))
        return text, bool(told.get("isError")), seconds

    def memory(self):
        """Resident bytes, and the most there ever were."""
        status = open(f"/proc/{self.process.pid}/status", encoding="utf-8").read()
        field = lambda name: int(status.split(name)[1].split()[0]) * 1024
        return field("VmRSS:"), field("VmHWM:")

    def cpu(self):
        """Seconds of all its threads, which the load of the machine changes little."""
        fields = open(f"/proc/{self.process.pid}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
