#!/usr/bin/env python3
"""Asks questions of `infiniloom search --rank` and scores the order of files: NDCG@10.

ask.py --ours PROGRAM --questions FILE.jsonl --repos FOLDER [--half FILE] [--misses] RANKING...

A question is a line of JSON with `repo` (OWNER/NAME), `root` (the folder it is asked in),
`query`, `gold_files` and `secondary`. Repositories lie checked out as OWNER+NAME. Files and
secondary files count alike; the mean is over repositories. --half names the repositories,
one a line, that weights were chosen on: their mean and that of the others are shown apart."""
import argparse
import collections
import json
import math
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor


def gain(places):
    return sum(1 / math.log2(place + 2) for place in places)


def score(task, files):
    wanted = list(dict.fromkeys(task["gold_files"] + task.get("secondary", [])))
    places = {files.index(path) for path in wanted if path in files}
    return gain(places) / gain(range(min(10, len(wanted))))


def ask(options, ranking, task):
    tree = os.path.join(options.repos, task["repo"].replace("/", "+"))
    run = subprocess.run(
        [options.ours, "search", f"--rank={ranking}", "--format", "json", "--limit", "10",
         "--secrets", "off", "--", task["query"]],
        cwd=os.path.join(tree, task.get("root") or "."), capture_output=True, text=True,
    )
    if run.returncode > 1:
        raise SystemExit(run.stderr)
    files = [hit["path"] for hit in json.loads(run.stdout)["hits"]]
    root = (task.get("root") or "").strip("/")
    # Paths may start at the folder that was asked.
    whole = [path if os.path.exists(os.path.join(tree, path)) else f"{root}/{path}" for path in files]
    return score(task, whole), whole


def mean(values):
    values = list(values)
    return sum(values) / max(len(values), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--questions", required=True)
    parser.add_argument("--repos", required=True)
    parser.add_argument("--half")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("rankings", nargs="+")
    options = parser.parse_args()
    tasks = [json.loads(line) for line in open(options.questions)]
    tuned = set(open(options.half).read().split()) if options.half else set()
    first = {(task["repo"], task.get("root")): task for task in tasks}
    for ranking in options.rankings:
        for task in first.values():  # makes the index
            ask(options, ranking, task)
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda task: ask(options, ranking, task), tasks))
        by_repo, by_kind = collections.defaultdict(list), collections.defaultdict(list)
        for task, (value, files) in zip(tasks, answers):
            by_repo[task["repo"]].append(value)
            by_kind[task.get("category", "")].append(value)
            if options.misses and value < 0.99:
                print(f"{value:.2f}", task["repo"], task["query"], task["gold_files"], files[:4])
        means = {repo: mean(values) for repo, values in by_repo.items()}
        print(f"{ranking}: {mean(means.values()):.3f} over {len(tasks)} questions", end="")
        if tuned:
            inside = mean(value for repo, value in means.items() if repo in tuned)
            outside = mean(value for repo, value in means.items() if repo not in tuned)
            print(f"; chosen on {inside:.3f}, others {outside:.3f}", end="")
        print("; " + ", ".join(f"{kind} {mean(values):.3f}" for kind, values in sorted(by_kind.items())))
        print("  " + ", ".join(f"{repo.split('/')[1]} {value:.2f}" for repo, value in sorted(means.items())))


if __name__ == "__main__":
    main()
