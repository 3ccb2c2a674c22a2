#!/usr/bin/env python3
"""How much memory a pack takes: every format, without and with `--max-memory`.

    cargo xtask bench memory --ours infiniloom --corpus ~/code/linux

The largest resident set of the process, as the system says it when the process
ends. The exit status is 1 where a bound is not kept: 300 MB without `--max-memory`,
otherwise what it says.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

FORMATS = ["xml", "markdown", "json", "yaml", "plain", "compact"]
MIB = 1 << 20
# What a pack may take by default, in bytes.
BOUND = 300_000_000


def main() -> int:
    options = parse()
    faults = 0
    for corpus in options.corpus:
        print(f"\n### {corpus.name}\n\n| format | MiB | with --max-memory {options.limit}mb |")
        print("| --- | ---: | ---: |")
        for form in FORMATS:
            command = [options.ours, "pack", str(corpus), "-q", "-f", form]
            free = peak(command)
            bound = peak([*command, "--max-memory", f"{options.limit}mb"])
            faults += free > BOUND
            faults += bound > options.limit * MIB
            print(f"| {form} | {free / MIB:.0f} | {bound / MIB:.0f} |", flush=True)
    return 1 if faults else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures the memory of packs.")
    parser.add_argument("--ours", default="infiniloom", help="our command")
    parser.add_argument("--corpus", type=Path, nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=128, help="--max-memory, in MiB")
    return parser.parse_args()


def peak(command: list[str]) -> int:
    """The largest resident set of `command`, in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        process = os.spawnvp(os.P_NOWAIT, command[0], [*command, "-o", f"{folder}/out"])
        _, status, usage = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    sys.exit(main())
