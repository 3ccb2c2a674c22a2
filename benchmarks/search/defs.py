#!/usr/bin/env python3
"""Asks `infiniloom def` for definitions that universal-ctags knows, and counts how often
the first answer is the right place.

defs.py --ours PROGRAM [--each N] [--seed N] TREE...

From every tree N functions, methods and types are drawn that ctags finds, with the name of
what they are in. Names that ctags finds in several places are counted apart: any of the places
may be drawn, so the mean of no order is more than the sum of 1 / places, which is told as "at
best". What ctags takes for a function because a macro in capitals stands before a body, as
`TEST_F(...) {`, is left out. Needs `ctags` (universal-ctags with JSON)."""
import argparse
import collections
import json
import os
import random
import subprocess

KINDS = {
    "class", "interface", "struct", "enum", "trait", "function", "func", "method", "def",
    "object", "protocol", "singletonMethod", "implementation",
}
# ctags reads these languages well; what else is in a tree is left alone.
LANGUAGES = {
    "C", "C++", "C#", "Go", "Java", "JavaScript", "Kotlin", "PHP", "Python", "Ruby", "Rust",
    "Scala", "Swift", "TypeScript",
}


def tags(tree, files):
    out = subprocess.run(
        ["ctags", "--output-format=json", "--fields=+nKZlF", "--extras=-F", "-f", "-", "-L", "-"],
        input="\n".join(files), cwd=tree, capture_output=True, text=True, errors="replace",
    ).stdout
    for line in out.splitlines():
        tag = json.loads(line)
        known = tag.get("language") in LANGUAGES and tag.get("kind") in KINDS
        # What has no name in the text gets one from ctags.
        made_up = any(part in tag["name"] + tag.get("scope", "") for part in ("__anon", "AnonymousClass", "<lambda>"))
        is_macro = tag.get("language") in ("C", "C++") and tag["name"].isupper()
        if known and tag.get("_type") == "tag" and not made_up and not is_macro:
            yield tag


def text_files(ours, tree):
    run = subprocess.run([ours, "search", "-l", "path:/./"], cwd=tree, capture_output=True, text=True)
    return run.stdout.splitlines()


def asked(tag):
    scope = tag.get("scope", "")
    kind = tag.get("scopeKind", "")
    owner = scope if kind in KINDS | {"class", "struct"} else ""
    owner = owner.replace("::", ".").replace("\\", ".").split(".")[-1]
    return f"{owner}.{tag['name']}" if owner else tag["name"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("trees", nargs="+")
    options = parser.parse_args()
    total = collections.Counter()
    for tree in options.trees:
        found = list(tags(tree, text_files(options.ours, tree)))
        places = collections.defaultdict(set)
        for tag in found:
            places[(tag["language"], asked(tag))].add((tag["path"], tag["line"]))
        main_language = collections.Counter(tag["language"] for tag in found).most_common(1)[0][0]
        found = [tag for tag in found if tag["language"] == main_language]
        rng = random.Random(options.seed)
        rng.shuffle(found)
        row = collections.Counter()
        for tag in found:
            if row["unique"] == options.each:
                break
            unique = len(places[(tag["language"], asked(tag))]) == 1
            kind = "unique" if unique else "several"
            if not unique and row["several"] == options.each:
                continue
            run = subprocess.run(
                [options.ours, "def", asked(tag), "--format", "json"], cwd=tree, capture_output=True, text=True
            )
            answer = json.loads(run.stdout)["definitions"] if run.stdout else []
            right = [(one["path"], one["line"]) for one in answer]
            row[kind] += 1
            row[f"{kind} first"] += right[:1] == [(tag["path"], tag["line"])]
            row[f"{kind} at best"] += 1 / len(places[(tag["language"], asked(tag))])
            row[f"{kind} any"] += (tag["path"], tag["line"]) in right
            if unique and right[:1] != [(tag["path"], tag["line"])]:
                print("   ", asked(tag), tag["kind"], tag["path"], tag["line"], "answered", right[:2])
        print(os.path.basename(tree.rstrip("/")), main_language, dict(row), flush=True)
        total += row
    print("all", dict(total))


if __name__ == "__main__":
    main()
