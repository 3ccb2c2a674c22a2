"""Imports checked by another method: `run.py --ours PROGRAM ORACLE=DIR...`.

An oracle is `python`, `typescript`, `go`, `jvm` or `rust`. Of the imports that it finds to
point inside the repository a random sample is drawn, and our files are compared with its
own. Unresolved ones of ours are counted by reason, for the sample and for all imports.
"""

import argparse
import collections
import json
import random
import subprocess

import oracles


def ours(program, folder):
    command = [program, "symbols", folder, "--imports", "--generated", "--no-default-ignore", "--no-config", "--format", "json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return [(file, one) for file in answer["files"] for one in file.get("imports", ())]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", nargs="+", metavar="ORACLE=DIR")
    parser.add_argument("--ours", default="infiniloom", help="our command")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="how many differences to show")
    options = parser.parse_args()
    for place in options.places:
        name, folder = place.split("=", 1)
        oracle = oracles.ORACLES[name](folder)
        found = [pair for pair in ours(options.ours, folder) if pair[0].get("language") in oracle.languages]
        reasons = collections.Counter(one.get("unresolved") or "resolved" for _, one in found)
        print(f"## {folder}: {len(found)} imports, {dict(reasons)}")
        check(oracle, found, options)


def check(oracle, found, options):
    random.seed(options.seed)
    random.shuffle(found)
    # Oracles that ask a program want many questions at once.
    oracle.prepare(found[: options.count * 20])
    asked = right = 0
    wrong = []
    for file, one in found:
        expected = oracle.files(file, one)
        if not expected:
            continue
        asked += 1
        if set(one["files"]) == expected:
            right += 1
        else:
            wrong.append((file["path"], one, expected))
        if asked == options.count:
            break
    reasons = collections.Counter(one.get("unresolved") or "other files" for _, one, _ in wrong)
    print(f"  {right} of {asked} to the right files, {100 * right / max(asked, 1):.1f} %; wrong: {dict(reasons)}")
    for path, one, expected in wrong[: options.show]:
        print(f"    {path}:{one['line']} {one['module']} {one.get('names', [])}: {one.get('unresolved') or one['files'][:3]}, expected {sorted(expected)[:3]}")


if __name__ == "__main__":
    main()
