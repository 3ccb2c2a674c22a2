"""Whether chunks are what they promise: `check.py --ours PROGRAM --vocabulary FILE DIR...`.

For every strategy and limit: tokens by tiktoken, not by us; the files put together again
and compared with the disk; hashes; functions that fit and were cut; and which ids stay
when a line is put into a file. FILE is o200k_base.tiktoken. Needs tiktoken.
"""

import argparse
import hashlib
import json
import pathlib
import random
import tempfile

from corpus import by_file, counter, cut, functions, ours, own, session

STRATEGIES = ["semantic", "fixed", "symbol"]


class Report(dict):
    def add(self, key, count=1):
        self[key] = self.get(key, 0) + count


def check_file(root, path, chunks, limit, count, report):
    """Everything that must hold for one file."""
    rebuilt, ids = b"", set()
    for chunk in chunks:
        text = chunk["text"].encode()
        rebuilt += text[chunk["overlap_bytes"] :]
        tokens = count(chunk.get("context", "") + chunk["text"])
        report.add("chunks")
        report.add("over_limit", tokens > limit)
        report.add("wrong_count", tokens != chunk["tokens"])
        report.add("wrong_hash", hashlib.sha256(text).hexdigest() != chunk["sha256"])
        report.add("same_id", chunk["id"] in ids)
        report.add("tokens", tokens)
        report["largest"] = max(report.get("largest", 0), tokens)
        ids.add(chunk["id"])
    report.add("files")
    report.add("bytes", len(rebuilt))
    if chunks[0].get("notes"):
        # Decoded from another encoding, or a notebook: not the bytes of the disk.
        report.add("files_shown_otherwise")
        return
    report.add("rebuilt_otherwise", rebuilt != (root / path).read_bytes())


def check_functions(files, known, ends, limit, count, root, report):
    """Functions that fit into a chunk and do not lie in one."""
    for path in files:
        spans = known.get(path)
        if not spans:
            continue
        raw = (root / path).read_bytes()
        fitting = [span for span in spans if span[1] - span[0] < 2 * limit or count(raw[span[0] : span[1]].decode(errors="replace")) <= limit]
        report.add("functions", len(fitting))
        report.add("functions_cut", cut(fitting, ends[path]))


def remark(path):
    """A line that is allowed anywhere, as far as that is possible."""
    slashes = (".rs", ".go", ".js", ".ts", ".c", ".h", ".java", ".proto", ".css")
    if path.endswith((".md", ".rst", ".txt")):
        # There a # would be a title, and all that follows would lie in another section.
        return b"An edit.\n"
    return b"// An edit.\n" if path.endswith(slashes) else b"# An edit.\n"


def check_edits(program, root, files, strategy, limit, report, rng):
    """A line put into files of several chunks: which ids of other chunks stay."""
    picked = rng.sample(files, min(60, len(files)))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        places = {}
        for path, chunks in picked:
            raw = (root / path).read_bytes()
            lines = [at + 1 for at, byte in enumerate(raw) if byte == 10]
            if not lines:
                continue
            at = rng.choice(lines)
            target = scratch / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(raw[:at] + remark(path) + raw[at:])
            places[path] = at
        more = ["--no-ignore", "--no-default-ignore"]
        after = dict(by_file(ours(program, scratch, strategy, limit, *more)))
        for path, chunks in picked:
            if path not in places or path not in after:
                continue
            at, ids = places[path], {chunk["id"] for chunk in after[path]}
            elsewhere = [chunk for chunk in chunks if own(chunk)[1] < at or own(chunk)[0] > at]
            lost = sum(chunk["id"] not in ids for chunk in elsewhere)
            report.add("edits")
            report.add("elsewhere", len(elsewhere))
            report.add("ids_lost", lost)
            report.add("edits_with_loss", lost > 0)


def check(program, root, strategy, limit, count, known):
    report, several, ends = Report(), [], {}
    for path, chunks in by_file(ours(program, root, strategy, limit)):
        check_file(root, path, chunks, limit, count, report)
        ends[path] = [own(chunk)[1] for chunk in chunks]
        if len(chunks) > 1 and not chunks[0].get("notes"):
            spans = [{key: chunk[key] for key in ("id", "start_byte", "end_byte", "overlap_bytes")} for chunk in chunks]
            several.append((path, spans))
    check_functions(list(ends), known, ends, limit, count, root, report)
    check_edits(program, root, several, strategy, limit, report, random.Random(9))
    report["fill"] = round(report["tokens"] / report["chunks"] / limit, 3)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--vocabulary", required=True, type=pathlib.Path)
    parser.add_argument("--limits", type=int, nargs="+", default=[8000])
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    count, rows = counter(arguments.vocabulary), []
    for root in arguments.folders:
        known = functions(arguments.ours, root)
        for limit in arguments.limits:
            for strategy in arguments.strategies:
                report = check(arguments.ours, root, strategy, limit, count, known)
                rows.append({"tree": root.name, "limit": limit, "strategy": strategy, **report})
                print(json.dumps(rows[-1]), flush=True)
    if arguments.results:
        told = session(arguments.ours, arguments.folders)
        arguments.results.write_text(json.dumps({**told, "rows": rows}, indent=1) + "\n")
    wrong = ["over_limit", "wrong_count", "wrong_hash", "same_id", "rebuilt_otherwise"]
    raise SystemExit(any(row.get(key) for row in rows for key in wrong))


if __name__ == "__main__":
    main()
