"""Compares runs of localise.py: `score.py RUN.jsonl... [--half tuning|held-out] [--mode MODE]`.

Rows of the same task are joined. Means of the share of gold files and gold functions, and
the paired differences with 95 % intervals by bootstrap over repositories."""

import argparse
import collections
import json
import random

BUDGETS = ("1000", "2000", "4000", "8000")


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


def joined(paths, half=None):
    """The rows of all runs by task; those that both have."""
    rows = collections.defaultdict(dict)
    for path in paths:
        for line in open(path):
            row = json.loads(line)
            rows[row["id"]].update(row)
    return [row for row in rows.values() if half in (None, row["half"]) and "ours" in row and "aider" in row]


def compared(rows):
    """A row for each mode, measure and budget, in per cent."""
    table = []
    # Aider has no form for a text: what it mentions is compared with our map for the text too.
    for mode, other_mode in (("plain", "plain"), ("mentions", "mentions"), ("query", "mentions")):
        for what, name in ((0, "files"), (1, "functions")):
            for budget in BUDGETS:
                key, other = f"{mode}@{budget}", f"{other_mode}@{budget}"
                rows = [row for row in rows if key in row["ours"]]
                values = [(row["repo"], row["ours"][key][what], row["aider"][other][what]) for row in rows]
                values = [value for value in values if value[1] is not None and value[2] is not None]
                if not values:
                    continue
                mean = lambda at: 100 * sum(value[at] for value in values) / len(values)
                low, high = interval([(repo, one - other) for repo, one, other in values])
                table.append({"mode": mode, "budget": int(budget), "what": name, "ours": round(mean(1), 1), "aider": round(mean(2), 1),
                              "difference": round(mean(1) - mean(2), 1), "low": round(100 * low, 1), "high": round(100 * high, 1)})
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--half")
    options = parser.parse_args()
    rows = joined(options.runs, options.half)
    langs = collections.Counter(row["lang"] for row in rows)
    print(f"{len(rows)} tasks, {len({row['repo'] for row in rows})} repositories, {dict(langs)}")
    print("| map | what | ours % | Aider % | difference |\n|---|---|---|---|---|")
    for row in compared(rows):
        print("| {mode} {budget} | {what} | {ours} | {aider} | {difference:+.1f} [{low:+.1f}, {high:+.1f}] |".format(**row))


if __name__ == "__main__":
    main()
