"""How fast: scanning trees, starting up, and what the gate adds to a pack.

Owns the order of runs and the ratios. Every round runs each of them once, so
that a change in the load of the machine meets all.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import corpus
import measure
from bench import Bench, Failed, say
from scanners import Found

FLOOR = "floor"
# A tool whose run takes longer, in seconds, is left out: it would have fewer runs than
# the others.
LONG = 60
# As git does: a zero byte near the start says that a file is not text.
HEAD = 8_000
# Starting takes so little that chance has to be kept out by more rounds.
STARTS = 20
SMALL = 'import os\n\nuser = os.environ["USER"]\nprint(f"hello, {user}")\n'


@dataclass
class Timed:
    """All runs of one command."""

    once: Callable[[], measure.Run]
    runs: list[measure.Run] = field(default_factory=list)
    trouble: str = ""

    def is_open(self) -> bool:
        return not self.trouble

    def go(self) -> None:
        try:
            run = self.once()
        except Failed as failed:
            self.trouble = str(failed)
            return
        if run.wall > LONG:
            self.trouble = f"a run takes more than {LONG} s"
            self.runs.clear()
        else:
            self.runs.append(run)


@dataclass(frozen=True)
class Texts:
    """A copy of what is text among the files that git tracks, without `.git`,
    so that all scanners read the same."""

    folder: Path
    files: int
    bytes: int


def copy_texts(tree: corpus.Corpus, folder: Path) -> Texts:
    files = size = 0
    for path in corpus.git(tree.folder, "ls-files", "-z").split("\0"):
        source = tree.folder / path
        if path and source.is_file() and not source.is_symlink() and is_text(source):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / path)
            files += 1
            size += source.stat().st_size
    return Texts(folder, files, size)


def is_text(file: Path) -> bool:
    with open(file, "rb") as content:
        return b"\0" not in content.read(HEAD)


def scanning(bench: Bench, tree: corpus.Corpus, found: list[Found], rounds: int) -> dict:
    texts = copy_texts(tree, bench.scratch / "texts")
    timed = {FLOOR: Timed(lambda: cat(bench, texts.folder))}
    for one in found:
        timed[one.name] = Timed(lambda one=one: bench.time(one, ".", texts.folder))
    before = load()
    take_turns(tree.name, timed, rounds)
    shutil.rmtree(texts.folder)
    return {
        "files": texts.files,
        "bytes": texts.bytes,
        "tree": tree.tree,
        "load": [before, load()],
        "tools": {name: rates(one, timed[FLOOR], texts.bytes) for name, one in timed.items()},
    }


def cat(bench: Bench, folder: Path) -> measure.Run:
    """Reads every byte and does nothing with it."""
    script = "find . -type f -print0 | xargs -0 cat > /dev/null"
    return bench.command(FLOOR, ["sh", "-c", script], folder)


def gate(bench: Bench, tree: corpus.Corpus, ours: Path, rounds: int) -> dict:
    """A whole pack of the tree itself without a cache, with and without looking for
    secrets. The floor is that of the benchmark `pack`."""
    out = str(bench.scratch / "packed")

    def pack(name: str, *more: str) -> Timed:
        command = [str(ours), "pack", "--no-config", "--no-cache", "-q", "-o", out, *more]
        return Timed(lambda: bench.command(name, command, tree.folder))

    script = "git ls-files -z | xargs -0 cat | wc -c"
    timed = {
        FLOOR: Timed(lambda: bench.command(FLOOR, ["sh", "-c", script], tree.folder)),
        "pack --secrets off": pack("off", "--secrets", "off"),
        "pack": pack("default"),
    }
    before = load()
    take_turns(f"{tree.name}, pack", timed, rounds)
    Path(out).unlink(missing_ok=True)
    figures = {name: times(one, timed[FLOOR]) for name, one in timed.items()}
    return {
        "bytes": tree.bytes,
        "load": [before, load()],
        "tools": figures,
        "gate": {
            key: ratio(figures["pack"][key], figures["pack --secrets off"][key])
            for key in ("wall_s", "cpu_s")
        },
    }


def starting(bench: Bench, found: list[Found]) -> dict:
    """One small file. What a scanner keeps between runs is there already."""
    folder = bench.scratch / "small"
    folder.mkdir()
    (folder / "hello.py").write_text(SMALL)
    timed = {FLOOR: Timed(lambda: bench.command(FLOOR, ["cat", "hello.py"], folder))}
    for one in found:
        timed[one.name] = Timed(lambda one=one: bench.time(one, ".", folder))
    before = load()
    take_turns("start", timed, STARTS)
    return {
        "load": [before, load()],
        "tools": {name: times(one, timed[FLOOR]) for name, one in timed.items()},
    }


def take_turns(what: str, timed: dict[str, Timed], rounds: int) -> None:
    """The floor goes first, unrecorded, so that nobody reads from the disk."""
    timed[FLOOR].once()
    for turn in range(rounds):
        for name, one in timed.items():
            if one.is_open():
                say(f"{what}: round {turn + 1} of {rounds}, {name}")
                one.go()


def rates(timed: Timed, floor: Timed, size: int) -> dict:
    figures = times(timed, floor)
    if timed.runs:
        figures["mb_per_s"] = significant(size / 1e6 / figures["wall_s"])
        figures["mb_per_cpu_s"] = significant(size / 1e6 / max(figures["cpu_s"], 1e-3))
    return figures


def times(timed: Timed, floor: Timed) -> dict:
    """The least time and the least CPU of all runs, each by itself, because
    what else the machine does can only add to them."""
    if not timed.runs:
        return {"trouble": timed.trouble}
    wall, cpu = (least(timed, what) for what in ("wall", "cpu"))
    return {
        "rounds": len(timed.runs),
        "wall_s": round(wall, 4),
        "cpu_s": round(cpu, 4),
        "times_floor": ratio(wall, least(floor, "wall")),
        "peak_mb": round(max(run.peak for run in timed.runs) / 1e6),
        **({"trouble": timed.trouble} if timed.trouble else {}),
    }


def least(timed: Timed, what: str) -> float:
    return min(getattr(run, what) for run in timed.runs)


def ratio(part: float, whole: float) -> float | None:
    return significant(part / whole) if whole else None


def significant(value: float) -> float:
    """Three digits: more would be noise."""
    return float(f"{value:.3g}")


def load() -> float:
    return round(os.getloadavg()[0], 2)
