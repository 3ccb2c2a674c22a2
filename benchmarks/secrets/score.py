"""Scores findings against the labels of CredData.

Owns the two readings of what a hit is and the arithmetic. Runs nothing, and
reads the labels only, never the texts that they are about.
"""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

# Labelled true, and yet names of things rather than secrets.
IDENTIFIERS = frozenset({"UUID", "Firebase Domain", "AWS S3 Bucket"})

# What a file is called in the labels, at the end of any longer path.
LABELLED_PATH = re.compile(r"(?:^|/)(data/([0-9a-f]{8})/.*)$")

UNLABELLED = "(no label)"


class Finding(NamedTuple):
    """Lines from 1, the last one included."""

    path: str
    first: int
    last: int


class Label(NamedTuple):
    """One row of CredData: what stands on these lines is, or is not, a secret."""

    path: str
    first: int
    last: int
    secret: bool
    categories: tuple[str, ...]

    def place(self) -> tuple[str, int, int]:
        return self.path, self.first, self.last

    def holds(self, line: int) -> bool:
        return self.first <= line <= self.last

    def is_identifier(self) -> bool:
        return self.secret and IDENTIFIERS.issuperset(self.categories)


@dataclass
class Counts:
    """How often right, how often wrong, and how much was missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def precision(self) -> float:
        return share(self.right, self.right + self.wrong)

    def recall(self) -> float:
        return share(self.right, self.right + self.missed)

    def f1(self) -> float:
        return share(2 * self.right, 2 * self.right + self.wrong + self.missed)


@dataclass
class Score:
    total: Counts = field(default_factory=Counts)
    categories: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    # Findings where CredData has no label at all: with `by_label` they count
    # nowhere, with `by_line` they are among the wrong ones.
    unlabelled: int = 0

    def add(self, what: str, categories: Iterable[str]) -> None:
        for counts in (self.total, *(self.categories[name] for name in categories)):
            setattr(counts, what, getattr(counts, what) + 1)


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def read_labels(meta: Path, ids: Iterable[str]) -> list[Label]:
    return [label for name in ids for label in read_rows(meta / f"{name}.csv")]


def read_rows(file: Path) -> list[Label]:
    with open(file, newline="") as text:
        return [
            Label(
                path=row["FilePath"],
                first=int(row["LineStart"]),
                last=int(row["LineEnd"]),
                secret=row["GroundTruth"] == "T",
                categories=tuple(row["Category"].split(":")),
            )
            for row in csv.DictReader(text)
        ]


def read_findings(lines: Iterable[str]) -> list[Finding]:
    """One JSON object a line, with `path`, `line` and, where it is another one,
    `line_end`."""
    rows = [json.loads(line) for line in lines if line.strip()]
    return [
        Finding(row["path"], row["line"], row.get("line_end") or row["line"]) for row in rows
    ]


def within(findings: Iterable[Finding], ids: Iterable[str]) -> list[Finding]:
    """Those in the repositories asked for, each once, with paths as the labels
    have them. Licences are left out, as CredData's own benchmark does."""
    wanted, kept = set(ids), set()
    for finding in findings:
        found = LABELLED_PATH.search(finding.path)
        if found and found[2] in wanted and not is_licence(found[1]):
            kept.add(finding._replace(path=found[1]))
    return sorted(kept)


def is_licence(path: str) -> bool:
    return "/LICENSE" in path.upper() or "/COPYING" in path.upper()


def by_label(labels: list[Label], findings: list[Finding], identifiers: bool = True) -> Score:
    """`cd`: the reading of CredData's published figures for tools of others.

    The first label, in the order of the file, that holds the line of a finding
    decides. Each place counts once. A line without a label is neither right nor
    wrong. Of several secrets on the same lines only the first can be found.
    """
    kept = [label for label in labels if identifiers or not label.is_identifier()]
    of_file, dropped = grouped(kept), grouped(set(labels) - set(kept))
    score, decided, won = Score(), set(), set()
    for finding in findings:
        label = first_holding(of_file[finding.path], finding.first)
        if label is None:
            known = first_holding(dropped[finding.path], finding.first)
            score.unlabelled += known is None
        elif label.place() not in decided:
            decided.add(label.place())
            score.add("right" if label.secret else "wrong", label.categories)
            won.add(id(label))
    for label in kept:
        if label.secret and id(label) not in won:
            score.add("missed", label.categories)
    return score


def grouped(labels: Iterable[Label]) -> defaultdict[str, list[Label]]:
    of_file = defaultdict(list)
    for label in labels:
        of_file[label.path].append(label)
    return of_file


def first_holding(labels: list[Label], line: int) -> Label | None:
    return next((label for label in labels if label.holds(line)), None)


def by_line(labels: list[Label], findings: list[Finding], identifiers: bool = True) -> Score:
    """`line`: what somebody who reads the findings sees.

    A place with a secret is found when a finding touches any of its lines. Every
    other line with a finding is wrong, whether CredData has a label for it or
    not. Each place and each line counts once.
    """
    secrets, places_at, other_at = defaultdict(list), defaultdict(set), defaultdict(set)
    for label in labels:
        if label.secret:
            secrets[label.place()].append(label)
        for line in range(label.first, label.last + 1):
            if label.secret:
                places_at[label.path, line].add(label.place())
            else:
                other_at[label.path, line].update(label.categories)
    score, found, wrong = Score(), set(), set()
    for finding in findings:
        lines = range(finding.first, finding.last + 1)
        touched = set().union(*(places_at.get((finding.path, line), ()) for line in lines))
        found |= touched
        if not touched:
            wrong.add((finding.path, finding.first))
    for place, some in secrets.items():
        if identifiers or not all(label.is_identifier() for label in some):
            names = {name for label in some for name in label.categories}
            score.add("right" if place in found else "missed", names)
    for line in wrong:
        score.add("wrong", other_at.get(line, {UNLABELLED}))
        score.unlabelled += line not in other_at
    return score


Reading = Callable[[list[Label], list[Finding], bool], Score]

READINGS: dict[str, Reading] = {"cd": by_label, "line": by_line}
