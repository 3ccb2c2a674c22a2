"""What the scripts share: our chunks, the vocabulary of the other counter, functions."""

import datetime
import json
import subprocess

PATTERN = "|".join(
    [
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}""",
        r""" ?[^\s\p{L}\p{N}]+[\r\n/]*""",
        r"""\s*[\r\n]+""",
        r"""\s+(?!\S)""",
        r"""\s+""",
    ]
)


def encoding(vocabulary):
    """tiktoken's o200k_base, from its file, so that no network is needed."""
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    ranks = load_tiktoken_bpe(str(vocabulary))
    return tiktoken.Encoding("o200k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})


def counter(vocabulary):
    """How many tokens tiktoken gives a text."""
    encode = encoding(vocabulary).encode_ordinary
    return lambda text: len(encode(text))


def ours(program, folder, strategy, tokens, *more):
    """Our chunks of a folder or file, in order."""
    command = [program, "chunk", str(folder), "--no-config", "--secrets", "off", "-q", "-m", "gpt-5"]
    command += ["--strategy", strategy, "--tokens", str(tokens), *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode:
        raise SystemExit(f"{command} exited with {process.returncode}")


def session(program, folders):
    """When and with what something was measured."""

    def told(*command):
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stdout.strip()

    commits = {root.name: told("git", "-C", str(root), "rev-parse", "--short=10", "HEAD") for root in folders}
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    own = told("git", "rev-parse", "--short=10", "HEAD")
    return {"date": date, "version": told(program, "--version"), "commit": own, "commits": commits}


def versions(python, packages):
    """The versions of the packages that a Python has."""
    asked = f"import importlib.metadata as m, json; print(json.dumps({{n: m.version(n) for n in {packages!r} if n in {{d.name for d in m.distributions()}}}}))"
    done = subprocess.run([python, "-c", asked], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def by_file(chunks):
    """The chunks of one file at a time: (path, chunks)."""
    path, found = None, []
    for chunk in chunks:
        if chunk["path"] != path and found:
            yield path, found
            found = []
        path = chunk["path"]
        found.append(chunk)
    if found:
        yield path, found


def own(chunk):
    """The bytes that only this chunk has."""
    return chunk["start_byte"] + chunk["overlap_bytes"], chunk["end_byte"]


def functions(program, folder):
    """Where functions lie: path -> [(start, end)] in bytes, outermost ones only."""
    command = [program, "symbols", str(folder), "--private", "--generated", "--no-config", "--format", "json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    found = {}
    for file in answer["files"]:
        if file["read_by"] != "grammar":
            continue
        spans, end = [], 0
        for symbol in file["symbols"]:
            is_function = symbol["kind"] in ("function", "method", "constructor")
            if is_function and symbol["start_byte"] >= end:
                end = symbol["end_byte"]
                spans.append((symbol["start_byte"], end))
        found[file["path"]] = spans
    return found


def cut(spans, ends):
    """How many spans have an end of a chunk inside them."""
    ends = sorted(ends)
    count, at = 0, 0
    for start, end in spans:
        while at < len(ends) and ends[at] <= start:
            at += 1
        count += at < len(ends) and ends[at] < end
    return count
