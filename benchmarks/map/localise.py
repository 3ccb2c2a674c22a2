"""How much of what a change touches a map shows, for issues of real repositories.

localise.py --tasks TASKS.jsonl --mirror DIR --ours MAPS [--aider PYTHON] [--per-repository N] --out RUN.jsonl

TASKS has a JSON object a line: id, repo, base_commit, query, gold_files, gold_functions.
MAPS is the example of loom-host: `cargo build --release -p loom-host --example maps`.
DIR holds the repositories as owner+name/repo (git directories). The share of the gold
files and of the gold functions inside of maps of 1,000 to 8,000 tokens: without a focus,
with the names that the text of the issue mentions (`--mention`; for Aider's ranking as
mentioned names and files), and with all of its words (`--query`), cut at the same budgets."""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import shown

BUDGETS = ("1000", "2000", "4000", "8000")
HERE = pathlib.Path(__file__).parent


def git(work, *args, check=True):
    return subprocess.run(["git", "-C", work, *args], check=check, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def move_to(work, commit):
    """Put the tree at a commit; what did not change keeps its time, for caches."""
    if git(work, "reset", "-q", "--hard", commit, check=False).returncode == 0:
        git(work, "clean", "-fdxq", "-e", ".aider*", check=False)
        return
    # Some contents are not in the mirror.
    git(work, "update-ref", "--no-deref", "HEAD", commit)
    git(work, "read-tree", commit)
    git(work, "clean", "-fdxq", "-e", ".aider*", check=False)
    git(work, "checkout-index", "-a", "-f", "-u", "-q", check=False)


def ours(program, work, task):
    """`program` is the example `maps` of loom-host: it reads once and makes all maps."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as query:
        query.write(task["query"])
        query.flush()
        done = subprocess.run([program, work, query.name, ",".join(BUDGETS)], capture_output=True, timeout=300)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-500:])
    texts = json.loads(done.stdout)["texts"]
    return {f"{mode}@{budget}": shown.shares(task, shown.of_ours(text))
            for mode, by_budget in texts.items() for budget, text in by_budget.items()}


def aider(python, work, task):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as query:
        query.write(task["query"])
        query.flush()
        command = [python, str(HERE / "aider_map.py"), work, "--query", query.name, "--budgets", ",".join(BUDGETS)]
        done = subprocess.run(command, capture_output=True, timeout=1200)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-500:])
    texts = json.loads(done.stdout)["texts"]
    return {f"{mode}@{budget}": shown.shares(task, shown.of_aider(text))
            for mode, by_budget in texts.items() for budget, text in by_budget.items()}


def sample(tasks, most):
    """At most so many tasks of a repository, always the same."""
    by_repo = collections.defaultdict(list)
    for task in tasks:
        by_repo[task["repo"]].append(task)
    draw = random.Random(11)
    for repo, group in sorted(by_repo.items()):
        yield repo, sorted(draw.sample(group, min(most, len(group))), key=lambda task: task.get("created_at", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--mirror", required=True)
    parser.add_argument("--ours")
    parser.add_argument("--aider", help="the Python of an environment with aider-chat")
    parser.add_argument("--per-repository", type=int, default=8)
    parser.add_argument("--only", help="repositories, with commas")
    parser.add_argument("--half", choices=["tuning", "held-out"])
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    tasks = [json.loads(line) for line in open(options.tasks)]
    names = {name.lower(): name for name in os.listdir(options.mirror)}
    scratch = tempfile.mkdtemp(prefix="map-")
    groups = list(sample(tasks, options.per_repository))
    done = set()
    if os.path.exists(options.out):
        done = {json.loads(line)["id"] for line in open(options.out)}
    with open(options.out, "a") as out:
        for number, (repo, group) in enumerate(groups):
            half = "tuning" if number % 2 == 0 else "held-out"
            folder = names.get(repo.replace("/", "+").lower())
            if folder is None or (options.only and repo not in options.only.split(",")) or options.half not in (None, half):
                continue
            if all(task["id"] in done for task in group):
                continue
            work = os.path.join(scratch, folder)
            source = os.path.join(options.mirror, folder, "repo")
            subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", source, work], check=True)
            for task in group:
                if task["id"] in done or git(work, "cat-file", "-e", task["base_commit"], check=False).returncode:
                    continue
                move_to(work, task["base_commit"])
                row = {"id": task["id"], "repo": repo, "half": half, "lang": task.get("lang")}
                try:
                    if options.ours:
                        row["ours"] = ours(options.ours, work, task)
                    if options.aider:
                        row["aider"] = aider(options.aider, work, task)
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    print(f"{task['id']}: {error}", file=sys.stderr)
                    continue
                out.write(json.dumps(row) + "\n")
                out.flush()
            shutil.rmtree(work, ignore_errors=True)
            print(repo, len(group), file=sys.stderr, flush=True)
    shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
