"""What a tree holds, and which tools it is packed with.

Owns naming, checking and sizing the trees of a session. Runs no packer.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path

LARGE = 50_000_000
RUNS = 5
RUNS_LARGE = 3


class Unusable(Exception):
    """A tree or a choice of tools that cannot be measured."""


@dataclass(frozen=True)
class Corpus:
    """One git checkout. `bytes` and `files` are of what git tracks."""

    name: str
    folder: Path
    files: int
    bytes: int
    tree: str
    changes: int


def read(folder: Path) -> Corpus:
    if not folder.is_dir():
        raise Unusable(f"no folder {folder}")
    folder = folder.resolve()
    paths = [path for path in git(folder, "ls-files", "-z").split("\0") if path]
    if not paths:
        raise Unusable(f"git tracks nothing in {folder}")
    return Corpus(
        name=folder.name,
        folder=folder,
        files=len(paths),
        bytes=sum(size(folder / path) for path in paths),
        tree=git(folder, "rev-parse", "HEAD^{tree}").strip(),
        changes=len(git(folder, "status", "--porcelain").splitlines()),
    )


def size(path: Path) -> int:
    """As `cat` sees it: through links, and nothing for what is not a file."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    answer = subprocess.run(command, capture_output=True, check=False)
    if answer.returncode != 0:
        said = answer.stderr.decode(errors="replace").strip()
        raise Unusable(f"git {arguments[0]} failed in {folder}: {said}")
    return answer.stdout.decode(errors="surrogateescape")


def read_all(folders: list[Path]) -> list[Corpus]:
    corpora = [read(folder) for folder in folders]
    names = [corpus.name for corpus in corpora]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Unusable(f"two trees have the same name: {', '.join(twice)}")
    return corpora


def runs(corpus: Corpus, asked: int | None) -> int:
    if asked is not None:
        return asked
    return RUNS_LARGE if corpus.bytes > LARGE else RUNS


def choices(only: list[str], keys: set[str], names: set[str]) -> dict[str, set[str]]:
    """Reads `--only TOOL,…` and `--only CORPUS=TOOL,…` into the tools of each
    corpus; the choice without a corpus is under the empty name."""
    chosen: dict[str, set[str]] = {}
    for word in only:
        name, _, tools = word.rpartition("=")
        wanted = {tool.strip() for tool in tools.split(",")}
        for tool in sorted(wanted - keys):
            raise Unusable(f"no tool {tool!r}; there is {', '.join(sorted(keys))}")
        if name and name not in names:
            raise Unusable(f"no corpus {name!r}; there is {', '.join(sorted(names))}")
        chosen.setdefault(name, set()).update(wanted)
    return chosen


def is_chosen(key: str, corpus: str, chosen: dict[str, set[str]]) -> bool:
    """A choice for this corpus goes before the one for all."""
    wanted = chosen.get(corpus, chosen.get(""))
    return wanted is None or key in wanted
