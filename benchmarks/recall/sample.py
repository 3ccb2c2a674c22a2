"""A random sample of our symbols beside their source lines, to be judged by a reader.

`sample.py --ours PROGRAM [--count 300] [--seed 1] DIR...` draws the same number of each
language and prints for each symbol its kind, qualified name, visibility, lines and
complexity, then the lines of its name and of its end.
"""

import argparse
import collections
import pathlib
import random

import ours


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--ours", default="infiniloom", help="our command")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = collections.defaultdict(list)
    for folder in options.folders:
        root, files = ours.symbols(options.ours, folder)
        for path, file in files.items():
            found[file["language"]].extend((root, path, symbol) for symbol in file["symbols"])
    random.seed(options.seed)
    each = -(-options.count // len(found))
    drawn = [one for language in sorted(found) for one in random.sample(found[language], min(each, len(found[language])))]
    for number, (folder, path, symbol) in enumerate(drawn[: options.count], 1):
        show(number, folder, path, symbol)


def show(number, folder, path, symbol):
    lines = pathlib.Path(folder, path).read_bytes().decode("utf-8", "replace").split("\n")
    said = f"{symbol['kind']} {symbol['qualified_name']} {symbol['visibility']} {symbol['start_line']}-{symbol['end_line']}"
    extra = "".join(f" {key}={symbol[key]}" for key in ("complexity", "test") if symbol.get(key))
    print(f"{number:3} {pathlib.Path(path).suffix} {said}{extra}")
    print(f"      {symbol['line']}: {lines[symbol['line'] - 1].strip()[:110]}")
    if symbol["end_line"] > symbol["line"]:
        print(f"      {symbol['end_line']}: {lines[symbol['end_line'] - 1].strip()[:60]}")


if __name__ == "__main__":
    main()
