"""What an index costs and saves: `run.py --ours PROGRAM [--repomix PROGRAM] REPOSITORY...`.

Each repository is cloned into a scratch folder; nothing is written into the given one.
Measured are: from nothing, without a change, after one edit, after a switch to a branch
where one file in twenty differs and back, in a second clone; `git status` runs in turns
with the run without a change; `pack`, `symbols` and `tokens` with and without what is
remembered; repomix twice, where it is given: the second time with its own cache of token
counts. Times are the least of `--runs` rounds, by the clock and of processors: the second
holds on a busy machine too.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import tempfile
import time

#: A file is old enough for its times to be trusted.
SETTLED = 2.2


def timed(command, folder=None, environment=None):
    """Seconds by the clock and of processors, the most memory in MB, and the output."""
    with tempfile.TemporaryFile() as out:
        started = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"{command}: exit {child.returncode}")
        out.seek(0)
        # A parent that holds much makes every child look large.
        text = out.read() if os.fstat(out.fileno()).st_size < 1 << 20 else b""
    cpu = usage.ru_utime + usage.ru_stime
    row = {"seconds": round(seconds, 4), "cpu_seconds": round(cpu, 4), "megabytes": round(usage.ru_maxrss / 1024, 1)}
    return row, text


def least(rows):
    return {key: min(row[key] for row in rows) for key in ("seconds", "cpu_seconds")} | {
        "megabytes": max(row["megabytes"] for row in rows)
    }


def git(folder, *words):
    name = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
    subprocess.run(["git", *name, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def bytes_in(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Tree:
    def __init__(self, arguments, repository, scratch):
        self.program, self.runs = arguments.ours, arguments.runs
        self.repository, self.scratch = repository, scratch
        self.work, self.cache = scratch / "work", scratch / "cache"
        git(scratch, "clone", "-q", "--shared", str(repository.resolve()), str(self.work))

    def plain(self, command, *words):
        return [self.program, command, str(self.work), "--no-config", "-q", "--cache-dir", str(self.cache), *words]

    def index(self, folder=None):
        command = self.plain("index", "--format", "json")
        if folder:
            command[2] = str(folder)
        row, text = timed(command)
        told = json.loads(text)
        kept = ("files", "bytes", "tokens", "added", "changed", "removed", "derived")
        return row | {key: told[key] for key in kept}

    def measure(self):
        time.sleep(SETTLED)
        found = {"from nothing": self.index()}
        found["size"] = {
            "source_bytes": found["from nothing"]["bytes"],
            "store_bytes": sum(path.stat().st_size for path in self.cache.glob("store-*")),
            "all_bytes": bytes_in(self.cache),
        }
        rows = {"no change": [], "git status": [], "status only": []}
        for _ in range(self.runs):
            rows["no change"].append(self.index())
            rows["git status"].append(timed(["git", "status", "--porcelain"], self.work)[0])
            rows["status only"].append(timed(self.plain("index", "--status"))[0])
        found |= {name: least(of) for name, of in rows.items()}
        found["one edit"] = self.edit()
        found["branch"] = self.branch()
        second = self.scratch / "second"
        git(self.scratch, "clone", "-q", "--shared", str(self.work), str(second))
        time.sleep(SETTLED)
        found["second clone"] = self.index(second)
        found["commands"] = {name: self.command(name) for name in ("pack", "symbols", "tokens")}
        return found

    def edit(self):
        file = next(path for path in sorted(self.work.rglob("*")) if path.suffix in (".go", ".py", ".rs", ".c"))
        rows = []
        for turn in range(self.runs):
            with open(file, "a") as handle:
                handle.write(f"\n// {turn}\n")
            rows.append(self.index())
        git(self.work, "checkout", "-q", "--", ".")
        self.index()
        return least(rows) | {"derived": max(row["derived"] for row in rows)}

    def branch(self):
        git(self.work, "checkout", "-q", "-b", "twentieth")
        suffixes = (".go", ".py", ".rs", ".c", ".js", ".md")
        files = [path for path in sorted(self.work.rglob("*")) if path.suffix in suffixes and path.is_file()]
        for path in files[::20]:
            with open(path, "a") as handle:
                handle.write("\n// changed\n")
        git(self.work, "commit", "-q", "-a", "-m", "one in twenty")
        there = self.index()
        git(self.work, "checkout", "-q", "-")
        back = self.index()
        return {"files": len(files[::20]), "there": there, "back": back}

    def command(self, name):
        rows = {"cold": [], "warm": []}
        for _ in range(self.runs):
            rows["cold"].append(timed([*self.plain(name), "--no-cache"])[0])
            rows["warm"].append(timed(self.plain(name))[0])
        found = {key: least(of) for key, of in rows.items()}
        found["times"] = round(found["cold"]["seconds"] / found["warm"]["seconds"], 2)
        return found


def repomix(program, work, scratch, runs):
    """As often as ours, each time with an empty cache of its own."""
    rows = {"first": [], "second": []}
    command = [program, str(work), "--quiet", "-o", str(scratch / "repomix.xml")]
    for turn in range(runs):
        home = scratch / f"repomix-{turn}"
        home.mkdir()
        own = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "TMPDIR": str(home)}
        for name, of in rows.items():
            of.append(timed(command, environment=own)[0])
    return {name: least(of) for name, of in rows.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--repomix")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("repositories", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    version = subprocess.run([arguments.ours, "--version"], capture_output=True, text=True).stdout.strip()
    session = {"day": time.strftime("%Y-%m-%d"), "version": version, "cores": os.cpu_count(), "system": platform.platform()}
    trees = {}
    for repository in arguments.repositories:
        scratch = pathlib.Path(tempfile.mkdtemp())
        try:
            tree = Tree(arguments, repository, scratch)
            trees[repository.name] = {"name": repository.name, **tree.measure()}
            if arguments.repomix:
                trees[repository.name]["repomix"] = repomix(arguments.repomix, tree.work, scratch, arguments.runs)
        finally:
            shutil.rmtree(scratch)
        ratio = trees[repository.name]["no change"]["seconds"] / trees[repository.name]["git status"]["seconds"]
        trees[repository.name]["no change, times git status"] = round(ratio, 2)
        print(repository.name, json.dumps(trees[repository.name], indent=1), flush=True)
    if arguments.results:
        arguments.results.write_text(json.dumps({**session, "trees": list(trees.values())}, indent=1) + "\n")


if __name__ == "__main__":
    main()
