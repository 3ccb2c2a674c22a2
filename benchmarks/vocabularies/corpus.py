"""The files that are counted: text below some folders, in an order that depends on
their names alone and mixes folders."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

# Longer files would be most of the text; shorter ones say little.
MOST, LEAST = 400_000, 20


@dataclass
class File:
    path: Path
    # Its folder among those that were named, and its place in it.
    name: str
    text: str
    bytes: int


def take(folders: list[Path], count: int) -> list[File]:
    """At most `count` files that are UTF-8, as many of each folder as it has."""
    share = max(1, count // len(folders))
    found = []
    for folder in folders:
        names = sorted(names_below(folder), key=scattered)
        texts = (read(folder, name) for name in names)
        taken = []
        for file in texts:
            if file is not None:
                taken.append(file)
            if len(taken) == share:
                break
        found.extend(taken)
    return found


def names_below(folder: Path) -> list[str]:
    names = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        names.extend(os.path.relpath(os.path.join(place, name), folder) for name in files)
    return names


def scattered(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest()


def read(folder: Path, name: str) -> File | None:
    path = folder.resolve() / name
    if path.is_symlink() or "\n" in name or not LEAST <= path.stat().st_size <= MOST:
        return None
    try:
        raw = path.read_bytes()
        text = raw.decode()
    except (OSError, UnicodeDecodeError):
        return None
    if "\0" in text:
        return None
    return File(path, f"{folder.resolve().name}/{name}", text, len(raw))


def figures(files: list[File]) -> dict:
    """How much of which folder."""
    folders: dict[str, dict] = {}
    for file in files:
        row = folders.setdefault(file.name.split("/", 1)[0], {"files": 0, "bytes": 0})
        row["files"] += 1
        row["bytes"] += file.bytes
    return folders
