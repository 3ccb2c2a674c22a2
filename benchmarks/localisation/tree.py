"""The code of a folder in git as files and parts of files, for the peers that rank text.

A part is at most about PART characters of whole lines. It ends where the next line is little indented and follows an
empty one, so that functions stay whole where they fit; no grammar is needed. Standard library only."""
import collections
import os
import re
import subprocess

PART = 1500
LARGEST = 1_000_000
CODE = frozenset(
    "bash c cc cjs clj cpp cs css cxx dart el erl ex exs fs go groovy gradle h hh hpp hs html hxx inc java jl js json5 "
    "jsx kt kts l lua m mjs ml mm mts php pl pm proto ps1 py pyi pyx r rake rb rs sass scala scss sh sql svelte swift "
    "tcl ts tsx vim vue y zig".split())
CLOSING = re.compile(r"\s*([])}]|end\b|else\b|elif\b|except\b|catch\b|finally\b|fi\b|done\b)")
WORDS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+")
PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

Part = collections.namedtuple("Part", "start end text")


def listed(folder):
    """Paths and blob hashes of the code that git tracks below a folder."""
    done = subprocess.run(["git", "-C", folder, "ls-files", "-s", "-z"], capture_output=True, check=True)
    for entry in done.stdout.decode(errors="surrogateescape").split("\0"):
        about, _, path = entry.partition("\t")
        if about.startswith("100") and is_code(path):
            yield path, about.split()[1]


def is_code(path):
    return path.rpartition(".")[2].lower() in CODE


def read(folder, path):
    """The text of a file, or None if it is missing, too large or not text."""
    try:
        with open(os.path.join(folder, path), "rb") as handle:
            return decoded(handle.read(LARGEST + 1))
    except OSError:
        return None


def decoded(content):
    if len(content) > LARGEST or b"\0" in content:
        return None
    return content.decode(errors="replace")


def cost(lines, at):
    """How bad it is to begin a part at a line."""
    line = lines[at]
    if not line.strip():
        return 40
    indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
    return indent + (0 if not lines[at - 1].strip() else 6) + (12 if CLOSING.match(line) else 0)


def parts(text, size=PART):
    """The parts of a text, which cover all of its lines."""
    lines, found, start = text.split("\n"), [], 0
    if lines[-1] == "":
        lines.pop()
    while start < len(lines):
        best, lowest, used, at = None, None, 0, start
        while at < len(lines) and (at == start or used + len(lines[at]) < size):
            used += len(lines[at]) + 1
            at += 1
            if at < len(lines):
                here = cost(lines, at) + 20 * (1 - used / size)
                if lowest is None or here <= lowest:
                    best, lowest = at, here
        end = len(lines) if at == len(lines) else best
        found.append(Part(start + 1, end, "\n".join(lines[start:end])))
        start = end
    return found


def words(text):
    """Words in lower case: names as they are written, and the pieces of names that have several."""
    for word in WORDS.findall(text):
        pieces = PIECES.findall(word)
        if len(pieces) > 1:
            yield word.lower()
        for piece in pieces:
            if len(piece) > 1:
                yield piece.lower()
