"""Aider's map of a repository without a model: `aider_map.py ROOT [--query FILE] --budgets 1000,2000`.

Runs in an environment that has `aider-chat`. Tags, ranks and text are Aider's own; the
text is cut at the largest number of ranked tags whose exact tokens (o200k_base) fit the
budget. With a query, the words and files that it mentions are what Aider takes from a
message. Prints one JSON object: texts by mode and budget, and seconds."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import warnings

warnings.simplefilter("ignore")
import litellm  # noqa: E402  (brings the vocabularies that tiktoken would download)

os.environ["TIKTOKEN_CACHE_DIR"] = str(pathlib.Path(litellm.__file__).parent / "litellm_core_utils" / "tokenizers")
import tiktoken  # noqa: E402
import tree_sitter  # noqa: E402
from aider.repomap import RepoMap  # noqa: E402

ENCODING = tiktoken.get_encoding("o200k_base")


def count(text):
    return len(ENCODING.encode_ordinary(text))


class Model:
    def token_count(self, text):
        return count(text)


class Quiet:
    def tool_output(self, *args, **kwargs):
        pass

    tool_warning = tool_error = tool_output

    def read_text(self, path, silent=False):
        try:
            return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None


class Tolerant(RepoMap):
    """Aider's map, which stops at a file whose grammar its own query does not fit; such files have no tags here."""

    def get_tags_raw(self, fname, rel_fname):
        try:
            return list(super().get_tags_raw(fname, rel_fname))
        except tree_sitter.QueryError:
            return []


def mentioned(query, files):
    """Names and files that a message mentions, as Aider finds them."""
    names = set(re.split(r"\W+", query))
    words = {word.rstrip(",.!;:?").strip("\"'`*_") for word in query.split()}
    found, by_base, by_stem = set(), {}, {}
    for path in files:
        if path in words:
            found.add(path)
        base = os.path.basename(path)
        if re.search(r"[/\\._-]", base):
            by_base.setdefault(base, []).append(path)
        stem = pathlib.Path(path).stem.lower()
        if len(stem) >= 5:
            by_stem.setdefault(stem, set()).add(path)
    for base, paths in by_base.items():
        if len(paths) == 1 and base in words:
            found.add(paths[0])
    for name in names:
        if len(name) >= 5:
            found |= by_stem.get(name.lower(), set())
    return names, found


def cut(mapper, ranked, budget):
    """The text of as many ranked tags as fit."""
    low, high, best = 0, len(ranked), ""
    guess = min(high, budget // 25)
    while low < high:
        text = mapper.to_tree(ranked[:guess], set())
        if count(text) <= budget:
            low, best = guess, text
        else:
            high = guess - 1
        guess = (low + high + 1) // 2
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("--query")
    parser.add_argument("--budgets", default="1000,2000,4000,8000")
    options = parser.parse_args()
    loaded = time.process_time()
    listed = subprocess.run(["git", "-C", options.root, "ls-files", "-z"], capture_output=True, check=True)
    files = [path for path in listed.stdout.decode(errors="replace").split("\0") if path]
    files = [path for path in files if os.path.isfile(os.path.join(options.root, path))]
    absolute = [os.path.join(options.root, path) for path in files]
    mapper = Tolerant(root=options.root, main_model=Model(), io=Quiet())
    answer = {"texts": {}, "seconds": {}}
    modes = {"plain": (set(), set())}
    if options.query:
        modes["mentions"] = mentioned(pathlib.Path(options.query).read_text(), files)
    for mode, (names, found) in modes.items():
        start = time.perf_counter()
        ranked = mapper.get_ranked_tags(set(), absolute, found, names, None)
        answer["texts"][mode] = {budget: cut(mapper, ranked, int(budget)) for budget in options.budgets.split(",")}
        answer["seconds"][mode] = time.perf_counter() - start
        answer["CPU"] = time.process_time() - loaded
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
