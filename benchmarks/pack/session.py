"""The runs of one corpus: round robin, with a home of its own for every tool.

Owns the order of runs and where tools may write. Computes no ratio.
"""

import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import measure
from corpus import Corpus
from tools import FLOOR, Found, number


@dataclass
class Result:
    """All runs of one tool on one corpus."""

    found: Found
    runs: list[measure.Run] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)
    output_bytes: int | None = None
    files: int | None = None
    tokens: int | None = None
    # Why there is no figure, in words; empty when all is well.
    trouble: str = ""


@dataclass(frozen=True)
class Bench:
    """Where a session works, and how long a run may take."""

    scratch: Path
    path: str
    limit: float
    vocabulary: Path | None = None


def run(bench: Bench, corpus: Corpus, found: list[Found], rounds: int) -> list[Result]:
    """Every tool once a round, so that a change in the machine's load meets
    all of them. A tool that fails or is stopped does not get another round."""
    results = [Result(one) for one in found]
    warm_up(bench, corpus, results)
    for turn in range(rounds):
        for result in results:
            if not result.trouble:
                say(f"{corpus.name}: round {turn + 1} of {rounds}, {result.found.tool.key}")
                record(bench, corpus, result)
    return results


def warm_up(bench: Bench, corpus: Corpus, results: list[Result]) -> None:
    """The floor reads the tree into the page cache for all; tools with a cache
    of their own fill it. None of this is recorded."""
    for result in results:
        tool = result.found.tool
        if tool is FLOOR or tool.primed:
            say(f"{corpus.name}: before the first round, {tool.key}")
            once(bench, corpus, result.found)
            output_of(bench, result.found).unlink(missing_ok=True)


def record(bench: Bench, corpus: Corpus, result: Result) -> None:
    load = os.getloadavg()[0]
    one = once(bench, corpus, result.found)
    tool, out = result.found.tool, output_of(bench, result.found)
    said = messages(bench, result.found)
    result.runs.append(one)
    result.loads.append(round(load, 2))
    result.output_bytes = written(result.found, out)
    result.files = corpus.files if tool is FLOOR else number(tool.files, said)
    result.tokens = number(tool.tokens, said)
    result.trouble = trouble(one, result.output_bytes, said, bench.limit)
    # Gone before the kernel writes it back, which would slow the next run.
    out.unlink(missing_ok=True)


def once(bench: Bench, corpus: Corpus, found: Found) -> measure.Run:
    tool, folder = found.tool, folder_of(bench, found)
    for part in ("home", "tmp"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    # Trees often belong to somebody else than who measures.
    (folder / "home/.gitconfig").write_text("[safe]\n\tdirectory = *\n")
    out = output_of(bench, found)
    job = measure.Job(
        command=tool.command(found.program, out),
        folder=corpus.folder,
        environment=environment(bench, found),
        stdout=out if tool.writes_to_stdout() else folder / "stdout",
        stderr=folder / "stderr",
        limit=bench.limit,
    )
    return measure.run(job)


def environment(bench: Bench, found: Found) -> dict[str, str]:
    folder = folder_of(bench, found)
    home = folder / "home"
    variables = {
        "PATH": bench.path,
        "HOME": str(home),
        "TMPDIR": str(folder / "tmp"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
    }
    if bench.vocabulary:
        variables["TIKTOKEN_CACHE_DIR"] = str(bench.vocabulary)
    return variables | found.tool.environment


def folder_of(bench: Bench, found: Found) -> Path:
    return bench.scratch / found.tool.key


def output_of(bench: Bench, found: Found) -> Path:
    return folder_of(bench, found) / "output.txt"


def written(found: Found, out: Path) -> int | None:
    if not out.is_file():
        return None
    if found.tool is FLOOR:
        text = out.read_text().strip()
        return int(text) if text.isdigit() else None
    return out.stat().st_size


def messages(bench: Bench, found: Found) -> str:
    folder = folder_of(bench, found)
    texts = []
    for name in ("stdout", "stderr"):
        if (folder / name).is_file():
            texts.append((folder / name).read_text(errors="replace"))
    return "\n".join(texts)


def trouble(one: measure.Run, output_bytes: int | None, said: str, limit: float) -> str:
    if one.stopped:
        return f"stopped at {limit:g} s"
    if one.status != 0:
        return f"exit status {one.status}: {last_line(said)}"
    if not output_bytes:
        return "no output"
    return ""


def last_line(said: str) -> str:
    """The last thing said, without colours and without this machine's paths."""
    plain = re.sub(r"\x1b\[[\d;?]*\w", "", said)
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    last = lines[-1] if lines else "no message"
    return re.sub(r"(?<!\w)(/[\w.@+-]+){2,}/?", "PATH", last)[:200]


def clear(bench: Bench) -> None:
    shutil.rmtree(bench.scratch, ignore_errors=True)


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
