"""The simplest map: definitions of universal-ctags, those whose name stands in the most other files first.

`ctags_map.py ROOT --budgets 1000,2000` prints a JSON object: texts by budget and seconds.
Tokens are counted by `infiniloom tokens` on the whole text (`--ours PROGRAM`)."""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("--ours", default="infiniloom")
    parser.add_argument("--budgets", default="1000,2000,4000,8000")
    options = parser.parse_args()
    start = time.perf_counter()
    listed = subprocess.run(["git", "-C", options.root, "ls-files", "-z"], capture_output=True, check=True)
    files = [path for path in listed.stdout.decode(errors="replace").split("\0") if path]
    tags = subprocess.run(["ctags", "--output-format=json", "--fields=+n", "-o", "-", "-L", "-"], cwd=options.root,
                          input="\n".join(files).encode(), capture_output=True)
    defined = collections.defaultdict(set)
    for line in tags.stdout.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag":
            defined[tag["name"]].add(tag["path"])
    used = collections.Counter()
    for path in files:
        try:
            with open(os.path.join(options.root, path), encoding="utf-8", errors="replace") as handle:
                used.update(set(re.findall(r"\w+", handle.read())) & defined.keys())
        except OSError:
            pass
    ranked = sorted(((used[name], path, name) for name, paths in defined.items() for path in paths), key=lambda one: (-one[0], one[1:]))
    seconds = time.perf_counter() - start
    texts = {}
    for budget in options.budgets.split(","):
        low, high = 0, min(len(ranked), int(budget))
        while low < high:
            middle = (low + high + 1) // 2
            if tokens(options.ours, text(ranked[:middle])) <= int(budget):
                low = middle
            else:
                high = middle - 1
        texts[budget] = text(ranked[:low])
    json.dump({"texts": texts, "seconds": seconds}, sys.stdout)


def text(ranked):
    by_file = collections.defaultdict(list)
    for _, path, name in ranked:
        by_file[path].append(name)
    return "".join(f"{path}\n" + "".join(f"  {name}\n" for name in names) for path, names in by_file.items())


def tokens(program, text):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as handle:
        handle.write(text)
        handle.flush()
        done = subprocess.run([program, "tokens", handle.name, "--format", "json"], capture_output=True, check=True)
    return json.loads(done.stdout)["total_tokens"]


main()
