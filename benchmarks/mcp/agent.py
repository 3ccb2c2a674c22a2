"""A scripted agent looks for the place that an issue is about: with our tools, and with grep
and reading alone. Both stop when a line that the fix changed is in front of them, or after
as many calls. Counted are calls, the tokens of all answers, and whether it was found.

Usage: agent.py --tasks TASKS.jsonl --mirror DIR [--number 20] [--ours PROGRAM]

A task has id, repo, base_commit, query, and gold_lines ([path, first, last]); DIR holds the
repositories as owner+name/repo.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from client import Client  # noqa: E402

COMMON = set("the and for are was were how what where when why who does did with from into that this then than not but can should would could have has had its use uses used using get set new line file code error issue bug fix there which work works find add all any via you our your will one only also import print self return none true false def class".split())
CALLS = 12


def words(question):
    """The most particular words first: names, then long words."""
    found = []
    for word in re.findall(r"\w+", question):
        if len(word) >= 3 and word.lower() not in COMMON and not word.isdigit() and word not in found:
            found.append(word)
    is_name = lambda word: "_" in word or any(c.isupper() for c in word[1:]) or any(c.isdigit() for c in word)
    return sorted(found, key=lambda word: (not is_name(word), -len(word)))[:12]


class Eyes:
    """What an agent has seen."""

    def __init__(self, task, ours):
        self.gold, self.ours = task["gold_lines"], ours
        self.calls = self.tokens = 0
        self.file = self.found = False

    def see(self, text, places):
        """`places` are (path, first, last)."""
        self.calls += 1
        self.tokens += count(self.ours, text)
        for path, first, last in places:
            for gold, start, end in self.gold:
                if path == gold:
                    self.file = True
                    self.found |= first <= end and start <= last

    def done(self):
        return self.found or self.calls >= CALLS


def count(ours, text):
    run = subprocess.run([ours, "tokens", "-", "--model", "gpt-4o", "--format", "json"], input=text, capture_output=True, text=True)
    return json.loads(run.stdout)["total_tokens"]


def numbered(text):
    """The places in an answer of ours: a line with a path, then lines with their numbers."""
    path, places = None, []
    for line in text.split("\n"):
        head = re.match(r"file\| ([^\s:]+\.\w+)(?:[:( ]|$)", line)
        number = re.match(r"(\d+)\| ", line)
        if number and path:
            places.append((path, int(number[1]), int(number[1])))
        elif head:
            path = head[1]
    return places


def with_ours(task, folder, ours, home):
    eyes = Eyes(task, ours)
    env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    client = Client([ours, "mcp", str(folder)], env=env)
    text = "; ask again"
    while "; ask again" in text.split("\n")[0] and not eyes.done():
        # A partial answer is a call with tokens too.
        text, _, _ = client.call("context", {"query": task["query"]})
        eyes.see(text, numbered(text))
    first = text
    paths = list(dict.fromkeys(path for path, _, _ in numbered(first)))
    if not eyes.done():
        text, _, _ = client.call("search", {"query": task["query"][:400], "kind": "question"})
        eyes.see(text, [])
        ranked = re.findall(r"^file\| ([^\s:]+):\d+-\d+", text, re.M)
        paths = list(dict.fromkeys(paths[:6] + ranked))
    for path in paths:
        if eyes.done():
            break
        text, is_error, _ = client.call("read", {"paths": [path], "budget": 8000})
        eyes.see(text, [] if is_error else numbered(text))
    client.close()
    return eyes


def with_grep(task, folder, ours):
    eyes = Eyes(task, ours)
    weights, matched = {}, 0
    for word in words(task["query"]):
        # Five words that are there at all; half of the calls are left for reading.
        if matched == 5 or eyes.calls >= CALLS - 4:
            break
        run = subprocess.run(["git", "-C", str(folder), "grep", "-n", "-I", "-w", "-e", word], capture_output=True, text=True, errors="replace")
        lines = run.stdout.split("\n")[:-1]
        shown = [line[:400] for line in lines[:100]]
        places = [(path, int(line), int(line)) for path, line, *_ in (one.split(":", 2) for one in shown) if line.isdigit()]
        eyes.see("\n".join(shown) or "no matches", places)
        matched += bool(lines)
        files = {line.split(":", 1)[0] for line in lines}
        for path in files:
            weights[path] = weights.get(path, 0) + 1 / len(files)
        if eyes.done():
            return eyes
    is_code = lambda path: not re.search(r"\.(md|rst|txt|json|lock|csv|svg|html|ya?ml|toml)$|(^|/)(tests?|docs?)/|CHANGE", path)
    for path in sorted(weights, key=lambda path: (not is_code(path), -weights[path])):
        if eyes.done():
            break
        try:
            lines = (folder / path).read_text(errors="replace").split("\n")[:2000]
        except OSError:
            continue
        eyes.see("\n".join(f"{at}\t{line[:2000]}" for at, line in enumerate(lines, 1)), [(path, 1, len(lines))])
    return eyes


def chosen(tasks, number):
    """The same ones every time, at most two of a repository."""
    taken, picked = {}, []
    for task in sorted(tasks, key=lambda task: hashlib.sha256(task["id"].encode()).hexdigest()):
        if task["gold_lines"] and taken.setdefault(task["repo"], 0) < 2:
            taken[task["repo"]] += 1
            picked.append(task)
    return picked[:number]


def checkout(mirror, task, into):
    names = {name.lower(): name for name in os.listdir(mirror)}
    source = mirror / names[task["repo"].replace("/", "+").lower()] / "repo"
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(into)], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["git", "-C", str(into), "read-tree", task["base_commit"]], check=True)
    subprocess.run(["git", "-C", str(into), "checkout-index", "-a", "-f", "-q"], stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, required=True)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--ours", default="infiniloom")
    options = parser.parse_args()
    tasks = chosen([json.loads(line) for line in options.tasks.open()], options.number)
    rows = {"ours": [], "grep and read": []}
    for task in tasks:
        scratch = Path(tempfile.mkdtemp())
        try:
            folder = scratch / "repo"
            checkout(options.mirror, task, folder)
            (scratch / "home").mkdir()
            rows["ours"].append(with_ours(task, folder, options.ours, scratch / "home"))
            rows["grep and read"].append(with_grep(task, folder, options.ours))
            print(task["repo"], *(f"{name}: {'found' if row[-1].found else 'file' if row[-1].file else 'not'} {row[-1].calls} calls {row[-1].tokens} tokens;" for name, row in rows.items()), file=sys.stderr, flush=True)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    print(f"\n{len(tasks)} tasks, at most {CALLS} calls\n\n| agent | found | right file seen | calls, mean | tokens, mean | tokens, median |\n|---|---|---|---|---|---|")
    for name, row in rows.items():
        mean = lambda field: statistics.mean(getattr(eyes, field) for eyes in row)
        print(f"| {name} | {sum(eyes.found for eyes in row)} | {sum(eyes.file for eyes in row)} | {mean('calls'):.1f} | {mean('tokens'):.0f} | {statistics.median(eyes.tokens for eyes in row):.0f} |")


if __name__ == "__main__":
    main()
