"""One run of one scanner, with a home of its own.

Owns where scanners may write and what a failed run is. Compares nothing.
"""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "pack"))

import measure
from scanners import Found
from score import Finding

SECRETLINT_RULES = {"rules": [{"id": "@secretlint/secretlint-rule-preset-recommend"}]}


class Failed(Exception):
    """A run that gives no figure, and why."""


@dataclass(frozen=True)
class Bench:
    """Where a session works, and how long a run may take."""

    scratch: Path
    limit: float

    def time(self, found: Found, target: str, folder: Path) -> measure.Run:
        """A run as users start it; its findings are thrown away."""
        return self.run(found, found.scanner.timed, target, folder)

    def findings(self, found: Found, target: str, folder: Path) -> list[Finding]:
        self.run(found, found.scanner.listing, target, folder)
        place = self.place(found.name)
        asked_for = "{out}" in found.scanner.listing
        file = place / ("findings" if asked_for else "stdout")
        # Without a finding some write no file.
        said = file.read_text(errors="replace") if file.exists() else ""
        return list(found.scanner.read(said))

    def run(
        self, found: Found, arguments: tuple[str, ...], target: str, folder: Path
    ) -> measure.Run:
        place = self.place(found.name)
        (place / "secretlintrc.json").write_text(json.dumps(SECRETLINT_RULES))
        (place / "findings").unlink(missing_ok=True)
        command = found.command(arguments, target, place)
        scanner = found.scanner
        return self.command(found.name, command, folder, scanner.well, scanner.environment)

    def command(
        self,
        name: str,
        command: list[str],
        folder: Path,
        well: frozenset[int] = frozenset({0}),
        variables: dict[str, str] | None = None,
    ) -> measure.Run:
        place = self.place(name)
        job = measure.Job(
            command=command,
            folder=folder,
            environment=self.environment(place) | (variables or {}),
            stdout=place / "stdout",
            stderr=place / "stderr",
            limit=self.limit,
        )
        run = measure.run(job)
        if run.stopped:
            raise Failed(f"stopped at {self.limit:g} s")
        if run.status not in well:
            said = (place / "stderr").read_text(errors="replace")
            raise Failed(f"exit status {run.status}: {last_line(said)}")
        return run

    def place(self, name: str) -> Path:
        place = self.scratch / name
        for part in ("home", "tmp"):
            (place / part).mkdir(parents=True, exist_ok=True)
        # Trees often belong to somebody else than who measures.
        (place / "home/.gitconfig").write_text("[safe]\n\tdirectory = *\n")
        return place

    def environment(self, place: Path) -> dict[str, str]:
        home = place / "home"
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home),
            "TMPDIR": str(place / "tmp"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
        }


def last_line(said: str) -> str:
    """The last thing said, without this machine's paths."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else "no message"
    return re.sub(r"(?<!\w)(/[\w.@+-]+){2,}/?", "PATH", last)[:200]


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
