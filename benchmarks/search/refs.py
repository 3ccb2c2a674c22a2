#!/usr/bin/env python3
"""Compares `infiniloom refs` with a SCIP index of the same tree: precision and recall.

refs.py --ours PROGRAM --scip INDEX.scip [--each N] [--seed N] [--misses] TREE

N symbols that the index defines in the tree and uses at least twice are drawn; each is asked
for by the place of its definition. A reference is a pair of path and line. Figures are for the
places that are resolved, and for all of them. --misses tells which differ. SCIP files are
read by a small reader of their protobuf."""
import argparse
import collections
import json
import os
import random
import subprocess


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        elif kind == 5:
            value, at = data[at:at + 4], at + 4
        else:
            value, at = data[at:at + 8], at + 8
        yield key >> 3, value


def packed(data):
    numbers, at = [], 0
    while at < len(data):
        number, at = varint(data, at)
        numbers.append(number)
    return numbers


def occurrences(path):
    """(symbol, path, line, column, is_definition), lines and columns from 1."""
    for number, document in fields(open(path, "rb").read()):
        if number != 2:
            continue
        name, inside = "", []
        for number, value in fields(document):
            if number == 1:
                name = value.decode()
            elif number == 2:
                inside.append(value)
        for one in inside:
            spot, symbol, roles = [], "", 0
            for number, value in fields(one):
                if number == 1:
                    spot = packed(value) if isinstance(value, bytes) else spot + [value]
                elif number == 2:
                    symbol = value.decode()
                elif number == 3:
                    roles = value
            if spot and symbol and not symbol.startswith("local "):
                yield symbol, name, spot[0] + 1, spot[1] + 1, bool(roles & 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--scip", required=True)
    parser.add_argument("--each", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("tree")
    options = parser.parse_args()
    defined, used = {}, collections.defaultdict(set)
    for symbol, path, line, column, is_definition in occurrences(options.scip):
        if is_definition:
            defined.setdefault(symbol, (path, line, column))
        else:
            used[symbol].add((path, line))
    # Parameters and modules are no symbols of ours.
    wanted = [
        symbol for symbol in sorted(defined)
        if len(used[symbol] - {defined[symbol][:2]}) >= 2
        and not symbol.endswith((")", "/", ":")) and defined[symbol][1:] != (1, 1)
    ]
    random.Random(options.seed).shuffle(wanted)
    asked = unknown = theirs = 0
    counts = {"resolved": [0, 0], "all": [0, 0]}
    for symbol in wanted:
        if asked == options.each:
            break
        path, line, column = defined[symbol]
        run = subprocess.run(
            [options.ours, "refs", f"{path}:{line}:{column}", "--format", "json"],
            cwd=options.tree, capture_output=True, text=True,
        )
        answer = json.loads(run.stdout) if run.stdout else {"definitions": []}
        first = answer["definitions"][:1]
        if not first or (first[0]["path"], first[0]["line"]) != (path, line):
            unknown += 1
            continue
        asked += 1
        expected = used[symbol] - {(path, line)}
        theirs += len(expected)
        found = {"resolved": set(), "all": set()}
        for one in answer["references"]:
            place = (one["path"], one["line"])
            found["all"].add(place)
            if one["certainty"] == "resolved":
                found["resolved"].add(place)
        for kind, places in found.items():
            places -= {(path, line)}
            counts[kind][0] += len(places & expected)
            counts[kind][1] += len(places)
        if options.misses:
            tell(symbol, found, expected)
    print(f"{os.path.basename(os.path.abspath(options.tree))}: {asked} symbols, {theirs} references, "
          f"{unknown} definitions that ours does not list")
    for kind, (right, ours) in counts.items():
        precision, recall = 100 * right / max(ours, 1), 100 * right / max(theirs, 1)
        print(f"  {kind}: {ours} places, precision {precision:.1f} %, recall {recall:.1f} %")


def tell(symbol, found, expected):
    for what, places in (
        ("wrong", found["resolved"] - expected), ("lost", expected - found["all"]),
        ("unsure", (expected & found["all"]) - found["resolved"]),
    ):
        if places:
            print(f"{what} {len(places)}", symbol, sorted(places)[:4])


if __name__ == "__main__":
    main()
