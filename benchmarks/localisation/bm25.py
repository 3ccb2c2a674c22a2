#!/usr/bin/env python3
"""Plain BM25 over files or over parts of files, as a peer of run.py or over an archive of archive.py.

run.py --serve … -- bm25.py [--unit file|part] [--no-tests] [--part CHARACTERS]
bm25.py [--unit …] --archive FILE.xz --out RUN.jsonl

file  files by BM25 over all of their words; the context is whole files, the last one cut
part  files by their best part; the context is the best parts
Hits are parts by BM25 in both. The words of a query count as often as they occur; no other signal is used. --no-tests
leaves test files out. Tokens are counted by tiktoken (o200k_base) where it is installed, else as characters / 3.6."""
import argparse
import collections
import functools
import json
import math
import multiprocessing
import sys

import archive
import context
import score
import tree

K1, B = 1.2, 0.75
BUDGETS = (8000, 32000)
FILES, HITS = 300, 50

Blob = collections.namedtuple("Blob", "length words parts part_lengths postings")


def study(path, text, size):
    """What ranking needs of a file; its path is part of its text, and of each part's."""
    parts = tree.parts(text, size)
    names = collections.Counter(tree.words(path))
    postings, lengths, whole = collections.defaultdict(dict), [], collections.Counter(names)
    for number, part in enumerate(parts):
        counts = collections.Counter(tree.words(part.text))
        whole.update(counts)
        counts.update(names)
        lengths.append(sum(counts.values()))
        for word, count in counts.items():
            postings[word][number] = count
    return Blob(sum(whole.values()), whole, parts, lengths, postings)


def weight(documents, having):
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


def saturated(count, length, mean):
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))


def rank_files(query, blobs):
    """Paths with their scores, best first; those that share no word with the query are left out."""
    having = {word: sum(word in blob.words for blob in blobs.values()) for word in query}
    mean = sum(blob.length for blob in blobs.values()) / max(1, len(blobs))
    scores = {}
    for path, blob in blobs.items():
        found = [(word, blob.words[word]) for word in query if word in blob.words]
        if found:
            scores[path] = sum(query[word] * weight(len(blobs), having[word]) * saturated(count, blob.length, mean)
                               for word, count in found)
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))


def rank_parts(query, blobs):
    """(path, number of the part) with scores, best first."""
    total = sum(len(blob.parts) for blob in blobs.values())
    mean = sum(sum(blob.part_lengths) for blob in blobs.values()) / max(1, total)
    having = {word: sum(len(blob.postings.get(word, ())) for blob in blobs.values()) for word in query}
    scores = collections.defaultdict(float)
    for path, blob in blobs.items():
        for word, times in query.items():
            for number, count in blob.postings.get(word, {}).items():
                scores[path, number] += (times * weight(total, having[word])
                                         * saturated(count, blob.part_lengths[number], mean))
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))


class Peer:
    """Studies every content once, as long as the same repository is asked."""

    def __init__(self, options):
        self.options, self.studied, self.last = options, {}, None

    def blobs(self, files, read):
        kept, self.studied, blobs = self.studied, {}, {}
        for path, content in files:
            blob = kept.get((path, content))
            if blob is None:
                text = read(path, content)
                blob = text and study(path, text, self.options.part)
            self.studied[path, content] = blob
            if blob and not (self.options.no_tests and score.TEST.search(path)):
                blobs[path] = blob
        return blobs

    def ranked(self, text, blobs):
        """Files, parts, and the parts in the order in which they fill a context."""
        query = collections.Counter(tree.words(text))
        parts = [(path, blobs[path].parts[number]) for (path, number), _ in rank_parts(query, blobs)]
        if self.options.unit == "part":
            return list(dict.fromkeys(path for path, _ in parts)), parts, parts
        files = [path for path, _ in rank_files(query, blobs)]
        return files, parts, [(path, part) for path in files for part in blobs[path].parts]

    def fill(self, parts, budget):
        return (context.in_order if self.options.unit == "file" else context.that_fit)(parts, budget)

    def answer(self, request):
        """Answers run.py; other budgets of the same question are not ranked again."""
        folder, key = request["dir"], (request["dir"], request["commit"], request["query"])
        if self.last is None or self.last[0] != key:
            blobs = self.blobs(tree.listed(folder), lambda path, content: tree.read(folder, path))
            self.last = key, self.ranked(request["query"], blobs)
        files, hits, parts = self.last[1]
        return {"files": files[:FILES], "hits": context.spans(hits[:HITS]),
                "pieces": context.spans(self.fill(parts, request["budget"]))}


def answer_archived(options, repository):
    """The rows of all tasks of a repository."""
    texts, tasks = repository
    peer, rows = Peer(options), []
    for task in tasks:
        blobs = peer.blobs(map(tuple, task["files"]), lambda path, content: texts.get(content))
        files, hits, parts = peer.ranked(task["query"], blobs)
        contexts = {budget: peer.fill(parts, budget) for budget in BUDGETS}
        rows.append(archive.row(task, files[:FILES], hits[:HITS], contexts))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unit", choices=["file", "part"], default="file")
    parser.add_argument("--no-tests", action="store_true")
    parser.add_argument("--part", type=int, default=tree.PART)
    parser.add_argument("--archive")
    parser.add_argument("--out")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    if not options.archive:
        peer = Peer(options)
        for line in sys.stdin:
            print(json.dumps(peer.answer(json.loads(line))), flush=True)
        return
    with multiprocessing.Pool(options.processes) as pool, open(options.out, "w") as out:
        work = functools.partial(answer_archived, options)
        for rows in pool.imap_unordered(work, archive.repositories(options.archive)):
            out.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
