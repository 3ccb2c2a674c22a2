#!/usr/bin/env python3
"""Whether budgets hold: random budgets, every format, counted by tiktoken.

    cargo xtask bench budgets --ours infiniloom --corpus ~/code/django ...

For each tree and format, as many budgets as asked for, from 2,000 tokens up to a
little less than the tree has, as many small ones as large ones. The output must
never have more tokens than the budget, and at least 95 % of it. tiktoken counts;
it is a package of Python's, and the only thing that has to be installed.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

FORMATS = ["xml", "markdown", "json", "yaml", "plain", "compact"]
LEAST = 2_000
# Where fewer tokens would be a fault.
SHARE = 0.95


def main() -> int:
    options = parse()
    import tiktoken

    encoding = tiktoken.get_encoding("o200k_base")
    faults = 0
    for corpus in options.corpus:
        random.seed(options.seed)
        most = min(options.most, tokens_of(options.ours, corpus) * 9 // 10)
        for form in FORMATS:
            used = []
            for budget in budgets(options.count, most):
                text = pack(options.ours, corpus, form, budget)
                count = len(encoding.encode_ordinary(text))
                used.append(count / budget)
                if not SHARE * budget <= count <= budget:
                    faults += 1
                    print(f"{corpus.name} {form}: {count} of {budget}")
            print(
                f"{corpus.name} {form}: {len(used)} budgets of {LEAST} to {most}, "
                f"used {min(used):.2%} to {max(used):.2%}",
                flush=True,
            )
    return 1 if faults else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Checks that budgets hold.")
    parser.add_argument("--ours", default="infiniloom", help="our command")
    parser.add_argument("--corpus", type=Path, nargs="+", required=True)
    parser.add_argument("--count", type=int, default=30, help="budgets for each format")
    parser.add_argument("--most", type=int, default=400_000, help="the largest budget")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def tokens_of(ours: str, corpus: Path) -> int:
    said = subprocess.run(
        [ours, "tokens", str(corpus), "--format", "json"], capture_output=True, check=True
    )
    return json.loads(said.stdout)["total_tokens"]


def budgets(count: int, most: int) -> list[int]:
    return [int(LEAST * (most / LEAST) ** random.random()) for _ in range(count)]


def pack(ours: str, corpus: Path, form: str, budget: int) -> str:
    command = [ours, "pack", str(corpus), "-q", "-f", form, "--budget", str(budget), "-o", "-"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


if __name__ == "__main__":
    sys.exit(main())
