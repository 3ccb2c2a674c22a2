"""How good: precision, recall and F1 on CredData, and kingfisher's examples.

Owns which findings are scored. Prints nothing of what was found.
"""

import os
from pathlib import Path

import creddata
import examples
import score
from bench import Bench, Failed, say
from scanners import Found

# The reading and whether names of things count as secrets.
WAYS = {
    "cd": ("cd", True),
    "cd, secrets only": ("cd", False),
    "line": ("line", True),
    "line, secrets only": ("line", False),
}


def collect(
    bench: Bench, folder: Path, found: list[Found], given: dict[str, Path]
) -> dict[str, list[score.Finding]]:
    """The findings of every scanner in the whole data; those in `given` come
    from a file and are not looked for again."""
    findings, data = {}, folder / "data"
    for one in found:
        if one.name not in given:
            say(f"creddata: {one.name}")
            try:
                some = bench.findings(one, ".", data)
                findings[one.name] = [each._replace(path=named(each, data)) for each in some]
            except Failed as failed:
                say(f"{one.name}: {failed}")
    for name, file in given.items():
        with open(file) as lines:
            findings[name] = score.read_findings(lines)
    return findings


def named(finding: score.Finding, data: Path) -> str:
    """The path as the labels have it; scanners start it at the root or where
    they run."""
    return os.path.join("data", os.path.relpath(data / finding.path, data))


def on_creddata(
    folder: Path, snapshot: Path, split: str, findings: dict[str, list[score.Finding]]
) -> dict:
    ids = creddata.repositories(folder, snapshot, split)
    labels = score.read_labels(folder / "meta", ids)
    scores = {
        name: score_all(labels, score.within(some, ids)) for name, some in findings.items()
    }
    return {
        "repositories": len(ids),
        "labels": len(labels),
        "secrets": sum(label.secret for label in labels),
        "identifiers_among_them": sum(label.is_identifier() for label in labels),
        "total": {
            name: {way: figures(one) for way, one in ways.items()}
            for name, ways in scores.items()
        },
        "categories": {
            "tools": list(scores),
            **{way: categories(list(scores.values()), way) for way in ("cd", "line")},
        },
    }


def score_all(
    labels: list[score.Label], findings: list[score.Finding]
) -> dict[str, score.Score]:
    return {
        way: score.READINGS[reading](labels, findings, identifiers)
        for way, (reading, identifiers) in WAYS.items()
    }


def figures(one: score.Score) -> dict:
    total = one.total
    return {
        "p": round(total.precision(), 4),
        "r": round(total.recall(), 4),
        "f1": round(total.f1(), 4),
        "counts": counts(total),
        "unlabelled": one.unlabelled,
    }


def counts(some: score.Counts) -> list[int]:
    return [some.right, some.wrong, some.missed]


def categories(scores: list[dict[str, score.Score]], way: str) -> dict:
    """For each category the counts of every scanner, the most frequent first."""
    names = {name for ways in scores for name in ways[way].categories}
    table = {name: [counts(ways[way].categories[name]) for ways in scores] for name in names}

    def frequency(name: str) -> tuple[int, str]:
        return -max(right + missed for right, _, missed in table[name]), name

    return {name: table[name] for name in sorted(table, key=frequency)}


def on_examples(bench: Bench, source: Path, found: list[Found]) -> dict:
    """Scanners judge by the name of a file too, and an example has none: so
    both without an ending and as plain text."""
    record = {}
    for kind, texts in examples.read(source).items():
        for suffix in ("", ".txt"):
            part = f"{kind}, {suffix}" if suffix else kind
            folder = bench.scratch / f"texts-{kind}{suffix}"
            examples.write(texts, folder, suffix)
            record[part] = {"texts": len(texts)} | hits(bench, folder, found, len(texts))
    return record


def hits(bench: Bench, folder: Path, found: list[Found], texts: int) -> dict:
    record = {}
    for one in found:
        say(f"{folder.name}: {one.name}")
        try:
            files = {Path(each.path).name for each in bench.findings(one, ".", folder)}
        except Failed as failed:
            say(f"{one.name}: {failed}")
        else:
            share = round(score.share(len(files), texts), 4)
            record[one.name] = {"found": len(files), "share": share}
    return record
