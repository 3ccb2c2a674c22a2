"""How fast files are cut, beside floors and other libraries: `run.py --ours PROGRAM
--vocabulary FILE DIR...`.

The floors are `cat` of the same files and our own `tokens`, which reads and counts and does
not cut. Peers run where `--python` has them; all on the same files with the same limit,
in turns, the least time of `--runs` rounds, by the clock and of processors: the second
holds on a busy machine too. FILE is o200k_base.tiktoken.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import tempfile
import time

from corpus import by_file, cut, functions, ours, own, session, versions
from peers import PEERS

STRATEGIES = ["semantic", "fixed", "symbol"]


def timed(command):
    """Seconds of a command whose output nobody reads: by the clock, and of processors."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands(program, root, limit, listed):
    """What is timed: name -> command."""
    plain = ["--no-config", "-q"]
    found = {
        "cat": ["xargs", "-0", "-a", str(listed), "cat"],
        "infiniloom tokens": [program, "tokens", str(root), "--no-config"],
    }
    for strategy in STRATEGIES:
        command = [program, "chunk", str(root), *plain, "--strategy", strategy, "--tokens", str(limit)]
        found[f"infiniloom {strategy}"] = command
        found[f"infiniloom {strategy}, 1 thread"] = [*command, "--threads", "1"]
    return found


def peer(python, name, limit, vocabulary, listed):
    command = [python, pathlib.Path(__file__).with_name("peers.py"), name, str(limit), vocabulary, listed]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1:]}
    return json.loads(done.stdout)


def least(best, row):
    """Joins two runs of a peer: the least of each time, as for ours; a failure stays one."""
    if best is None or "failed" in row:
        return row
    return {**row, **{name: min(best[name], row[name]) for name in ("seconds", "cpu_seconds")}}


def measure(arguments, root):
    limit, program = arguments.limit, arguments.ours
    chunks = {strategy: dict(by_file(ours(program, root, strategy, limit))) for strategy in STRATEGIES}
    paths = list(chunks["semantic"])
    size = sum((root / path).stat().st_size for path in paths)
    tokens = sum(chunk["tokens"] for file in chunks["fixed"].values() for chunk in file)
    known = functions(program, root)
    spans = {path: known.get(path, []) for path in paths}
    rows = {}
    with tempfile.TemporaryDirectory() as scratch:
        zeros = pathlib.Path(scratch) / "zeros"
        zeros.write_bytes(b"".join(bytes(root / path) + b"\0" for path in paths))
        listed = pathlib.Path(scratch) / "listed"
        listed.write_text(json.dumps([str(root / path) for path in paths]))
        others = {}
        for _ in range(arguments.runs):
            for name, command in commands(program, root, limit, zeros).items():
                row = rows.setdefault(name, {"seconds": float("inf"), "cpu_seconds": float("inf")})
                seconds, cpu = timed(command)
                row["seconds"] = min(row["seconds"], seconds)
                row["cpu_seconds"] = min(row["cpu_seconds"], cpu)
            # In the same round: a busy minute meets peers and ours.
            for name in PEERS if arguments.python else ():
                if "failed" not in others.get(name, {}):
                    row = peer(arguments.python, name, limit, arguments.vocabulary, listed)
                    others[name] = least(others.get(name), row)
        for strategy in STRATEGIES:
            files = chunks[strategy]
            ends = {path: [own(chunk)[1] for chunk in file] for path, file in files.items()}
            found = {
                "chunks": sum(map(len, files.values())),
                "functions_cut": sum(cut(spans[path], ends[path]) for path in paths),
            }
            rows[f"infiniloom {strategy}"].update(found)
        for name, row in others.items():
            ends = row.pop("ends", None)
            if ends:
                row["functions_cut"] = sum(cut(spans[path], ends[str(root / path)]) for path in paths)
            rows[name] = row
    for row in rows.values():
        if "seconds" in row:
            row["mb_per_second"] = round(size / row["seconds"] / 1e6, 2)
            row["mb_per_cpu_second"] = round(size / row["cpu_seconds"] / 1e6, 2)
            row["cpu_times_tokens"] = round(row["cpu_seconds"] / rows["infiniloom tokens"]["cpu_seconds"], 2)
            row["seconds"] = round(row["seconds"], 4)
            row["cpu_seconds"] = round(row["cpu_seconds"], 4)
    functions_found = sum(map(len, spans.values()))
    return {"tree": root.name, "limit": limit, "files": len(paths), "bytes": size, "tokens": tokens, "functions": functions_found, "rows": [{"name": name, **row} for name, row in rows.items()]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--python", help="a Python that has tiktoken and the peers")
    parser.add_argument("--limit", type=int, default=8000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    found = []
    for root in arguments.folders:
        found.append(measure(arguments, root))
        print(json.dumps(found[-1], indent=1), flush=True)
    if arguments.results:
        told = session(arguments.ours, arguments.folders)
        if arguments.python:
            told["peers"] = versions(arguments.python, ["tiktoken", "semchunk", "semantic-text-splitter", "chonkie"])
        arguments.results.write_text(json.dumps({**told, "trees": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
