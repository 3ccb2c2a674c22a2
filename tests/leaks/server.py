"""A client of the MCP server that keeps everything the server writes."""

import json
import queue
import subprocess
import threading

# Only a guard against a server that hangs: an answer takes seconds on a slow machine.
HANGS_AFTER = 1800


class Server:
    """The MCP server over standard input and output.

    `overheard` gets each notification and each line of standard error, as (kind, text).
    """

    def __init__(self, command, tree, environment, overheard):
        self.process = subprocess.Popen(
            command, env=environment, text=True, errors="replace", cwd=tree.root,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.overheard, self.waiting, self.next, self.has_ended = overheard, {}, 0, False
        self.lock, self.writing = threading.Lock(), threading.Lock()
        self.readers = [threading.Thread(target=read) for read in (self.read_answers, self.read_errors)]
        for reader in self.readers:
            reader.start()
        client = {"name": "leaks", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read_answers(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self.overheard("notification", line)
            else:
                self.waiting.pop(message["id"]).put(line)
        with self.lock:
            self.has_ended = True
        for answer in list(self.waiting.values()):
            answer.put("")

    def read_errors(self):
        for line in self.process.stderr:
            self.overheard("standard error", line)

    def send(self, message):
        with self.writing:
            try:
                self.process.stdin.write(json.dumps(message) + "\n")
                self.process.stdin.flush()
            except BrokenPipeError:
                pass  # The reader sees the end of the output and answers all requests.

    def ask(self, method, params):
        """Returns the line that answers a request; an empty one if the server has ended."""
        answer = queue.Queue()
        with self.lock:
            if self.has_ended:
                return ""
            self.next += 1
            number = self.next
            self.waiting[number] = answer
        # A token asks for notifications of progress.
        params = {**params, "_meta": {"progressToken": number}}
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return answer.get(timeout=HANGS_AFTER)

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait(timeout=HANGS_AFTER)
        for reader in self.readers:
            reader.join()


def text_of(line):
    """Returns the text of a result or of an error."""
    answer = json.loads(line or "{}")
    result = answer.get("result") or {}
    parts = result.get("content") or result.get("contents") or []
    parts = parts + [message["content"] for message in result.get("messages") or []]
    parts = parts + [{"text": answer.get("error", {}).get("message", "")}]
    return "\n".join(part.get("text", "") for part in parts)
