"""Maps of repositories, ours and those of others: how long they take and what they hold.

run.py --corpus DIR... --ours PROGRAM [--aider PYTHON] [--older PYTHON] [--runs N] [--results FILE]

Cold is a process of its own without anything kept: Aider's cache of tags is deleted, we
have none. Warm for Aider is the second run, which finds its cache. Budgets from 200 to
50,000 tokens are asked of us in every format, counted again by `infiniloom tokens`: none
may be over, and a map that left something out must use 95 %. `localise.py` and `score.py`
measure what maps are good for."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
BUDGETS = (200, 500, 1000, 2000, 4000, 8000, 20000, 50000)


def timed(command, **more):
    start = time.perf_counter()
    done = subprocess.run([str(part) for part in command], capture_output=True, **more)
    seconds = time.perf_counter() - start
    if done.returncode:
        print(" ".join(map(str, command)), done.stderr.decode(errors="replace")[-400:], file=sys.stderr)
        return None, None
    return seconds, done.stdout.decode(errors="replace")


def least(runs, command, before=lambda: None):
    found = []
    for _ in range(runs):
        before()
        seconds, out = timed(command)
        if seconds is None:
            return None, None
        found.append(seconds)
    return min(found), out


def times(options, folder):
    row = {"corpus": folder.name}
    row["ours cold"], text = least(options.runs, [options.ours, "map", folder, "--budget", "2k", "-q"])
    row["files"] = text.split('files="')[1].split('"')[0] if text else None
    if options.aider:
        def forget():
            for cache in folder.glob(".aider*"):
                shutil.rmtree(cache, ignore_errors=True)
        command = [options.aider, HERE / "aider_map.py", folder, "--budgets", "2000"]
        row["Aider cold"], _ = least(1, command, forget)
        row["Aider warm"], _ = least(1, command)
        forget()
    if options.older:
        row["older"], out = least(1, [options.older, HERE / "older_map.py", folder, "2000"])
        if out:
            found = json.loads(out)
            row["older first"] = ", ".join(found["symbols"][:10])
            row["older tokens for 2000"] = tokens(options.ours, found["text"])
    row["ctags"], _ = least(1, [sys.executable, HERE / "ctags_map.py", folder, "--ours", options.ours, "--budgets", "2000"])
    return row


def tokens(program, text):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as handle:
        handle.write(text)
        handle.flush()
        _, out = timed([program, "tokens", handle.name, "--format", "json"])
    return json.loads(out)["total_tokens"] if out else None


def budgets(options, folder):
    """What is wrong with maps of any size, and the least that one uses."""
    wrong, used = [], []
    for form in ("xml", "markdown", "json", "plain"):
        for budget in BUDGETS:
            _, text = timed([options.ours, "map", folder, "--budget", str(budget), "--format", form, "-q"])
            if text is None:
                wrong.append(f"{form} {budget}: refused")
                continue
            took = tokens(options.ours, text)
            if took > budget:
                wrong.append(f"{form} {budget}: {took}")
            used.append((took / budget, form, budget))
    return wrong, sorted(used)[:4]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--aider")
    parser.add_argument("--older")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--only", choices=["times", "budgets"])
    options = parser.parse_args()
    rows = []
    for folder in options.corpus:
        row = {"corpus": folder.name}
        if options.only != "budgets":
            row = times(options, folder)
        if options.only != "times":
            row["wrong budgets"], row["least used"] = budgets(options, folder)
        rows.append(row)
        print(json.dumps(row), flush=True)
    if options.results:
        options.results.write_text(json.dumps(rows, indent=1) + "\n")


main()
