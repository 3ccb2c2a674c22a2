"""What each format of a pack costs in tokens, beside the contents alone.

run.py --ours PROGRAM --corpus DIR... [--results FILE]

The contents are the total of `infiniloom tokens`: the redacted texts without header or tree.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

FORMATS = ("compact", "plain", "markdown", "xml", "yaml", "json")


def told(command, folder):
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def measure(program, folder):
    counted = json.loads(told([program, "tokens", "--no-config", "--no-cache", "--format", "json"], folder))
    contents = counted["total_tokens"]
    row = {"tree": folder.name, "files": len(counted["files"]), "contents": contents, "formats": {}}
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        for name in FORMATS:
            out = pathlib.Path(scratch) / name
            told([program, "pack", "--no-config", "--no-cache", "-q", "-f", name, "-o", out, "--report", report], folder)
            tokens = json.loads(report.read_text())["output"]["tokens"]
            row["formats"][name] = {"tokens": tokens, "over": round(100 * (tokens / contents - 1), 2)}
            out.unlink()
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--corpus", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    program = pathlib.Path(options.ours).resolve()
    trees = [measure(program, folder.resolve()) for folder in options.corpus]
    print(json.dumps(trees, indent=1))
    if options.results:
        options.results.write_text(json.dumps({"trees": trees}, indent=1) + "\n")


if __name__ == "__main__":
    main()
