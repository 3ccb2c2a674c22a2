"""How much memory `symbols` takes while it goes over a repository.

`symbols.py --ours PROGRAM DIR` reads the answer of `symbols --format json` as it comes and
prints the resident set after 1,000, 5,000, 10,000 … files: it must not grow with them.
"""

import argparse
import pathlib
import subprocess
import time

MARKS = [100, 1_000, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 50_000, 75_000]


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--ours", default="infiniloom", help="our command")
    options = parser.parse_args()
    command = [options.ours, "symbols", options.folder, "--private", "--no-config", "--format", "json"]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    files = most = 0
    for line in process.stdout:
        files += line.startswith(b'{"path"')
        if files in MARKS and line.startswith(b'{"path"'):
            here = resident(process)
            most = max(most, here)
            print(f"{files:7} files  {here:6.0f} MB  {time.monotonic() - start:6.1f} s", flush=True)
    process.wait()
    print(f"{files:7} files in all, {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
