"""Looks for planted secrets in every answer of every command and every MCP tool.

Each tree is new and so is its cache. Commands run cold, with an index, after an edit and with
`--no-cache`; the server is asked at once after its start, while the index is being made, and
by several calls at the same time while files change.

Usage: python3 tests/leaks/run.py PATH-OF-INFINILOOM [--answers N] [--files N,N] [--seed N]
"""

import argparse
import collections
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.dont_write_bytecode = True

from tree import Tree  # noqa: E402

COMMANDS = [
    ["pack", "."],
    ["pack", "src"],
    ["pack", ".", "-f", "json"],
    ["pack", ".", "-f", "markdown", "--include", "*.py"],
    ["pack", ".", "--budget", "3000"],
    ["pack", ".", "--compress", "aggressive"],
    ["pack", ".", "--log", "5", "--diff"],
    ["pack", ".", "--rev", "HEAD"],
    ["context", "how does the handshake work?", "."],
    ["context", "handshake", "src", "-f", "json"],
    ["map", "."],
    ["map", ".", "-f", "json"],
    ["search", "handshake", "."],
    ["search", "handshake", "src", "--format", "json"],
    ["search", "-l", "handshake", "."],
    ["search", "--ask", "where is the handshake?", "."],
    ["search", "--semantic", "where is the handshake?", "."],
    ["pack", ".", "--max-file-size", "1kb"],
    ["search", "handshake", ".", "--max-file-size", "1kb"],
    ["def", "start", "."],
    ["refs", "start", "."],
    ["callers", "start", "."],
    ["outline", "src/start.py"],
    ["symbols", "."],
    ["symbols", ".", "-f", "json"],
    ["chunk", "."],
    ["tokens", "."],
    ["index", "."],
]

CALLS = [
    ("context", {"query": "how does the handshake work?"}),
    ("search", {"query": "handshake"}),
    ("search", {"query": "where is the handshake?", "kind": "question"}),
    ("navigate", {"name": "handshake"}),
    ("read", {}),
    ("map", {}),
    ("pack", {}),
]


class Tally:
    """Counts answers and leaks, and keeps one example of each kind of leak."""

    def __init__(self):
        self.answers, self.failed = collections.Counter(), collections.Counter()
        self.leaks, self.examples, self.lock = collections.Counter(), {}, threading.Lock()

    def add(self, kind, state, text, tree, is_answer=True, said=""):
        """Counts an answer. A value that the caller said itself is no leak."""
        leaked = [value for value in tree.leaked(text) if value not in said]
        with self.lock:
            self.answers[kind] += 1
            self.failed[kind] += not is_answer
            if leaked:
                self.leaks[(kind, state)] += 1
                self.examples.setdefault((kind, state), (leaked[0], len(tree.secrets), str(tree.root)))
        return leaked

    @property
    def total(self):
        return sum(self.answers.values())


def environment(home):
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "NO_COLOR": "1"}


def run_command(program, words, tree, home, tally, state):
    words = words + (["--no-cache"] if state == "no cache" and words[0] != "index" else [])
    done = subprocess.run(
        [program, *words], cwd=tree.root, env=environment(home), capture_output=True, text=True, errors="replace"
    )
    is_usable = done.returncode in (0, 1)
    if not is_usable:
        print(f"ERROR {state}: {' '.join(words)}: {done.stderr[-300:]}", file=sys.stderr)
    tally.add(" ".join(words[:1]), f"{state}: {' '.join(words)}", done.stdout + done.stderr, tree, is_usable)


class Server:
    """The MCP server over standard input and output."""

    def __init__(self, program, tree, home):
        self.process = subprocess.Popen(
            [program, "mcp", str(tree.root)], env=environment(home), text=True, errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tree.root,
        )
        self.waiting, self.next, self.lock = {}, 0, threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()
        client = {"name": "leaks", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "id" in message and "method" not in message:
                self.waiting.pop(message["id"]).put(line)
        for answer in list(self.waiting.values()):
            answer.put("")

    def send(self, message):
        with self.lock:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    def ask(self, method, params):
        answer = queue.Queue()
        with self.lock:
            self.next += 1
            number = self.next
            self.waiting[number] = answer
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return answer.get(timeout=300)

    def call(self, name, arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def calls_of(tree):
    for name, arguments in CALLS:
        if name == "read":
            yield name, {"path": tree.rng.choice(tree.copies)}
        else:
            yield name, arguments


def run_server(program, tree, home, tally, rounds):
    """A session: calls at once after the start, then calls in parallel while files change."""
    server = Server(program, tree, home)

    def ask(state, name, arguments):
        line = server.call(name, arguments)
        said = json.dumps(arguments)
        tally.add(f"mcp {name}", f"{state}: {name} {said}", line, tree, '"result"' in line, said)

    try:
        for name, arguments in calls_of(tree):
            ask("server, first calls", name, arguments)
        for _ in range(rounds):
            tree.edit()
            threads = [
                threading.Thread(target=ask, args=("server, parallel", *call))
                for call in [*calls_of(tree), ("read", {"path": tree.rng.choice(tree.copies)})]
            ]
            for thread in threads:
                thread.start()
            tree.edit()
            for thread in threads:
                thread.join()
    finally:
        server.close()


def run_tree(program, files, seed, tally, rounds):
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        tree = Tree(place / "repository", files, seed)
        homes = {name: place / name for name in ("cold", "warm", "server")}
        for home in homes.values():
            home.mkdir()
        commands = list(COMMANDS)
        if not tree.is_git:
            # Without a repository a part of a directory knows nothing of the rest.
            needs_git = {"--rev", "--log", "src"}
            commands = [words for words in commands if not needs_git & set(words)]
        tree.rng.shuffle(commands)
        for words in commands[: max(4, len(commands) // 2)]:
            run_command(program, words, tree, homes["cold"], tally, "cold")
        run_command(program, ["index", "."], tree, homes["warm"], tally, "first index")
        for words in commands[::2]:
            run_command(program, words, tree, homes["warm"], tally, "warm")
        for words in commands[1::2]:
            run_command(program, words, tree, homes["warm"], tally, "no cache")
        run_server(program, tree, homes["server"], tally, rounds)
        for words in commands[::3]:
            tree.edit()
            run_command(program, words, tree, homes["warm"], tally, "after an edit")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--answers", type=int, default=300, help="stop after so many [300]")
    parser.add_argument("--files", default="3,90,101", help="sizes of the trees, in turn [3,90,101]")
    parser.add_argument("--rounds", type=int, default=3, help="parallel rounds of each server [3]")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    sizes = [int(size) for size in options.files.split(",")]
    tally, trees = Tally(), 0
    while tally.total < options.answers:
        run_tree(program, sizes[trees % len(sizes)], options.seed + trees, tally, options.rounds)
        trees += 1
    for kind in sorted(tally.answers):
        print(f"{kind:14} {tally.answers[kind]:6} answers, {tally.failed[kind]} errors")
    for (kind, state), count in sorted(tally.leaks.items()):
        value, known, root = tally.examples[(kind, state)]
        print(f"LEAK {kind} ({state}): {count} times, e.g. {value!r} of {known} in {root}")
    leaks, failed = sum(tally.leaks.values()), sum(tally.failed.values())
    print(f"{tally.total} answers over {trees} trees, {leaks} leaks")
    for name, value in [("answers", tally.total), ("trees", trees), ("leaks", leaks), ("errors", failed)]:
        print(f"figure: {name} = {value}")
    wrong = leaks + failed
    print(f"test result: {'FAILED' if wrong else 'ok'}. {tally.total - wrong} passed; {wrong} failed;")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
