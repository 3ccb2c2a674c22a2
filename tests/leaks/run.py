"""Looks for planted secrets in every answer of every command and every MCP tool.

Each tree is new and so is its cache. Commands run cold, with an index, with `--no-cache` and
after an edit; the server is asked at once after its start, while the index is being made, and
by several calls at the same time while files change. Each kind of command and each tool gives
the same number of answers. An answer that lacks the text it must show is a failure.

Usage: python3 tests/leaks/run.py PATH-OF-INFINILOOM [--answers N] [--files N,N] [--seed N]
"""

import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.dont_write_bytecode = True

from asked import COMMANDS, Deck, by_kind, calls  # noqa: E402
from server import Server, text_of  # noqa: E402
from tree import Tree  # noqa: E402

STATES = ["cold", "warm", "no cache", "after an edit"]

# A server that is still reading the files answers in part, and says so.
PARTIAL = "Partial: "


class Tally:
    """Counts answers, leaks and answers that lack their text; keeps one example of each."""

    def __init__(self):
        self.answers, self.failed, self.partial = (collections.Counter() for _ in range(3))
        self.leaks, self.examples = collections.Counter(), {}
        self.overheard, self.lock = collections.Counter(), threading.Lock()

    def answer(self, asked, state, shown, everything, tree, said=""):
        """Counts an answer: `shown` is its text, `everything` is all that was written."""
        missing = asked.missing(shown, tree.files)
        is_partial = PARTIAL in shown
        with self.lock:
            self.answers[asked.kind] += 1
            self.partial[asked.kind] += is_partial
            if missing and not is_partial:
                self.failed[asked.kind] += 1
                example = f"{asked.words}: no {missing!r} in {shown[:300]!r} {everything[-300:]!r}"
                self.examples.setdefault((asked.kind, f"{state}, lacks text"), example)
        self.look(asked.kind, state, everything, tree, said)

    def look(self, kind, state, text, tree, said=""):
        """Looks for secrets. A value that the caller said itself is no leak."""
        leaked = tree.leaked(text) - tree.leaked(said)
        with self.lock:
            if leaked:
                self.leaks[(kind, state)] += 1
                self.examples.setdefault((kind, state), f"{min(leaked)!r} of {len(tree.secrets)} in {tree.root}")

    @property
    def total(self):
        return sum(self.answers.values())


def environment(home):
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "NO_COLOR": "1"}


def run_command(program, asked, tree, home, tally, state):
    words = asked.words + (["--no-cache"] if state == "no cache" and asked.kind != "index" else [])
    done = subprocess.run(
        [program, *words], cwd=tree.root, env=environment(home), capture_output=True, text=True, errors="replace"
    )
    shown = done.stdout if done.returncode in (0, 1) else ""
    tally.answer(asked, f"{state}: {' '.join(words)}", shown, done.stdout + done.stderr, tree)


def run_commands(program, tree, homes, tally, deck, rounds):
    """Runs each kind of command once in each round, in the states in turn."""
    kinds = by_kind(COMMANDS, tree.is_git)
    for turn in range(rounds):
        state = STATES[turn % len(STATES)]
        names = list(kinds)
        tree.rng.shuffle(names)
        # The first run of the warm state makes the index.
        names.sort(key=lambda name: name != "index")
        for name in names:
            if state == "after an edit":
                tree.edit()
            home = homes["cold" if state == "cold" else "warm"]
            run_command(program, deck.draw(name, kinds[name]), tree, home, tally, state)


def run_server(program, tree, home, tally, deck, rounds):
    """A session: calls at once after the start, then calls in parallel while files change."""
    overheard = collections.Counter()

    def listen(kind, text):
        overheard[kind] += 1
        tally.look(f"mcp {kind}", kind, text, tree)

    server = Server(program, tree, environment(home), listen)

    def ask(state, asked):
        method, params = asked.words
        line = server.ask(method, params)
        tally.answer(asked, f"{state}: {method} {params}", text_of(line), line, tree, said=str(params))

    def next_calls():
        kinds = by_kind(calls(tree))
        return [deck.draw(kind, variants) for kind, variants in kinds.items()]

    try:
        for call in next_calls():
            ask("server, first calls", call)
        for _ in range(rounds - 1):
            tree.edit()
            threads = [threading.Thread(target=ask, args=("server, parallel", call)) for call in next_calls()]
            for thread in threads:
                thread.start()
            tree.edit()
            for thread in threads:
                thread.join()
    finally:
        server.close()
        tally.overheard.update(overheard)


def run_tree(program, files, seed, tally, deck, rounds):
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        tree = Tree(place / "repository", files, seed)
        homes = {name: place / name for name in ("cold", "warm", "server")}
        for home in homes.values():
            home.mkdir()
        run_commands(program, tree, homes, tally, deck, rounds)
        run_server(program, tree, homes["server"], tally, deck, rounds)


def report(tally, trees):
    """Prints the counts; returns how many answers are wrong."""
    for kind in sorted(tally.answers):
        counts = f"{tally.answers[kind]:6} answers, {tally.partial[kind]} partial"
        print(f"{kind:20} {counts}, {tally.failed[kind]} without the expected text")
    for kind in sorted(tally.overheard):
        print(f"{'mcp ' + kind:20} {tally.overheard[kind]:6} messages")
    for (kind, state), count in sorted(tally.leaks.items()):
        print(f"LEAK {kind} ({state}): {count} times, e.g. {tally.examples[(kind, state)]}")
    for (kind, state), example in sorted(tally.examples.items()):
        if state.endswith("lacks text"):
            print(f"FAILED {kind} ({state}): {example}")
    leaks, failed, partial = (sum(counts.values()) for counts in (tally.leaks, tally.failed, tally.partial))
    print(f"{tally.total} answers over {trees} trees, {leaks} leaks, {failed} without the expected text")
    figures = {
        "answers": tally.total, "kinds": len(tally.answers), "fewest_answers_of_a_kind": min(tally.answers.values()),
        "partial_answers": partial, "messages_overheard": sum(tally.overheard.values()),
        "trees": trees, "leaks": leaks, "errors": failed,
    }
    for name, value in figures.items():
        print(f"figure: {name} = {value}")
    wrong = leaks + failed
    print(f"test result: {'FAILED' if wrong else 'ok'}. {tally.total - wrong} passed; {wrong} failed;")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--answers", type=int, default=300, help="stop after the tree with this answer [300]")
    parser.add_argument("--files", default="3,90,101", help="sizes of the trees, in turn [3,90,101]")
    parser.add_argument("--rounds", type=int, default=4, help="answers of each kind over one tree [4]")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    sizes = [int(size) for size in options.files.split(",")]
    tally, deck, trees = Tally(), Deck(random.Random(options.seed)), 0
    while tally.total < options.answers:
        run_tree(program, sizes[trees % len(sizes)], options.seed + trees, tally, deck, options.rounds)
        trees += 1
    sys.exit(1 if report(tally, trees) else 0)


if __name__ == "__main__":
    main()
