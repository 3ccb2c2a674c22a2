"""Compares runs of localise.py: `score.py RUN.jsonl... [--half tuning|held-out]`.

Rows of the same task are joined. Means of the share of gold files and gold functions, and
the paired differences with 95 % intervals by bootstrap over repositories."""

import argparse
import collections
import json
import random


def interval(values, draws=2000):
    """values: [(repository, number)]"""
    groups = collections.defaultdict(list)
    for repo, value in values:
        groups[repo].append(value)
    groups, draw, means = list(groups.values()), random.Random(7), []
    for _ in range(draws):
        drawn = [value for _ in groups for value in draw.choice(groups)]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    return means[int(draws * 0.025)], means[int(draws * 0.975)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--half")
    options = parser.parse_args()
    rows = collections.defaultdict(dict)
    for path in options.runs:
        for line in open(path):
            row = json.loads(line)
            rows[row["id"]].update(row)
    rows = [row for row in rows.values() if options.half in (None, row["half"])]
    both = [row for row in rows if "ours" in row and "aider" in row]
    langs = collections.Counter(row["lang"] for row in both)
    print(f"{len(both)} tasks, {len({row['repo'] for row in both})} repositories, {dict(langs)}")
    print("| map | what | ours % | Aider % | difference |\n|---|---|---|---|---|")
    for mode in ("plain", "mentions"):
        for what, name in ((0, "files"), (1, "functions")):
            for budget in ("1000", "2000", "4000", "8000"):
                key = f"{mode}@{budget}"
                values = [(row["repo"], row["ours"][key][what], row["aider"][key][what]) for row in both]
                values = [value for value in values if value[1] is not None and value[2] is not None]
                if not values:
                    continue
                mean = lambda at: 100 * sum(value[at] for value in values) / len(values)
                low, high = interval([(repo, one - other) for repo, one, other in values])
                print(f"| {mode} {budget} | {name} | {mean(1):.1f} | {mean(2):.1f} | {mean(1) - mean(2):+.1f} [{100 * low:+.1f}, {100 * high:+.1f}] |")


main()
