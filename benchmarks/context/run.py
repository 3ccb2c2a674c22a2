#!/usr/bin/env python3
"""How much of what a change edits a context shows, and how well files are ranked.

run.py --tasks TASKS.jsonl --mirror DIR --out FOLDER [--half tune|held] [--per-repo N] [--without] [--binary PATH]

The tasks are not part of this repository: an issue text or a question, a repository and a commit, and what the real
change edited. DIR holds the repositories as owner+name/repo. Every task is asked by the command at its commit; then
../localisation/score.py scores the run. --half takes the repositories whose name hashes even or odd: what is tuned is
tuned on one half and reported on both. --without runs once more without each strategy. Standard library only."""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "localisation"))
import run as protocol  # noqa: E402

STRATEGIES = ["lexical", "mentions", "calls", "history", "test_association"]


def half_of(repository):
    return "tune" if hashlib.md5(repository.lower().encode()).digest()[0] % 2 == 0 else "held"


def chosen(tasks, options):
    by_repo = collections.defaultdict(list)
    for task in tasks:
        if options.half in (None, half_of(task["repo"])):
            by_repo[task["repo"]].append(task)
    if options.per_repo:
        for repo, group in by_repo.items():
            by_repo[repo] = random.Random(7).sample(group, min(options.per_repo, len(group)))
    return by_repo


def ask_all(by_repo, command, options, path):
    trees = pathlib.Path(options.out) / "trees"
    trees.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as out:
        for repo, group in sorted(by_repo.items()):
            folders = {name.lower(): name for name in os.listdir(options.mirror)}
            folder = folders.get(repo.replace("/", "+").lower())
            if folder is None:
                print(f"{repo}: not in the mirror, {len(group)} tasks left out", file=sys.stderr)
                continue
            work = str(trees / folder)
            if not os.path.isdir(work):
                work = protocol.clone(options.mirror, repo, str(trees))
            for task in sorted(group, key=lambda task: (task["created_at"], task["base_commit"])):
                out.write(json.dumps(ask(task, work, command, options)) + "\n")
                out.flush()


def ask(task, work, command, options):
    protocol.move_to(work, task["base_commit"])
    root = (task.get("root") or "").strip("/")
    prefix = root + "/" if root not in ("", ".") else ""
    row = {"id": task["id"], "files": [], "contexts": {}, "seconds": {}, "tokens": {}}
    for budget in options.budgets.split(","):
        answer, took, error = protocol.ask(command, os.path.join(work, root), task["query"], budget, 300)
        row["seconds"][budget] = round(took, 4)
        if error:
            row.setdefault("errors", []).append(error)
            continue
        spans = {
            key: [[prefix + one["path"], one["start_line"], one["end_line"]] for one in answer[key]]
            for key in ("pieces", "hits")
        }
        row["files"] = row["files"] or [prefix + path for path in answer["files"]]
        row["contexts"][budget], row["tokens"][budget] = spans["pieces"], answer["tokens"]
        row["hits"] = row.get("hits") or spans["hits"][:50]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", default=os.environ.get("LOCALISATION_TASKS"), required="LOCALISATION_TASKS" not in os.environ)
    parser.add_argument("--mirror", default=os.environ.get("LOCALISATION_MIRROR"), required="LOCALISATION_MIRROR" not in os.environ)
    parser.add_argument("--out", default="target/context")
    parser.add_argument("--half", choices=["tune", "held"])
    parser.add_argument("--per-repo", type=int, help="so many tasks of each repository, drawn with a fixed seed")
    parser.add_argument("--budgets", default="8000,32000")
    parser.add_argument("--without", action="store_true", help="once more without each strategy")
    parser.add_argument("--binary", default="target/release/infiniloom")
    options = parser.parse_args()
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    by_repo = chosen([json.loads(line) for line in open(options.tasks)], options)
    bench = pathlib.Path(options.out) / "tasks.jsonl"
    bench.write_text("".join(json.dumps(task) + "\n" for group in by_repo.values() for task in group))
    base = [os.path.abspath(options.binary), "context", "--query-file", "{query_file}", "{dir}"]
    base += ["--budget", "{budget}", "--format", "json"]
    runs = {"complete": base}
    if options.without:
        for left_out in STRATEGIES:
            rest = ",".join(one for one in STRATEGIES if one != left_out)
            runs[f"without_{left_out}"] = base + ["--strategy", rest]
    paths = []
    for name, command in runs.items():
        paths.append(str(pathlib.Path(options.out) / f"{name}.jsonl"))
        ask_all(by_repo, command, options, paths[-1])
    scorer = str(HERE.parent / "localisation" / "score.py")
    against = ["--against", paths[0]] if len(paths) > 1 else []
    subprocess.run([sys.executable, scorer, "--bench", str(bench), *paths, *against], check=True)


if __name__ == "__main__":
    main()
