"""What our command says about a folder: its files that a grammar read, and the folder that
their paths start from. Inside a repository that is the repository's, not the one named."""

import json
import pathlib
import subprocess


def symbols(program, folder, *flags):
    """The starting folder, and the files by path."""
    command = [program, "symbols", folder, "--private", "--no-config", "--format", "json", *flags]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    files = {file["path"]: file for file in answer["files"] if file["read_by"] == "grammar"}
    return start(folder, files), files


def start(folder, paths):
    """The nearest folder, upwards from this one, that has all the paths."""
    folder = pathlib.Path(folder).resolve()
    for one in (folder, *folder.parents):
        if all((one / path).is_file() for path in paths):
            return str(one)
    raise SystemExit(f"{folder}: no folder above it has the files that `symbols` names")
