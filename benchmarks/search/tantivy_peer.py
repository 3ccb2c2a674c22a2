#!/usr/bin/env python3
"""BM25 as tantivy has it, beside `infiniloom search --rank`: what the index takes, how long a
question takes, and NDCG@10 as `ask.py` counts it.

tantivy_peer.py --questions FILE.jsonl --repos FOLDER [--tree FOLDER]

It needs the package `tantivy` of Python. Paths, identifiers cut into words, and texts are fields;
a file is a document. --tree is a larger tree of which only the index is measured."""
import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import tantivy

from ask import mean, score

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
MOST = 1 << 20


def files(tree):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, check=False)
    if listed.returncode == 0:
        return [path for path in listed.stdout.decode(errors="replace").split("\0") if path]
    return [os.path.relpath(os.path.join(at, name), tree)
            for at, _, names in os.walk(tree) for name in names]


def text(path):
    try:
        with open(path, "rb") as file:
            held = file.read(MOST + 1)
    except OSError:
        return None
    return None if len(held) > MOST or b"\0" in held[:8192] else held.decode(errors="replace")


def words(held):
    return " ".join(WORD.findall(held)).lower()


class Tree:
    def __init__(self, tree, paths):
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("path", stored=True, tokenizer_name="raw")
        for field in ("place", "words", "body"):
            builder.add_text_field(field, stored=False, tokenizer_name="en_stem")
        self.folder = tempfile.mkdtemp()
        self.index = tantivy.Index(builder.build(), path=self.folder)
        start = time.perf_counter()
        writer = self.index.writer(heap_size=200_000_000, num_threads=2)
        self.bytes = 0
        for path in paths:
            held = text(os.path.join(tree, path))
            if held is not None:
                self.bytes += len(held.encode(errors="replace"))
                writer.add_document(tantivy.Document(
                    path=path, place=words(path), words=words(held), body=held))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.seconds = time.perf_counter() - start
        self.searcher = self.index.searcher()

    def size(self):
        return sum(os.path.getsize(os.path.join(self.folder, name)) for name in os.listdir(self.folder))

    def ask(self, question):
        asked = " ".join(re.findall(r"\w+", question)) + " " + words(question)
        query = self.index.parse_query(asked.replace(" OR ", " or ").replace(" AND ", " and "),
                                       ["place", "words", "body"])
        return [self.searcher.doc(at)["path"][0] for _, at in self.searcher.search(query, 10).hits]

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", required=True)
    parser.add_argument("--repos", required=True)
    parser.add_argument("--tree")
    options = parser.parse_args()
    tasks = [json.loads(line) for line in open(options.questions)]
    groups = {}
    for task in tasks:
        groups.setdefault((task["repo"], (task.get("root") or "").strip("/")), []).append(task)
    scores, times = {}, []
    for (repo, root), asked in groups.items():
        whole = os.path.join(options.repos, repo.replace("/", "+"))
        inside = [path for path in files(whole) if not root or path.startswith(root + "/")]
        tree = Tree(whole, inside)
        for task in asked:
            start = time.perf_counter()
            found = tree.ask(task["query"])
            times.append(time.perf_counter() - start)
            scores.setdefault(repo, []).append(score(task, found))
        tree.close()
    times.sort()
    print(f"tantivy: NDCG@10 {mean(mean(of) for of in scores.values()):.3f} over {len(tasks)} "
          f"questions, p50 {1e3 * times[len(times) // 2]:.2f} ms")
    if options.tree:
        tree = Tree(options.tree, files(options.tree))
        print(f"{os.path.basename(options.tree)}: {tree.seconds:.1f} s, "
              f"{100 * tree.size() / tree.bytes:.1f} % of {tree.bytes} bytes")
        tree.close()


if __name__ == "__main__":
    main()
