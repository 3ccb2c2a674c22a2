#!/usr/bin/env python3
"""The code that tasks are asked about in one file, for a machine that has no repositories.

archive.py --bench TASKS.jsonl --mirror DIR --out FILE.xz [--repo NAME]

A line is a blob {"blob", "text"} or, after the blobs of its repository, a task with its files [[path, blob]], relative
to the folder that it is asked about. Standard library only."""
import argparse
import collections
import json
import lzma
import os
import subprocess

import tree


def files_at(repository, commit, root):
    """Paths below root and their blobs."""
    done = subprocess.run(["git", "-C", repository, "ls-tree", "-r", "-z", commit], capture_output=True, check=True)
    prefix = root.strip("/") + "/" if root.strip("/.") else ""
    for entry in done.stdout.decode(errors="surrogateescape").split("\0"):
        about, _, path = entry.partition("\t")
        if path.startswith(prefix) and about.startswith("100") and tree.is_code(path):
            yield path[len(prefix):], about.split()[2]


def texts(repository, blobs):
    """The texts of blobs in their order; None where the mirror lacks one or it is not text."""
    process = subprocess.Popen(["git", "-C", repository, "cat-file", "--batch"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    for blob in blobs:
        process.stdin.write(blob.encode() + b"\n")
        process.stdin.flush()
        about = process.stdout.readline().split()
        if about[-1] == b"missing":
            yield blob, None
            continue
        content = process.stdout.read(int(about[2]))
        process.stdout.read(1)
        yield blob, tree.decoded(content)
    process.stdin.close()
    process.wait()


def write(tasks, mirror, out):
    names = {name.lower(): name for name in os.listdir(mirror)}
    by_repo = collections.defaultdict(list)
    for task in tasks:
        by_repo[task["repo"]].append(task)
    for repo, group in sorted(by_repo.items()):
        repository = os.path.join(mirror, names[repo.replace("/", "+").lower()], "repo")
        asked, where = [], {}
        for task in group:
            files = list(files_at(repository, task["base_commit"], task.get("root") or ""))
            asked.append((task, files))
            where.update((blob, path) for path, blob in files)
        # Versions of one file lie together and compress well.
        for blob, text in texts(repository, sorted(where, key=lambda blob: (where[blob], blob))):
            if text:
                out.write(json.dumps({"blob": blob, "text": text}) + "\n")
        for task, files in asked:
            kept = {key: task[key] for key in ("id", "repo", "query", "root") if key in task}
            out.write(json.dumps({**kept, "files": files}) + "\n")


def repositories(path):
    """(texts by blob, tasks) of one repository after the other."""
    found, tasks = {}, []
    with lzma.open(path, "rt") as lines:
        for line in lines:
            row = json.loads(line)
            if "blob" in row:
                if tasks:
                    yield found, tasks
                    found, tasks = {}, []
                found[row["blob"]] = row["text"]
            else:
                tasks.append(row)
    if tasks:
        yield found, tasks


def row(task, files, hits, contexts):
    """A line of RUN.jsonl, as run.py writes it; hits and contexts are [(path, part)]."""
    root = (task.get("root") or "").strip("/")
    prefix = root + "/" if root.strip(".") else ""
    spans = lambda parts: [[prefix + path, part.start, part.end] for path, part in parts]
    return {"id": task["id"], "files": [prefix + path for path in files], "hits": spans(hits), "seconds": {},
            "contexts": {str(budget): spans(parts) for budget, parts in contexts.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--mirror", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--repo", action="append")
    options = parser.parse_args()
    tasks = [json.loads(line) for line in open(options.bench)]
    tasks = [task for task in tasks if not options.repo or task["repo"] in options.repo]
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 2, "dict_size": 1 << 26}]
    with lzma.open(options.out, "wt", filters=filters) as out:
        write(tasks, options.mirror, out)


if __name__ == "__main__":
    main()
