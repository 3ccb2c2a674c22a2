"""`cargo xtask bench secrets`: us and every installed scanner on the same files.

Owns the command line and the order of things. What is measured and how to read
it is told in ../README.md, the peers in ../peers.md.
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import bench as running

# After `running`, which puts the folder of `pack` on the path.
import corpus
import measure
import quality
import scanners
import speed
import table
from creddata import HALVES

ROOT = Path(__file__).resolve().parent.parent.parent

# What `--peers` can name besides trees.
CREDDATA, EXAMPLES, START = "creddata", "examples", "start"


def main() -> int:
    asked = parser().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with tempfile.TemporaryDirectory(prefix="bench-secrets-", dir=asked.scratch) as scratch:
            # Absolute, because the scanners run in other folders than we do.
            measure_all(asked, running.Bench(Path(scratch).resolve(), asked.limit))
    except (corpus.Unusable, measure.Unstarted, running.Failed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(
        prog="cargo xtask bench secrets",
        description="Scan the same files with us and every installed scanner.",
        epilog="Relative paths start at the root of the checkout.",
    )
    add = words.add_argument
    add("--binary", default="infiniloom", metavar="PROGRAM",
        help="our command, a path or a name in PATH (infiniloom)")
    add("--tree", nargs="*", action="extend", type=Path, metavar="DIR",
        help="git checkouts to measure speed on; this one when not given, none when empty")
    add("--runs", type=int, metavar="N", help="rounds; otherwise 5, and 3 for trees above 50 MB")
    add("--limit", type=float, default=900, metavar="SECONDS",
        help="stop a run after this time (900)")
    add("--creddata", type=Path, metavar="DIR", help="a folder with data/ and meta/ of CredData")
    add("--snapshot", type=Path, metavar="FILE",
        help="CredData's snapshot.json; otherwise the one in --creddata")
    add("--split", choices=list(HALVES), default="all", help="the half to score (all)")
    add("--findings", action="append", default=[], metavar="NAME=FILE",
        help="score these lines of JSON as NAME instead of running it")
    add("--kingfisher-examples", type=Path, metavar="PATH",
        help="a checkout of kingfisher's rules, or their examples as lines of JSON")
    add("--peers", action="append", default=[], metavar="[PART=]PEER,...",
        help="only these peers, everywhere or for one part: the name of a tree, "
        f"{START}, {CREDDATA} or {EXAMPLES}; an empty list is none")
    add("--peer-dir", type=Path, metavar="DIR", help="look for peers here before PATH")
    add("--program", action="append", default=[], metavar="NAME=PROGRAM",
        help="one more peer, called like the one that NAME begins with")
    add("--scratch", type=Path, metavar="DIR", help="where copies and outputs go")
    add("--json", type=Path, metavar="FILE",
        help="write the figures to FILE; parts that were not run stay in it")
    return words


def measure_all(asked: argparse.Namespace, bench: running.Bench) -> None:
    trees = corpus.read_all([ROOT] if asked.tree is None else asked.tree)
    ours, peers = look_around(asked)
    chosen = choose(asked.peers, peers, [tree.name for tree in trees])
    record = Record(asked.json, ours, peers)

    def timed(part: str) -> list[scanners.Found]:
        first = [one for one in ours if one.scanner.timed]
        return first + [one for one in chosen(part) if one.scanner.timed]

    def listed(part: str) -> list[scanners.Found]:
        first = [one for one in ours if one.name in ("infiniloom-low", "infiniloom-medium")]
        return first + chosen(part)

    # First, because it fills what scanners keep between runs.
    if trees:
        figures = speed.starting(bench, timed(START))
        record.add(figures, table.start(figures), "start")
    for tree in trees:
        rounds = corpus.runs(tree, asked.runs)
        figures = speed.scanning(bench, tree, timed(tree.name), rounds)
        record.add(figures, table.speed(tree.name, figures), "speed", tree.name)
        figures = speed.gate(bench, tree, ours[0].program, rounds)
        record.add(figures, table.gate(tree.name, figures), "gate", tree.name)
    if asked.creddata:
        folder = asked.creddata.resolve()
        snapshot = asked.snapshot or folder / "snapshot.json"
        given = pairs(asked.findings)
        findings = quality.collect(bench, folder, listed(CREDDATA), given)
        for split in HALVES[asked.split]:
            figures = quality.on_creddata(folder, snapshot, split, findings)
            record.add(figures, table.quality(split, figures), "quality", split)
    if asked.kingfisher_examples:
        figures = quality.on_examples(bench, asked.kingfisher_examples, listed(EXAMPLES))
        record.add(figures, table.examples(figures), "examples")


def look_around(asked: argparse.Namespace) -> tuple[list, list]:
    """What is there; our own command must be, with its `scan`."""
    program = shutil.which(asked.binary)
    if program is None:
        raise corpus.Unusable(f"no program {asked.binary!r}")
    ours = [scanners.found(one.key, one, Path(program)) for one in scanners.OURS]
    peers = []
    for scanner in scanners.PEERS:
        found = scanners.look(scanner, asked.peer_dir)
        if found:
            peers.append(found)
        else:
            running.say(f"{scanner.key}: not found; {scanner.install}")
    for name, program in pairs(asked.program).items():
        fitting = [one for one in scanners.PEERS if name.startswith(one.key)]
        if not fitting:
            raise corpus.Unusable(f"no peer begins like {name!r}")
        nearest = max(fitting, key=lambda one: len(one.key))
        peers.append(scanners.found(name, nearest, program))
    return ours, peers


def choose(only: list[str], peers: list[scanners.Found], trees: list[str]):
    parts = {*trees, START, CREDDATA, EXAMPLES}
    keys = {one.key for one in scanners.PEERS} | {one.name for one in peers} | {""}
    chosen = corpus.choices(only, keys, parts)

    def of(part: str) -> list[scanners.Found]:
        return [one for one in peers if corpus.is_chosen(one.name, part, chosen)]

    return of


def pairs(words: list[str]) -> dict[str, Path]:
    """`NAME=PATH`, several times."""
    read = {}
    for word in words:
        name, sign, path = word.partition("=")
        if not sign or not Path(path).is_file():
            raise corpus.Unusable(f"expected NAME=FILE, found {word!r}")
        read[name] = Path(path)
    return read


class Record:
    """The figures so far. Each part is printed and written when it is there, so
    that what ends a long session early does not lose all of it."""

    def __init__(self, file: Path | None, ours: list, peers: list):
        self.file = file
        self.figures = json.loads(file.read_text()) if file and file.exists() else {"form": 1}
        self.session = {
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
            "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}",
            # Versions hardly move while we develop.
            "ours_sha256": hashlib.sha256(ours[0].program.read_bytes()).hexdigest()[:16],
        }
        self.figures.setdefault("versions", {})
        self.figures["versions"] |= {one.name: one.version for one in [ours[0], *peers]}

    def add(self, figures: dict, shown: str, *place: str) -> None:
        print(shown, flush=True)
        inner = self.figures
        for name in place[:-1]:
            inner = inner.setdefault(name, {})
        inner[place[-1]] = self.session | figures
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(pretty(self.figures) + "\n")


def pretty(value: object, depth: int = 0) -> str:
    """JSON with what fits on one line on one line."""
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict) or len(short) + depth <= 140:
        return short
    edge = " " * depth
    inner = (
        f"{edge} {json.dumps(name, ensure_ascii=False)}: {pretty(one, depth + 1)}"
        for name, one in value.items()
    )
    return "{\n" + ",\n".join(inner) + f"\n{edge}}}"


if __name__ == "__main__":
    sys.exit(main())
