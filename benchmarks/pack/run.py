"""`cargo xtask bench pack`: us and every installed peer on the same trees.

Owns the command line and the order of things. What is measured and how to read
it is told in ../README.md, the peers in ../peers.md.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import corpus
import figures
import measure
import plot
import session
import table
import tools

BENCHMARKS = Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent


def main() -> int:
    asked = parser().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        for record in measure_all(asked):
            if asked.results:
                write(record, asked.results)
    except (corpus.Unusable, measure.Unstarted) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(table.closing(record))
    return 0


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(
        prog="cargo xtask bench pack",
        description="Pack the same trees with us and every installed peer, in turns.",
        epilog="Relative paths start at the root of the checkout.",
    )
    add = words.add_argument
    add("--corpus", nargs="+", action="extend", type=Path, metavar="DIR",
        help="git checkouts to pack; this checkout when none is given")
    add("--runs", type=positive, metavar="N",
        help="rounds; 5 when not given, 3 for trees above 50 MB")
    add("--limit", type=seconds, default=120, metavar="SECONDS",
        help="stop a run after this time (120)")
    add("--ours", metavar="PROGRAM",
        help="our command, a path or a name in PATH; built when not given")
    add("--peers", type=folder, metavar="DIR",
        help="look for peers in DIR/bin and DIR/*/bin before PATH")
    add("--only", action="append", default=[], metavar="[CORPUS=]TOOL,...",
        help="run only these peers, on all trees or on one; the floor and we always run")
    add("--scratch", type=folder, metavar="DIR",
        help="where outputs and caches go, as large as the largest output")
    add("--results", type=Path, default=BENCHMARKS / "results", metavar="DIR",
        help="where the JSON and the plot go (benchmarks/results)")
    add("--no-results", dest="results", action="store_const", const=None,
        help="only print the table")
    return words


def folder(text: str) -> Path:
    """Absolute, because the tools run in other folders than we do."""
    path = Path(text).resolve()
    if not path.is_dir():
        raise ValueError(text)
    return path


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise ValueError(text)
    return value


def measure_all(asked: argparse.Namespace) -> Iterator[dict]:
    """Gives the record after each corpus, so that what ends a long session
    early does not lose all of it."""
    corpora = corpus.read_all(asked.corpus or [ROOT])
    keys = {peer.key for peer in tools.PEERS}
    chosen = corpus.choices(asked.only, keys, {one.name for one in corpora})
    path = tools.path_with_node(asked.peers, os.environ.get("PATH", os.defpath))
    found, missing = look_around(asked, path)
    with tempfile.TemporaryDirectory(prefix="bench-pack-", dir=asked.scratch) as scratch:
        bench = session.Bench(Path(scratch), path, asked.limit, vocabulary(asked.peers))
        record = facts(found, missing, asked, bench)
        for one in corpora:
            some = [tool for tool in found if applies(tool.tool.key, one.name, chosen)]
            measure_one(bench, one, some, asked.runs, record)
            yield record


def measure_one(
    bench: session.Bench, one: corpus.Corpus, some: list, asked: int | None, record: dict
) -> None:
    rounds = corpus.runs(one, asked)
    results = session.run(bench, one, some, rounds)
    record["corpora"].append(figures.corpus_figures(one, results, rounds))
    record["load_after"] = load()
    print(table.corpus_table(record["corpora"][-1], record["smallest_peak_bytes"]), flush=True)
    print(flush=True)


def applies(key: str, name: str, chosen: dict[str, set[str]]) -> bool:
    return key == tools.FLOOR.key or key in tools.OWN_KEYS or corpus.is_chosen(key, name, chosen)


def look_around(asked: argparse.Namespace, path: str):
    """What is there and what is not; our own command must be."""
    ours = shutil.which(asked.ours, path=path) if asked.ours else build()
    if ours is None:
        raise corpus.Unusable(f"no program {asked.ours!r}")
    ours = str(Path(ours).resolve())
    seen = [tools.look(peer, asked.peers, path) for peer in tools.PEERS]
    found = [one for one in seen if isinstance(one, tools.Found)]
    missing = [one for one in seen if isinstance(one, tools.Missing)]
    for one in missing:
        session.say(f"{one.tool.key}: {one.reason}")
    version = tools.version(tools.OURS, ours, path)
    own = [tools.Found(tool, ours, version) for tool in tools.OWN]
    floor = tools.Found(tools.FLOOR, "sh", "")
    return [floor, *own, *found], missing


def build() -> str:
    """Builds the command as it is released and gives back where it lies."""
    command = ["cargo", "build", "--release", "--package", "infiniloom-cli",
               "--message-format", "json-render-diagnostics"]
    try:
        answer = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise corpus.Unusable(f"cannot build our command: {error}") from error
    program = executable(answer.stdout)
    if program is None:
        raise corpus.Unusable("cargo named no executable")
    return program


def executable(messages: str) -> str | None:
    """The program that cargo says it made."""
    for line in messages.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == tools.OURS.program:
            return message["executable"]
    return None


def vocabulary(peers: Path | None) -> Path | None:
    """A folder in which the tiktoken library finds its vocabularies, so that
    tools built on it count without a network."""
    given = os.environ.get("TIKTOKEN_CACHE_DIR")
    folder = Path(given) if given else peers / "tiktoken" if peers else None
    return folder.resolve() if folder and folder.is_dir() else None


def facts(found: list, missing: list, asked: argparse.Namespace, bench: session.Bench) -> dict:
    """What is known before the first run. No path and no host name."""
    return {
        "form": 1,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "limit_s": asked.limit,
        "machine": machine(),
        "load_before": load(),
        "smallest_peak_bytes": smallest_peak(bench),
        "versions": versions(found),
        "missing": [{"tool": one.tool.key, "reason": one.reason} for one in missing],
        "corpora": [],
    }


def versions(found: list) -> dict:
    """Ours once: all rows of ours are the same program."""
    others = tools.OWN_KEYS - {tools.OURS.key}
    return {one.tool.key: one.version for one in found if one.version and one.tool.key not in others}


def machine() -> dict:
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "memory_gib": round(pages / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def cpu_name() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1] if found else platform.processor() or "unknown CPU"


def load() -> float:
    return round(os.getloadavg()[0], 2)


def smallest_peak(bench: session.Bench) -> int:
    """What a program that does nothing is charged with."""
    out, err = bench.scratch / "nothing.out", bench.scratch / "nothing.err"
    nothing = measure.Job(["true"], bench.scratch, dict(os.environ), out, err, bench.limit)
    return measure.run(nothing).peak


def write(record: dict, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    figures_file = folder / "pack.json"
    figures_file.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    (folder / "pack.svg").write_text(plot.draw(record))
    session.say(f"wrote {figures_file.name} and pack.svg")


if __name__ == "__main__":
    sys.exit(main())
