#!/usr/bin/env python3
"""How much of what a change edits a context shows, and how well files are ranked.

run.py --tasks TASKS.jsonl --mirror DIR --out FOLDER [--half tune|held] [--per-repo N] [--without] [--binary PATH]

The tasks are not part of this repository: an issue text or a question, a repository and a commit, and what the real
change edited. DIR holds the repositories as owner+name/repo. Every task is asked by the command at its commit; then
../localisation/score.py scores the run. --half takes the repositories whose name hashes even or odd: what is tuned is
tuned on one half and reported on both. --without asks once more without each strategy, and with words alone, at the
first budget. What is there already in FOLDER is not asked again. Standard library only."""
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

STRATEGIES = ["lexical", "embedding_similarity", "summaries", "mentions", "calls", "history", "test_association"]


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


def ask_all(by_repo, runs, options):
    """Every command at every task, the tree moved once for all of them."""
    out = pathlib.Path(options.out)
    trees = out / "trees"
    trees.mkdir(parents=True, exist_ok=True)
    done = {name: answered(out / f"{name}.jsonl") for name in runs}
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
            wanted = [name for name in runs if task["id"] not in done[name]]
            if wanted:
                protocol.move_to(work, task["base_commit"])
            for name in wanted:
                row = ask(task, work, *runs[name])
                with open(out / f"{name}.jsonl", "a") as file:
                    file.write(json.dumps(row) + "\n")


def answered(path):
    return {json.loads(line)["id"] for line in open(path)} if path.is_file() else set()


def ask(task, work, command, budgets):
    root = (task.get("root") or "").strip("/")
    prefix = root + "/" if root not in ("", ".") else ""
    row = {"id": task["id"], "files": [], "contexts": {}, "seconds": {}, "tokens": {}}
    for budget in budgets:
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
    budgets = options.budgets.split(",")
    runs = {"complete": (base, budgets)}
    if options.without:
        runs["lexical_alone"] = (base + ["--strategy", "lexical"], budgets[:1])
        for left_out in STRATEGIES:
            rest = ",".join(one for one in STRATEGIES if one != left_out)
            runs[f"without_{left_out}"] = (base + ["--strategy", rest], budgets[:1])
    ask_all(by_repo, runs, options)
    paths = [str(pathlib.Path(options.out) / f"{name}.jsonl") for name in runs]
    scorer = str(HERE.parent / "localisation" / "score.py")
    against = ["--against", paths[0]] if len(paths) > 1 else []
    subprocess.run([sys.executable, scorer, "--bench", str(bench), *paths, *against], check=True)


if __name__ == "__main__":
    main()
