"""Looks for planted secrets in every answer of every command and every MCP tool.

Each tree is new and so is its cache. Commands run cold, each in an empty home, with an index,
with `--no-cache` and after an edit. Servers start cold, over the index of the commands and with
`--no-cache`. Each is asked at once after its start, while the index is being made, and by several
calls at the same time while files change. Each kind of command and each tool gives the same number
of answers. An answer that lacks the text it must show is a failure. So is a partial answer of a
command; the server may answer partially to at most half of the calls of a kind.

Usage: python3 tests/leaks/run.py PATH-OF-INFINILOOM [--answers N] [--files N,N] [--seed N]
"""

import argparse
import collections
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.dont_write_bytecode = True

from asked import COMMANDS, OUT, Deck, by_kind, calls  # noqa: E402
from server import Server, text_of  # noqa: E402
from tree import Tree  # noqa: E402

STATES = ["cold", "warm", "no cache", "after an edit"]
SERVERS = ["server, cold", "server, warm", "server, no cache"]

# A server that is still reading the files answers in part, and says so.
PARTIAL = "; ask again"

# The largest share of partial answers to the calls of a kind: 1 in this many.
PARTIAL_SHARE = 2


class Tally:
    """Counts answers, leaks and answers that lack their text; keeps one example of each."""

    def __init__(self):
        self.answers, self.failed, self.partial = (collections.Counter() for _ in range(3))
        self.leaks, self.examples = collections.Counter(), {}
        self.overheard, self.lock = collections.Counter(), threading.Lock()

    def answer(self, asked, state, shown, everything, tree, said=""):
        """Counts an answer: `shown` is its text, `everything` is all that was written."""
        missing = asked.missing(shown, tree.files)
        # A command waits until it has read everything.
        is_partial = asked.is_call and PARTIAL in shown
        if PARTIAL in shown and not is_partial:
            missing = "complete answer"
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

    def too_partial(self):
        """Returns for each kind the partial answers beyond its share. One of a kind is too many."""
        beyond = {kind: count - self.answers[kind] // PARTIAL_SHARE for kind, count in self.partial.items()}
        return {kind: count for kind, count in sorted(beyond.items()) if count > 0}


def environment(home):
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "NO_COLOR": "1"}


def run_command(program, asked, tree, home, tally, state):
    words = asked.words + (["--no-cache"] if state == "no cache" and asked.takes_no_cache else [])
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(
            [program, *(word.replace(OUT, out) for word in words)], cwd=tree.root, env=environment(home),
            capture_output=True, text=True, errors="replace", input=tree.input_of(asked.stdin),
        )
        written = "".join(path.read_text(errors="replace") for path in sorted(Path(out).iterdir()))
    shown = done.stdout + written if done.returncode in (0, 1) else ""
    tally.answer(asked, f"{state}: {' '.join(words)}", shown, done.stdout + written + done.stderr, tree)


def run_commands(program, tree, place, tally, deck, rounds):
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
            with home_of(state, place) as home:
                run_command(program, deck.draw(name, kinds[name]), tree, home, tally, state)


@contextlib.contextmanager
def home_of(state, place):
    """Yields the directory with the cache: that of the tree, or if the state is cold an empty one."""
    if state.endswith("cold"):
        with tempfile.TemporaryDirectory(dir=place) as home:
            yield home
    else:
        yield place


def run_server(program, tree, home, tally, deck, state, rounds):
    """A session: half of the calls at once after the start, the rest in parallel during edits."""
    overheard = collections.Counter()

    def listen(kind, text):
        overheard[kind] += 1
        tally.look(f"mcp {kind}", kind, text, tree)

    options = ["--no-cache"] if state == "server, no cache" else []
    kinds = by_kind(calls(tree))
    waiting = [deck.draw(kind, kinds[kind]) for _ in range(rounds) for kind in kinds]
    tree.rng.shuffle(waiting)
    middle = len(waiting) // 2
    server = Server([program, "mcp", str(tree.root), *options], tree, environment(home), listen)

    def ask(moment, asked):
        method, params = asked.words
        line = server.ask(method, params)
        tally.answer(asked, f"{state}, {moment}: {method} {params}", text_of(line), line, tree, said=str(params))

    try:
        for call in waiting[:middle]:
            ask("first calls", call)
        for first in range(middle, len(waiting), len(kinds)):
            tree.edit()
            together = waiting[first : first + len(kinds)]
            threads = [threading.Thread(target=ask, args=("parallel", call)) for call in together]
            for thread in threads:
                thread.start()
            tree.edit()
            for thread in threads:
                thread.join()
    finally:
        server.close()
        tally.overheard.update(overheard)


def run_servers(program, tree, place, tally, deck, rounds):
    """Runs a server in each state. Together they answer each kind of call once in each round."""
    states = tree.rng.sample(SERVERS, k=len(SERVERS))
    for at, state in enumerate(states):
        share = len(range(at, rounds, len(states)))
        if share:
            with home_of(state, place) as home:
                run_server(program, tree, home, tally, deck, state, share)


def run_tree(program, files, seed, tally, deck, rounds):
    with tempfile.TemporaryDirectory() as place:
        tree = Tree(Path(place) / "repository", files, seed)
        home = Path(place) / "home"
        home.mkdir()
        run_commands(program, tree, home, tally, deck, rounds)
        run_servers(program, tree, home, tally, deck, rounds)


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
    too_partial = tally.too_partial()
    for kind, count in too_partial.items():
        print(f"FAILED {kind}: {tally.partial[kind]} of {tally.answers[kind]} answers are partial, {count} too many")
    leaks, failed, partial = (sum(counts.values()) for counts in (tally.leaks, tally.failed, tally.partial))
    failed += sum(too_partial.values())
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
