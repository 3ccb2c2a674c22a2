"""How many definitions that other tools find we find too: `run.py --ours PROGRAM DIR...`.

universal-ctags on the same files, and the languages' own tools (`own_tools.py`). A
definition is the same when its file, its name and its line are. What ctags has and we do
not is counted twice: raw, and with the classes of `classes.py` set apart, with the count of
each class and examples.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess

import classes
import ours
import own_tools

# Kinds of ctags that are definitions in our sense, by language. Left out are packages and
# imports, parameters and local variables, and headings of documents.
KINDS = {
    "Python": {"class", "function", "member"},
    "Rust": {"function", "method", "struct", "enum", "enumerator", "field", "interface", "typedef", "macro", "module", "implementation", "variable", "constant"},
    "Go": {"func", "type", "struct", "interface", "const", "var", "member", "methodSpec", "talias"},
    "Java": {"class", "interface", "enum", "enumConstant", "method", "field", "annotation"},
    "C": {"function", "struct", "union", "enum", "enumerator", "member", "macro", "typedef", "variable"},
    "C++": {"function", "class", "struct", "union", "enum", "enumerator", "member", "macro", "typedef", "variable", "namespace"},
    "C#": {"class", "interface", "struct", "enum", "enumerator", "method", "property", "field", "namespace", "event"},
    "Ruby": {"class", "module", "method", "singletonMethod"},
    "PHP": {"class", "interface", "trait", "function", "method", "constant", "define"},
    "JavaScript": {"function", "class", "method", "generator"},
    "TypeScript": {"function", "class", "interface", "enum", "enumerator", "method", "alias", "property", "namespace", "generator"},
    "Kotlin": {"class", "interface", "object", "method", "constant", "typealias", "variable"},
    "Scala": {"class", "trait", "object", "method", "type"},
    "Sh": {"function"},
    "SQL": {"table", "view", "function", "procedure", "index", "trigger"},
    "CSS": {"selector", "id", "class"},
}


def ctags(folder, files):
    """The definitions of ctags in these files."""
    names = "".join(f"{path}\n" for path in files)
    command = ["ctags", "--output-format=json", "--fields=+nKlZ", "--kinds-C=-p", "-o", "-", "-L", "-"]
    done = subprocess.run(command, cwd=folder, input=names.encode(), capture_output=True, check=True)
    for line in done.stdout.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and "line" in tag and tag["kind"] in KINDS.get(tag.get("language"), ()):
            yield tag


def bare(name):
    return name.replace(" ", "").removeprefix("$").strip("`'\"")


def places(symbol, language):
    """The names and lines under which a definition of ours is known."""
    names = {bare(symbol["name"])}
    lines = {symbol["line"] - 1, symbol["line"], symbol["line"] + 1, symbol["start_line"]}
    if language == "css":
        # One rule has several selectors, each on a line of its own.
        names |= {bare(part) for part in symbol["name"].split(",")}
        names |= {bare(part) for part in symbol["name"].replace(",", " ").split()}
        lines |= set(range(symbol["start_line"], min(symbol["end_line"], symbol["start_line"] + 60) + 1))
    else:
        names |= {bare(part) for part in symbol["name"].split(",")}
    return {(name, line) for name in names for line in lines}


def compare_ctags(folder, files, report):
    known = {path: {place for s in file["symbols"] for place in places(s, file["language"])} for path, file in files.items()}
    sources = {}
    for tag in ctags(folder, files):
        name = bare(tag["name"])
        last = name.split("::")[-1].split(".")[-1]
        hit = any((one, tag["line"]) in known[tag["path"]] for one in {name, last})
        why = None
        if not hit:
            if tag["path"] not in sources:
                sources = {tag["path"]: classes.Source(str(pathlib.Path(folder, tag["path"])))}
            why = classes.explain(tag, sources[tag["path"]])
        report.add("ctags", tag["language"], tag["kind"], hit, why, f"{folder}/{tag['path']}:{tag['line']} {name}")


def compare_own(folder, files, report):
    for tool, definitions in own_tools.TOOLS.items():
        known = None
        for path, kind, name, line in definitions(folder, files):
            if known is None:
                known = {path: {place for s in file["symbols"] for place in places(s, file["language"])} for path, file in files.items()}
            hit = (bare(name), line) in known[path]
            why = None
            if not hit and tool == "scip":
                tag = {"language": "Rust", "kind": kind, "name": name, "line": line}
                why = classes.explain(tag, classes.Source(str(pathlib.Path(folder, path))))
            report.add(tool, "all", kind, hit, why, f"{folder}/{path}:{line} {name}")


class Report:
    def __init__(self):
        self.found = collections.Counter()
        self.total = collections.Counter()
        self.classes = collections.Counter()
        self.missing = collections.defaultdict(list)

    def add(self, tool, language, kind, hit, why, example):
        key = (tool, language, kind)
        self.total[key] += 1
        self.found[key] += hit
        if not hit:
            self.classes[(tool, language, why)] += why is not None
            self.missing[key if why is None else (tool, language, why)].append(example)

    def print(self, examples):
        random.seed(1)
        for tool, language in sorted({key[:2] for key in self.total}):
            rows = sorted(key for key in self.total if key[:2] == (tool, language))
            found, total = sum(self.found[key] for key in rows), sum(self.total[key] for key in rows)
            apart = {key[2]: count for key, count in self.classes.items() if key[:2] == (tool, language) and count}
            rest = total - sum(apart.values())
            print(f"## {tool} {language}: raw {found} of {total}, {100 * found / total:.2f} %; classes apart {found} of {rest}, {100 * found / max(rest, 1):.2f} %")
            for why, count in sorted(apart.items()):
                print(f"  class {why:18} {count:7}  {getattr(classes, why).__doc__.splitlines()[0]}")
                self.examples((tool, language, why), min(examples, 2))
            for key in rows:
                print(f"  {key[2]:14} {self.found[key]:7} of {self.total[key]:7}, missed {len(self.missing[key])}")
                self.examples(key, examples)

    def examples(self, key, count):
        for one in random.sample(self.missing[key], min(count, len(self.missing[key]))):
            print(f"      - {one}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--ours", default="infiniloom", help="our command")
    parser.add_argument("--examples", type=int, default=3, help="how many missing ones to show of each kind")
    options = parser.parse_args()
    report = Report()
    files_seen = 0
    for named in options.folders:
        folder, files = ours.symbols(options.ours, named, "--generated")
        files_seen += len(files)
        compare_ctags(folder, files, report)
        compare_own(folder, files, report)
    print(f"{files_seen} files")
    report.print(options.examples)


if __name__ == "__main__":
    main()
