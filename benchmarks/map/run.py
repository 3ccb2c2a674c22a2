"""Maps of repositories, ours and those of others: how long they take, what they hold, what they are good for.

run.py --corpus DIR... --ours PROGRAM [--maps EXAMPLE] [--aider PYTHON] [--older PYTHON]
       [--localised RUN.jsonl...] [--runs N] [--only times|budgets] [--results FILE]

Cold is a process of its own with nothing kept: an empty store for us, no cache of tags for
Aider. Warm is the next process, which finds what the first one kept. In process is another
map of a repository that is read already (`cargo build --release -p loom-host --example maps`).
Budgets from 200 to 50,000 tokens are asked of us in every format and counted again by
`infiniloom tokens`: none may be over, and one that has more to say must use 95 %.
`--localised` takes what `localise.py` wrote and adds the comparison of `score.py`."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import score

HERE = pathlib.Path(__file__).parent
BUDGETS = (200, 500, 1000, 2000, 4000, 8000, 20000, 50000)
FORMATS = ("xml", "markdown", "json", "plain", "mermaid")


def timed(command):
    """Seconds, seconds of CPU, and what it printed."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(part) for part in command], capture_output=True)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode:
        print(" ".join(map(str, command)), done.stderr.decode(errors="replace")[-400:], file=sys.stderr)
        return None, None, None
    return seconds, cpu, done.stdout.decode(errors="replace")


class Turns:
    """Commands that run in turns, once in each round, so that a busy minute meets all of them."""

    def __init__(self):
        self.commands, self.found, self.out = {}, {}, {}

    def add(self, name, command, before=lambda: None):
        self.commands[name] = command, before

    def run(self, runs):
        """Returns the least seconds and the least seconds of CPU of each command."""
        for _ in range(runs):
            for name, (command, before) in self.commands.items():
                # A command that failed has no figure.
                if self.out.get(name, "") is None:
                    continue
                before()
                *one, self.out[name] = timed(command)
                self.found.setdefault(name, []).append(one)
        row = {}
        for name, found in self.found.items():
            if self.out[name] is not None:
                row[name] = round(min(seconds for seconds, _ in found), 3)
                row[f"{name} CPU"] = round(min(cpu for _, cpu in found), 3)
        return row


def times(options, folder):
    turns = Turns()
    store = pathlib.Path(tempfile.mkdtemp(prefix="map-store-"))
    command = [options.ours, "map", folder, "--budget", "2k", "-q", "--cache-dir", store]
    turns.add("ours cold", command, lambda: shutil.rmtree(store, ignore_errors=True))
    # Finds what the cold run just kept.
    turns.add("ours warm", command)

    def forget():
        for cache in folder.glob(".aider*"):
            shutil.rmtree(cache, ignore_errors=True)

    if options.aider:
        command = [options.aider, HERE / "aider_map.py", folder, "--budgets", "2000"]
        turns.add("Aider cold", command, forget)
        turns.add("Aider warm", command)
    if options.older:
        turns.add("older", [options.older, HERE / "older_map.py", folder, "2000"])
    turns.add("ctags", [sys.executable, HERE / "ctags_map.py", folder, "--ours", options.ours, "--budgets", "2000"])
    row = {"corpus": folder.name, **turns.run(options.runs)}
    shutil.rmtree(store, ignore_errors=True)
    forget()
    row.update(told(options, folder, turns.out))
    return {name.replace(" ", "_"): value for name, value in row.items()}


def told(options, folder, out):
    """Returns the facts that the outputs of the commands tell."""
    row, text = {}, out["ours cold"]
    row["files"] = int(text.split('files="')[1].split('"')[0]) if text else None
    if options.maps:
        _, _, inside = timed([options.maps, folder, "", "2000", "5"])
        if inside:
            row["ours in process"] = round(json.loads(inside)["seconds"]["plain"]["2000"], 4)
    if options.aider:
        # Without the start of Python and what Aider loads.
        cold = out["Aider cold"]
        row["Aider cold inside CPU"] = round(json.loads(cold)["CPU"], 3) if cold else None
    if options.older and out["older"]:
        found = json.loads(out["older"])
        row["older first"] = ", ".join(found["symbols"][:10])
        row["older tokens for 2000"] = tokens(options.ours, found["text"])
    return row


def tokens(program, text):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as handle:
        handle.write(text)
        handle.flush()
        _, _, out = timed([program, "tokens", handle.name, "--format", "json"])
    return json.loads(out)["total_tokens"] if out else None


def budgets(options, folder):
    """What is over, what uses less than it could, and where a repository has less to say than the budget."""
    store = tempfile.mkdtemp(prefix="map-store-")
    answer = {"corpus": folder.name, "asked": 0, "over": [], "below 95 %": [], "all there is": [], "least used %": 100.0}
    for form in FORMATS:
        whole = None
        for budget in reversed(BUDGETS):
            command = [options.ours, "map", folder, "--format", form, "-q", "--cache-dir", store, "--budget"]
            _, _, text = timed([*command, budget])
            answer["asked"] += 1
            if text is None:
                answer["below 95 %"].append(f"{form} {budget}: refused")
                continue
            took = tokens(options.ours, text)
            if took > budget:
                answer["over"].append(f"{form} {budget}: {took}")
            if took >= 0.95 * budget:
                answer["least used %"] = min(answer["least used %"], round(100 * took / budget, 1))
                continue
            if whole is None:
                _, _, most = timed([*command, 100 * budget])
                whole = tokens(options.ours, most)
            kind = "all there is" if took >= 0.99 * whole else "below 95 %"
            answer[kind].append(f"{form} {budget}: {took}")
    shutil.rmtree(store, ignore_errors=True)
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--ours", required=True)
    parser.add_argument("--maps")
    parser.add_argument("--aider")
    parser.add_argument("--older")
    parser.add_argument("--localised", nargs="+")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path, help="what is measured replaces what stands there")
    parser.add_argument("--only", choices=["times", "budgets"])
    options = parser.parse_args()
    answer = {"date": datetime.date.today().isoformat(), "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"}
    if options.only != "budgets" and options.corpus:
        answer["seconds"] = [shown(times(options, folder)) for folder in options.corpus]
    if options.only != "times" and options.corpus:
        answer["budgets"] = [shown(budgets(options, folder)) for folder in options.corpus]
    if options.localised:
        for name, half in (("localisation", None), ("localisation, one half", "held-out")):
            rows = score.joined(options.localised, half)
            answer[name] = {"tasks": len(rows), "repositories": len({row["repo"] for row in rows}), "per cent": score.compared(rows)}
    if options.results:
        before = json.loads(options.results.read_text()) if options.results.exists() else {}
        # It was said of the run before.
        before.pop("note", None)
        options.results.write_text(json.dumps({**before, **answer}, indent=1) + "\n")


def shown(row):
    print(json.dumps(row), flush=True)
    return row


main()
