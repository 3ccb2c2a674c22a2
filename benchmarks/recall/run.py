"""How many definitions that other tools find we find too: `run.py --ours PROGRAM DIR...`.

universal-ctags on the same files, and Python's own `ast`. A definition is the same when
its file, its name and its line are. What is missing is counted by language and kind, with
examples, so that every class of difference can be explained.
"""

import argparse
import ast
import collections
import json
import pathlib
import random
import subprocess
import warnings

# Kinds of ctags that are definitions in our sense, by language. Left out are packages and
# imports, parameters and local variables, headings of documents, and what ctags makes up.
KINDS = {
    "Python": {"class", "function", "member"},
    "Rust": {"function", "method", "struct", "enum", "enumerator", "field", "interface", "typedef", "macro", "module", "implementation", "variable", "constant"},
    "Go": {"func", "type", "struct", "interface", "const", "var", "member", "methodSpec", "alias"},
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


def ours(program, folder):
    """Our definitions: path -> {(name, line)}."""
    command = [program, "symbols", folder, "--private", "--generated", "--no-config", "--format", "json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    files = {}
    for file in answer["files"]:
        if file["read_by"] == "grammar":
            files[file["path"]] = file
    return files


def ctags(folder, files):
    """The definitions of ctags in these files."""
    names = "".join(f"{path}\n" for path in files)
    command = ["ctags", "--output-format=json", "--fields=+nKl", "--kinds-C=+p", "--kinds-C=-p", "-o", "-", "-L", "-"]
    done = subprocess.run(command, cwd=folder, input=names.encode(), capture_output=True, check=True)
    for line in done.stdout.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and "line" in tag:
            yield tag


def bare(name):
    return name.replace(" ", "").removeprefix("$").strip("`'\"")


def compare_ctags(folder, files, report):
    known = {}
    for path, file in files.items():
        known[path] = {(bare(one), line) for s in file["symbols"] for one in {s["name"], *s["name"].split(",")} for line in (s["line"] - 1, s["line"], s["line"] + 1, s["start_line"])}
    for tag in ctags(folder, files):
        language, kind, name = tag.get("language"), tag["kind"], bare(tag["name"])
        if kind not in KINDS.get(language, ()) or name.startswith(("__anon", "AnonymousFunction", "anonymous", "AnonymousClass", "<lambda>")):
            continue
        # ctags calls an import of TypeScript an alias.
        if kind == "alias" and language == "TypeScript" and "type " + tag["name"] not in tag.get("pattern", ""):
            continue
        last = name.split("::")[-1].split(".")[-1]
        hit = any((one, tag["line"]) in known[tag["path"]] for one in {name, last})
        report.add(("ctags", language, kind), hit, f"{folder}/{tag['path']}:{tag['line']} {name}")


def compare_ast(folder, files, report):
    for path, file in files.items():
        if file.get("language") != "python":
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(pathlib.Path(folder, path).read_bytes())
        except (SyntaxError, ValueError):
            continue
        theirs = set()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                theirs.add(("function", node.name, node.lineno))
            elif isinstance(node, ast.ClassDef):
                theirs.add(("class", node.name, node.lineno))
        kinds = {"function": "function", "method": "function", "constructor": "function", "class": "class"}
        mine = {(kinds[s["kind"]], s["name"], s["start_line"]) for s in file["symbols"] if s["kind"] in kinds}
        for one in theirs:
            report.add(("ast", "recall", one[0]), one in mine, f"{path}:{one[2]} {one[1]}")
        for one in mine:
            report.add(("ast", "precision", one[0]), one in theirs, f"{path}:{one[2]} {one[1]}")


class Report:
    def __init__(self):
        self.found = collections.Counter()
        self.total = collections.Counter()
        self.missing = collections.defaultdict(list)

    def add(self, key, hit, example):
        self.total[key] += 1
        self.found[key] += hit
        if not hit:
            self.missing[key].append(example)

    def print(self, examples):
        random.seed(1)
        sums = collections.defaultdict(lambda: [0, 0])
        for key in sorted(self.total):
            sums[key[:2]][0] += self.found[key]
            sums[key[:2]][1] += self.total[key]
        for key, (found, total) in sorted(sums.items()):
            print(f"## {key[0]} {key[1]}: {found} of {total}, {100 * found / total:.2f} %")
            for kind in sorted(k for k in self.total if k[:2] == key):
                print(f"  {kind[2]:14} {self.found[kind]:7} of {self.total[kind]:7}")
                for one in random.sample(self.missing[kind], min(examples, len(self.missing[kind]))):
                    print(f"      - {one}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--ours", default="infiniloom", help="our command")
    parser.add_argument("--examples", type=int, default=3, help="how many missing ones to show of each kind")
    options = parser.parse_args()
    report = Report()
    files_seen = 0
    for folder in options.folders:
        files = ours(options.ours, folder)
        files_seen += len(files)
        compare_ctags(folder, files, report)
        compare_ast(folder, files, report)
    print(f"{files_seen} files")
    report.print(options.examples)


if __name__ == "__main__":
    main()
