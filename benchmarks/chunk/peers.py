"""Chunks by other libraries: `peers.py PEER LIMIT VOCABULARY FILE...`, a JSON answer.

Only the cutting is timed, not the start of Python, the imports and the reading. Ends of
chunks are found by looking for their texts in order; a peer that changes texts loses them.
"""

import importlib
import json
import pathlib
import sys
import time

from corpus import encoding

LANGUAGES = {
    ".rs": "rust", ".py": "python", ".go": "go", ".js": "javascript",
    ".c": "c", ".h": "c", ".cpp": "cpp", ".java": "java", ".rb": "ruby", ".sh": "bash",
}


def text_splitter(limit, _):
    from semantic_text_splitter import TextSplitter

    splitter = TextSplitter.from_tiktoken_model("gpt-4o", limit, trim=False)
    return lambda path, text: splitter.chunks(text)


def code_splitter(limit, _):
    from semantic_text_splitter import CodeSplitter, TextSplitter

    plain = TextSplitter.from_tiktoken_model("gpt-4o", limit, trim=False)
    made = {}

    def chunks(path, text):
        name = LANGUAGES.get(path.suffix)
        if name and name not in made:
            # A grammar that is not installed leaves the file to the splitter of texts.
            try:
                language = importlib.import_module(f"tree_sitter_{name}").language()
                made[name] = CodeSplitter.from_tiktoken_model(language, "gpt-4o", limit, trim=False)
            except ImportError:
                made[name] = plain
        return made.get(name, plain).chunks(text)

    return chunks


def semchunk(limit, vocabulary):
    import semchunk as library

    chunker = library.chunkerify(encoding(vocabulary), limit)
    return lambda path, text: chunker(text)


def chonkie_recursive(limit, vocabulary):
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer=encoding(vocabulary), chunk_size=limit)
    return lambda path, text: [chunk.text for chunk in chunker(text)]


def chonkie_token(limit, vocabulary):
    from chonkie import TokenChunker

    chunker = TokenChunker(tokenizer=encoding(vocabulary), chunk_size=limit, chunk_overlap=0)
    return lambda path, text: [chunk.text for chunk in chunker(text)]


PEERS = {
    "semantic-text-splitter, text": text_splitter,
    "semantic-text-splitter, code": code_splitter,
    "semchunk": semchunk,
    "chonkie, recursive": chonkie_recursive,
    "chonkie, token": chonkie_token,
}


def main():
    peer, limit, vocabulary, listed = sys.argv[1:5]
    limit, listed = int(limit), json.loads(pathlib.Path(listed).read_text())
    texts = [(pathlib.Path(path), pathlib.Path(path).read_bytes().decode(errors="replace")) for path in listed]
    chunks = PEERS[peer](limit, vocabulary)
    chunks(pathlib.Path("a.txt"), "to start with")
    started, cpu = time.perf_counter(), time.process_time()
    cut = [chunks(path, text) for path, text in texts]
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    encode = encoding(vocabulary).encode_ordinary
    ends, over, same = {}, 0, 0
    for (path, text), found in zip(texts, cut):
        at, ends[str(path)] = 0, []
        for chunk in found:
            over += len(encode(chunk)) > limit
            place = text.find(chunk, at)
            at = (place if place >= 0 else at) + len(chunk)
            ends[str(path)].append(len(text[:at].encode()))
        same += "".join(found) == text
    answer = {"seconds": seconds, "cpu_seconds": cpu, "chunks": sum(map(len, cut)), "over_limit": over, "rebuilt": same, "ends": ends}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
