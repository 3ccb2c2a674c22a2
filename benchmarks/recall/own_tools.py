"""Definitions by the tools of the languages themselves: `ast`, go/ast, the TypeScript
compiler and rust-analyzer's SCIP. Each is a function from a folder and its files to
definitions as (path, kind, name, line); one that is not installed gives None."""

import ast
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import warnings

HERE = pathlib.Path(__file__).parent / "own"


def python(folder, files):
    for path in of_language(files, {"python"}):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(pathlib.Path(folder, path).read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield path, "function", node.name, node.lineno
            elif isinstance(node, ast.ClassDef):
                yield path, "class", node.name, node.lineno


def go(folder, files):
    program = shutil.which("go")
    paths = of_language(files, {"go"})
    if not program or not paths:
        return
    with tempfile.TemporaryDirectory() as scratch:
        binary = os.path.join(scratch, "definitions")
        settings = {**os.environ, "GO111MODULE": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
        subprocess.run([program, "build", "-o", binary, HERE / "definitions.go"], check=True, env=settings)
        yield from asked([binary], folder, paths)


def typescript(folder, files):
    """Needs `typescript` where `NODE_PATH` says."""
    paths = of_language(files, {"typescript", "tsx", "javascript", "jsx"})
    if not shutil.which("node") or not paths or "NODE_PATH" not in os.environ:
        return
    yield from asked(["node", HERE / "definitions.js"], folder, paths)


def rust(folder, files):
    """A crate or workspace that `cargo metadata` can read."""
    if not shutil.which("rust-analyzer") or not pathlib.Path(folder, "Cargo.toml").exists():
        return
    known = set(of_language(files, {"rust"}))
    with tempfile.TemporaryDirectory() as scratch:
        output = os.path.join(scratch, "index.scip")
        done = subprocess.run(["rust-analyzer", "scip", folder, "--output", output], capture_output=True)
        if done.returncode != 0:
            return
        index = pathlib.Path(output).read_bytes()
    for document in fields(index, 2):
        path = fields(document, 1)[0].decode()
        if path in known:
            yield from scip_definitions(pathlib.Path(folder, path), path, document)


def scip_definitions(file, path, document):
    lines = file.read_bytes().decode("utf-8", "replace").split("\n")
    for occurrence in fields(document, 2):
        roles = fields(occurrence, 3)
        symbol = fields(occurrence, 2)[0].decode()
        places = numbers(fields(occurrence, 1)[0])
        # Locals, crates, parameters and type parameters are no definitions of ours.
        if not roles or not roles[0] & 1 or symbol.startswith("local") or symbol.endswith((")", "]", "crate/")):
            continue
        line, start = places[0], places[1]
        end = places[2] if len(places) == 3 else places[3]
        name = lines[line].encode()[start:end].decode("utf-8", "replace")
        kind = {"#": "type", ".": "term", "/": "module", "!": "macro"}.get(symbol[-1], "other")
        yield path, kind, name, line + 1


def fields(message, wanted):
    """The values of one field of a protobuf message."""
    found, at = [], 0
    while at < len(message):
        key, at = varint(message, at)
        if key & 7 == 2:
            size, at = varint(message, at)
            value, at = message[at : at + size], at + size
        elif key & 7 == 0:
            value, at = varint(message, at)
        else:
            at += 8 if key & 7 == 1 else 4
            continue
        if key >> 3 == wanted:
            found.append(value)
    return found


def varint(message, at):
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def numbers(packed):
    found, at = [], 0
    while at < len(packed):
        value, at = varint(packed, at)
        found.append(value)
    return found


def of_language(files, languages):
    return [path for path, file in files.items() if file.get("language") in languages]


def asked(command, folder, paths):
    names = "".join(f"{path}\n" for path in paths)
    done = subprocess.run(command, cwd=folder, input=names.encode(), capture_output=True, check=True)
    for line in done.stdout.splitlines():
        one = json.loads(line)
        yield one["path"], one["kind"], one["name"], one["line"]


TOOLS = {"ast": python, "go/ast": go, "typescript": typescript, "scip": rust}
