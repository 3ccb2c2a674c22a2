"""What redaction does to code that has few secrets: scans widely used packages.

Downloads the packages of `packages/*.txt` with cargo, pip and npm, prints findings
per million lines by kind, draws findings to be judged by a person, and compares the
packed text of every file without a finding with the file.

    python3 damage.py --binary infiniloom --dir ~/packages [--seed 1] [--draw 200]
    python3 damage.py --binary infiniloom --dir ~/unseen --suffix=-unseen
    python3 damage.py --binary infiniloom --dir ~/mine --lists my/lists

`--results FILE` adds the counts of the list to FILE. A person who has judged the drawn
findings adds them with `--judged TRUE/ALL` and says in `--note` what the others were.
"""

import argparse
import collections
import datetime
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

LISTS = Path(__file__).parent / "packages"

BOM = b"\xef\xbb\xbf"

# Left as they are in every pack.
OPTIONS = ["--no-config", "--no-ignore", "--no-default-ignore"]


class Lists:
    """Where the lists of packages are, and how their names end: `rust-unseen.txt`."""

    def __init__(self, folder: Path, suffix: str) -> None:
        self.folder, self.suffix = folder, suffix

    def read(self, name: str) -> list[tuple[str, str]]:
        lines = (self.folder / f"{name}{self.suffix}.txt").read_text().split("\n")
        return [tuple(line.split()) for line in lines if line]


def beside(target: Path) -> Path:
    """An empty folder beside `target`, renamed when it is complete: what was interrupted is
    never taken for the whole."""
    part = target.with_name(target.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    return part


def rust(folder: Path, lists: Lists) -> None:
    """All versions come from one lock file, so cargo can resolve them together."""
    target, project = folder / "rust", folder / "project"
    if target.is_dir():
        return
    (project / "src").mkdir(parents=True, exist_ok=True)
    (project / "src" / "lib.rs").write_text("")
    packages = lists.read("rust")
    lines = [f'{name} = {{ version = "={version}", default-features = false }}' for name, version in packages]
    head = '[package]\nname = "damage"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
    (project / "Cargo.toml").write_text(head + "\n".join(lines) + "\n")
    vendor = folder / "vendor"
    run(["cargo", "vendor", "--quiet", "--versioned-dirs", str(vendor)], project)
    part = beside(target)
    for name, version in packages:
        shutil.copytree(vendor / f"{name}-{version}", part / f"{name}-{version}", symlinks=True)
    part.rename(target)


def python(folder: Path, lists: Lists) -> None:
    target, wheels = folder / "python", folder / "wheels"
    if target.is_dir():
        return
    for name, version in lists.read("python"):
        only = ["--no-deps", "--only-binary", ":all:", "--dest", str(wheels)]
        run([sys.executable, "-m", "pip", "download", "--quiet", *only, f"{name}=={version}"], folder)
    part = beside(target)
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(part / "-".join(wheel.name.split("-")[:2]))
    part.rename(target)


def npm(folder: Path, lists: Lists) -> None:
    target, archives = folder / "npm", folder / "archives"
    if target.is_dir():
        return
    archives.mkdir(parents=True, exist_ok=True)
    for name, version in lists.read("npm"):
        run(["npm", "pack", "--silent", "--ignore-scripts", f"{name}@{version}"], archives)
    part = beside(target)
    for file in sorted(archives.iterdir()):
        with tarfile.open(file) as archive:
            archive.extractall(part / file.name.removesuffix(".tgz"), filter="data")
    part.rename(target)


def run(command: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def scan(binary: str, folder: Path) -> list[dict]:
    command = [binary, "scan", *OPTIONS, "--format", "json", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return json.loads(done.stdout)["findings"]


def lines_in(folder: Path) -> int:
    files = (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    texts = (file.read_bytes() for file in files)
    return sum(text.count(b"\n") for text in texts if b"\0" not in text[:8000])


def table(name: str, findings: list[dict], lines: int) -> None:
    million = lines / 1e6
    print(f"{name}: {lines:,} lines, {len(findings):,} findings, {len(findings) / million:.1f} per million lines")
    for kind, count in collections.Counter(one["kind"] for one in findings).most_common():
        print(f"  {kind}: {count} ({count / million:.2f})")


def draw(folder: Path, findings: list[dict], count: int, seed: int) -> None:
    """One line for each drawn finding, for a person to judge."""
    order = sorted(findings, key=lambda one: (one["path"], one["line"], one["column"]))
    for one in random.Random(seed).sample(order, min(count, len(order))):
        text = (folder / one["path"]).read_bytes().decode("utf-8", "replace")
        line = text.split("\n")[one["line"] - 1]
        start = max(0, one["column"] - 60)
        print(f'{one["kind"]}\t{one["path"]}:{one["line"]}\t{line[start:start + 140].strip()}')


def unchanged(binary: str, folder: Path, findings: list[dict]) -> tuple[int, list[str]]:
    """How many files without findings the packs hold, and which of them differ."""
    found = {one["path"] for one in findings}
    same, different = 0, []
    for package in sorted(folder.iterdir()):
        command = [binary, "pack", *OPTIONS, "--format", "json", str(package)]
        done = subprocess.run(command, capture_output=True, text=True)
        for file in json.loads(done.stdout)["files"]:
            path = f'{package.name}/{file["path"]}'
            if path in found or "content" not in file:
                continue
            # A path that was redacted names no file.
            if not (folder / path).is_file():
                different.append(path)
                continue
            raw = (folder / path).read_bytes().removeprefix(BOM)
            if not is_utf8(raw):
                continue
            if file["content"].encode() == raw:
                same += 1
            else:
                different.append(path)
    return same, different


def is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def run_facts(binary: str) -> dict:
    """The command, the date, the machine and the build, as in other results."""
    version = subprocess.run([binary, "--version"], capture_output=True, text=True).stdout.strip()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=LISTS)
    machine = {"cores": os.cpu_count(), "system": f"{platform.system().lower()} {platform.machine()}"}
    return {
        "command": "python3 benchmarks/secrets/damage.py " + " ".join(sys.argv[1:]),
        "date": datetime.date.today().isoformat(),
        "build": {"version": version, "commit": commit.stdout.strip()},
        "machine": machine,
    }


def write_results(options: argparse.Namespace, findings: list[dict], lines: int) -> None:
    """Replaces the entry of the list in the file; other lists stay."""
    file = options.results
    results = json.loads(file.read_text()) if file.is_file() else {}
    kinds = collections.Counter(one["kind"] for one in findings)
    lists = Lists(options.lists, options.suffix)
    counts = [f"{len(lists.read(key))} {name}" for key, name in (("rust", "Rust"), ("python", "Python"), ("npm", "npm"))]
    entry = {
        "packages": ", ".join(counts),
        "lines": lines,
        "findings": len(findings),
        "per_million_lines": round(len(findings) / lines * 1e6, 1),
        "kinds": dict(kinds.most_common()),
        "seed": options.seed,
        "run": run_facts(options.binary),
    }
    if options.judged:
        credentials, judged = map(int, options.judged.split("/"))
        entry |= {"judged": judged, "credentials": credentials}
    if options.note:
        entry["note"] = options.note
    results.setdefault("lists", {})[options.suffix.lstrip("-") or "first"] = entry
    file.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default="infiniloom")
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--lists", type=Path, default=LISTS, help="folder with the lists of packages")
    parser.add_argument("--suffix", default="", help="how the names of the lists end, such as -unseen")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draw", type=int, default=200)
    parser.add_argument("--no-packs", action="store_true", help="do not compare packed texts")
    parser.add_argument("--results", type=Path, help="file that takes the counts of this list")
    parser.add_argument("--judged", help="credentials among the drawn findings, such as 187/200")
    parser.add_argument("--note", help="what the drawn findings were that are no credentials")
    options = parser.parse_args()
    folder, sources = options.dir, options.dir / "sources"
    for download in (rust, python, npm):
        download(sources, Lists(options.lists, options.suffix))
    everything, total = [], 0
    for name in ("rust", "python", "npm"):
        findings, lines = scan(options.binary, sources / name), lines_in(sources / name)
        table(name, findings, lines)
        everything += [one | {"path": f'{name}/{one["path"]}'} for one in findings]
        total += lines
        if not options.no_packs:
            same, different = unchanged(options.binary, sources / name, findings)
            print(f"  packed texts of files without findings: {same:,} the same, {len(different)} different")
            for path in different[:20]:
                print(f"    {path}")
    table("all", everything, total)
    draw(sources, everything, options.draw, options.seed)
    if options.results:
        write_results(options, everything, total)


if __name__ == "__main__":
    main()
