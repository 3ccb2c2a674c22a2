"""CredData on disk: which repositories are there, and in which half they are.

Owns the split. Reads names and folders; the labels are read by score.py.
"""

import binascii
import hashlib
import json
from pathlib import Path

HALVES = {"tune": ("tune",), "held": ("held",), "all": ("tune", "held")}


def half(name: str) -> str | None:
    """Where the repository `owner/name` belongs: rules are tuned on one half,
    the other is only measured. None where the name has an odd hash: those are
    kept for later and not looked at."""
    if is_odd(name):
        return None
    return "held" if is_odd(f"split:{name}") else "tune"


def is_odd(text: str) -> bool:
    return hashlib.sha256(text.encode()).digest()[-1] % 2 == 1


def identifier(key: str) -> str:
    """The folder of a repository, from its key in snapshot.json."""
    return f"{binascii.crc32(binascii.unhexlify(key)):08x}"


def repositories(folder: Path, snapshot: Path, split: str) -> list[str]:
    """The folders of the split that were downloaded and have labels."""
    addresses = json.loads(snapshot.read_text())
    names = {identifier(key): url.split("github.com/")[-1] for key, url in addresses.items()}
    there = [
        name
        for name, repository in names.items()
        if half(repository) is not None
        and (folder / "data" / name).is_dir()
        and (folder / "meta" / f"{name}.csv").is_file()
    ]
    held = only_measured(name for name in there if half(names[name]) == "held")
    splits = {"tune": set(there) - held, "held": held}
    return sorted(name for part in HALVES[split] for name in splits[part])


def only_measured(held) -> set[str]:
    """Of the half that was kept from tuning, what still is: every second one was
    looked at after the first round, and belongs to the other half since."""
    return set(sorted(held)[1::2])
