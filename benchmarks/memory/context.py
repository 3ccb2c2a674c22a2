#!/usr/bin/env python3
"""How much anonymous memory cold commands take, with several limits.

    python3 benchmarks/memory/context.py --ours PROGRAM DIR --results FILE

Samples `RssAnon` of the process every 10 ms (Linux). `-j 16` uses 16 threads on a machine
with at least 4 cores: the command starts at most 4 threads for each core. The bound is the
limit plus 150 MB.
The exit status is 1 if a run exceeds it.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import run_facts  # noqa: E402

QUERY = "how does the client retry a request"
BESIDE = 150_000_000
# The arguments of each command; `index` has nothing to do without a cache.
COMMANDS = {
    "context": ["--no-cache", QUERY],
    "map": ["--no-cache"],
    "pack": ["--no-cache"],
    "search": ["--no-cache", "retry"],
    "symbols": ["--no-cache"],
    "chunk": ["--no-cache"],
    "index": [],
}


def peak(command: list[str]) -> tuple[int, float]:
    """The most anonymous memory of `command` in bytes, and its seconds."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    status = pathlib.Path(f"/proc/{process.pid}/status")
    most = 0
    while process.poll() is None:
        try:
            lines = status.read_text().splitlines()
        except OSError:
            break
        for line in lines:
            if line.startswith("RssAnon"):
                most = max(most, int(line.split()[1]) * 1024)
        time.sleep(0.01)
    if process.wait() not in (0, 1):
        sys.exit(f"{' '.join(command)} failed")
    return most, time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--ours", default="target/release/infiniloom", help="our command")
    parser.add_argument("--limits", default="256,1024", help="values of --max-memory, in MB")
    parser.add_argument("--commands", default="context,map", help=", ".join(COMMANDS))
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    run, rows, faults = run_facts.facts(options.ours), [], 0
    for limit in map(int, options.limits.split(",")):
        for name in options.commands.split(","):
            command = [options.ours, name, "--max-memory", f"{limit}mb", "-j", "16", *COMMANDS[name]]
            with tempfile.TemporaryDirectory() as cache:
                command += ["--cache-dir", cache] if name == "index" else []
                most, seconds = peak([*command, str(options.directory)])
            faults += most > limit * 1_000_000 + BESIDE
            rows.append({"command": name, "limit_mb": limit, "anonymous_mb": most // 1_000_000, "seconds": round(seconds, 1)})
            print(f"{name:8} --max-memory {limit:5} MB: {most / 1e6:6.0f} MB, {seconds:6.1f} s", flush=True)
    if options.results:
        files = [path for path in options.directory.rglob("*") if path.is_file() and not path.is_symlink()]
        size = sum(path.stat().st_size for path in files) // 1_000_000
        result = {"files": len(files), "mb": size, "rows": rows, "run": run}
        options.results.write_text(json.dumps(result, indent=1) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
