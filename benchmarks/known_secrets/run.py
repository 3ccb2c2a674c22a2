"""Measures what known secrets cost: packs the same text with 1, 100 and 10,000 of them.

The text is made by a seeded generator. The secrets are in one configuration file, and one in
a hundred of them has a copy in the code. Runs are interleaved; the least of each is taken.

Usage: python3 benchmarks/known_secrets/run.py --ours PROGRAM [--megabytes N] [--rounds N]
           [--results benchmarks/results/known-secrets.json]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))

import run_facts  # noqa: E402

WORDS = "account buffer cache decode encode filter gather handle index journal kernel ledger".split()
COUNTS = [1, 100, 10_000]
FILE = 20_000


def value(rng):
    return "".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789", k=24))


def code(rng, name, copy):
    lines = [f"# handled by {copy}\n" if copy else "# handled here\n"]
    size = 0
    while size < FILE:
        a, b, c = rng.choices(WORDS, k=3)
        number = rng.randrange(10**6)
        line = f"def {a}_{b}_{number}(left, right):\n    return {c}(left, {number}) + right.{b}\n\n"
        lines.append(line)
        size += len(line)
    return "".join(lines)


def make(root, megabytes, count):
    """The same code for every count: only the configuration and the comments differ."""
    secrets = random.Random(7)
    values = [value(secrets) for _ in range(count)]
    copied = values[::100]
    rng = random.Random(1)
    files = megabytes * 1_000_000 // FILE
    for number in range(files):
        place = root / f"part{number % 100}" / f"file{number}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(code(rng, number, copied[number % len(copied)] if number % 50 == 0 else None))
    (root / "app.properties").write_text("".join(f"service{n}.password={v}\n" for n, v in enumerate(values)))


def pack(program, root, home):
    """Seconds and peak memory in MiB of one pack."""
    output = home / "out.xml"
    words = [program, "pack", str(root), "--no-cache", "-q", "-o", str(output)]
    started = time.perf_counter()
    process = subprocess.Popen(words, env={"PATH": os.environ["PATH"], "HOME": str(home)})
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        sys.exit(f"pack failed: {words}")
    return seconds, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", default="target/release/infiniloom", help="our command")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--results", type=Path, help="file that takes the result")
    options = parser.parse_args()
    run = run_facts.facts(options.ours)
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        roots = {count: place / f"secrets{count}" for count in COUNTS}
        for count, root in roots.items():
            make(root, options.megabytes, count)
        best = {count: (float("inf"), 0.0) for count in COUNTS}
        for _ in range(options.rounds):
            for count, root in roots.items():
                seconds, memory = pack(options.ours, root, place)
                best[count] = (min(best[count][0], seconds), max(best[count][1], memory))
    base = best[COUNTS[0]]
    rows = []
    for count, (seconds, memory) in best.items():
        row = {
            "known_secrets": count, "seconds": round(seconds, 2), "mebibytes": round(memory),
            "seconds_ratio": round(seconds / base[0], 2), "memory_ratio": round(memory / base[1], 2),
        }
        rows.append(row)
        print(f"{count:6} secrets: {seconds:6.2f} s ({row['seconds_ratio']}), {memory:6.0f} MiB ({row['memory_ratio']})")
    if options.results:
        result = {"megabytes": options.megabytes, "rounds": options.rounds, "rows": rows, "run": run}
        options.results.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
