"""The examples of kingfisher's rules: texts with a secret, and texts without.

Owns reading them, from a checkout or from lines of JSON.
"""

import json
from pathlib import Path


def read(source: Path) -> dict[str, list[str]]:
    rules = from_checkout(source) if source.is_dir() else from_lines(source)
    return {
        "positive": [str(text) for rule in rules for text in rule.get("examples") or ()],
        "negative": [str(text) for rule in rules for text in rule.get("negative_examples") or ()],
    }


def from_lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


def from_checkout(folder: Path) -> list[dict]:
    """Needs PyYAML. The rules moved between folders over the years."""
    import yaml

    rules = []
    for file in sorted(folder.glob("**/data/rules/*.y*ml")):
        rules += yaml.safe_load(file.read_text()).get("rules") or []
    return rules


def write(texts: list[str], folder: Path, suffix: str) -> None:
    """One file each; its name says nothing but what `suffix` says."""
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number:04}{suffix}").write_text(text)
