"""The scanners as a table: how each is found, called and understood.

Owns everything that differs between them. Measures nothing; how to install
them is told in ../peers.md.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from score import Finding, read_findings

HERE = Path(__file__).resolve().parent


def of_ours(said: str) -> Iterator[Finding]:
    for one in json.loads(said)["findings"]:
        yield Finding(one["path"], one["line"], one["end_line"])


def of_kingfisher(said: str) -> Iterator[Finding]:
    """One object a line; some of them are about the run."""
    for line in said.splitlines():
        one = json.loads(line).get("finding")
        if one:
            yield Finding(one["path"], one["line"], one["line"] + one["snippet"].count("\n"))


def of_ripsecrets(said: str) -> Iterator[Finding]:
    plain = re.sub(r"\x1b\[[\d;]*m", "", said)
    for found in re.finditer(r"^([^:\n]+):(\d+):", plain, re.MULTILINE):
        yield Finding(found[1], int(found[2]), int(found[2]))


def of_secretlint(said: str) -> Iterator[Finding]:
    for file in json.loads(said):
        for one in file["messages"]:
            spot = one["loc"]
            yield Finding(file["filePath"], spot["start"]["line"], spot["end"]["line"])


def of_detect_secrets(said: str) -> Iterator[Finding]:
    for path, some in json.loads(said)["results"].items():
        for one in some:
            yield Finding(path, one["line_number"], one["line_number"])


def of_lines(said: str) -> Iterator[Finding]:
    yield from read_findings(said.splitlines())


@dataclass(frozen=True)
class Scanner:
    """One way of calling one scanner.

    In the arguments `{target}` stands for what to scan, `{out}` for a file for
    the findings, without which they come on standard output, and `{rules}` for
    secretlint's settings.
    """

    key: str
    program: str
    install: str
    # Gives findings that `read` understands.
    listing: tuple[str, ...]
    read: Callable[[str], Iterator[Finding]]
    # As a user calls it; empty for what is only another listing.
    timed: tuple[str, ...] = ()
    # Exit statuses of a run that went well.
    well: frozenset[int] = frozenset({0, 1})
    # The real program, from the folder above that of a launcher in Python.
    native: str = ""
    # A program of ours that the Python beside the scanner runs.
    driver: str = ""
    environment: dict[str, str] = field(default_factory=dict)


OURS_READS_ALL = ("scan", "--no-config", "--no-ignore", "--no-default-ignore")


def ours(key: str, *arguments: str, timed: bool) -> Scanner:
    words = (*OURS_READS_ALL, *arguments)
    return Scanner(
        key=key,
        program="infiniloom",
        install="cargo build --release",
        listing=(*words, "--format", "json", "{target}"),
        timed=(*words, "{target}") if timed else (),
        read=of_ours,
    )


# It asks the provider whether a key is valid, looks for a newer version of
# itself and reports each secret once, unless told otherwise.
KINGFISHER = ("scan", "{target}", "--no-validate", "--no-update-check", "--no-dedup")


def kingfisher(key: str, *arguments: str, timed: bool) -> Scanner:
    words = (*KINGFISHER, *arguments, "--format", "jsonl", "--output", "{out}")
    return Scanner(
        key=key,
        program="kingfisher",
        install="pip install kingfisher-bin",
        listing=words,
        timed=words if timed else (),
        read=of_kingfisher,
        well=frozenset({0, 200}),
        native="lib/python*/site-packages/kingfisher/bin/kingfisher",
    )


OURS = (
    ours("infiniloom", timed=True),
    ours("infiniloom-1-thread", "--threads", "1", timed=True),
    ours("infiniloom-medium", "--confidence", "medium", timed=False),
    ours("infiniloom-low", "--confidence", "low", timed=False),
)

PEERS = (
    kingfisher("kingfisher", timed=True),
    kingfisher("kingfisher-low", "--confidence", "low", timed=False),
    Scanner(
        key="ripsecrets",
        program="ripsecrets",
        install="cargo install ripsecrets",
        listing=("{target}",),
        timed=("{target}",),
        read=of_ripsecrets,
    ),
    Scanner(
        key="secretlint",
        program="secretlint",
        install="npm install secretlint @secretlint/secretlint-rule-preset-recommend",
        listing=("--secretlintrc", "{rules}", "--format", "json", "{target}/**/*"),
        timed=("--secretlintrc", "{rules}", "{target}/**/*"),
        read=of_secretlint,
        # Its JSON has all texts in it: Node's usual heap may be too small.
        environment={"NODE_OPTIONS": "--max-old-space-size=4000"},
    ),
    Scanner(
        key="detect-secrets",
        program="detect-secrets",
        install="pip install detect-secrets",
        listing=("scan", "--all-files", "--no-verify", "{target}"),
        timed=("scan", "--all-files", "--no-verify", "{target}"),
        read=of_detect_secrets,
    ),
    Scanner(
        key="detect-secrets-every",
        program="detect-secrets",
        install="pip install detect-secrets",
        listing=("{target}",),
        read=of_lines,
        driver="every.py",
    ),
)

ALL = (*OURS, *PEERS)


@dataclass(frozen=True)
class Found:
    """A scanner that is there, under the name it has in the results."""

    name: str
    scanner: Scanner
    program: Path
    version: str

    def command(self, arguments: tuple[str, ...], target: str, folder: Path) -> list[str]:
        known = {
            "{target}": target,
            "{out}": str(folder / "findings"),
            "{rules}": str(folder / "secretlintrc.json"),
        }
        start = [str(self.program)]
        if self.scanner.driver:
            start = [str(self.program.parent / "python"), str(HERE / self.scanner.driver)]
        return start + [filled(word, known) for word in arguments]


def filled(word: str, known: dict[str, str]) -> str:
    for mark, value in known.items():
        word = word.replace(mark, value)
    return word


def look(scanner: Scanner, folder: Path | None) -> Found | None:
    """The folder of peers comes before PATH."""
    usual = ("{}", "bin/{}", "*/bin/{}", "node_modules/.bin/{}", "*/node_modules/.bin/{}")
    for place in usual if folder else ():
        for program in sorted(folder.glob(place.format(scanner.program))):
            if program.is_file() and os.access(program, os.X_OK):
                return found(scanner.key, scanner, program)
    there = shutil.which(scanner.program)
    return found(scanner.key, scanner, Path(there)) if there else None


def found(name: str, scanner: Scanner, program: Path) -> Found:
    # Not resolved: a link in a virtual environment says which one it is.
    program = program.absolute()
    native = sorted(program.parent.parent.glob(scanner.native)) if scanner.native else []
    program = native[0] if native else program
    return Found(name, scanner, program, version(program))


def version(program: Path) -> str:
    try:
        said = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    number = re.search(r"\d+\.\d+[\w.-]*", said.stdout + said.stderr)
    return number[0] if number else "unknown"
