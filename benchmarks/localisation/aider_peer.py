#!/usr/bin/env python3
"""Aider's map as a peer: run.py --serve --budgets 8000 … -- PYTHON aider_peer.py, in an environment with aider-chat.

The words and files that the question mentions are what Aider takes from a message, as in ../map/aider_map.py, and no
file is open. Files are in the order of Aider's ranked tags; the context is the lines that its map shows."""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "map"))
import aider_map  # noqa: E402


class Recording(aider_map.Tolerant):
    """Remembers which lines each text of the map shows, counted from 0."""

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.lines, self.shown, self.texts = {}, {}, {}

    def render_tree(self, abs_fname, rel_fname, lois):
        text = super().render_tree(abs_fname, rel_fname, lois)
        key = (rel_fname, tuple(sorted(lois)))
        if key not in self.lines:
            self.lines[key] = sorted(self.tree_context_cache[rel_fname]["context"].show_lines)
        self.shown[rel_fname] = self.lines[key]
        return text

    def to_tree(self, tags, chat_rel_fnames):
        self.shown = {}
        text = super().to_tree(tags, chat_rel_fnames)
        self.texts[text] = self.shown
        return text


def runs(lines):
    """Neighbouring lines as (first, last), counted from 1."""
    found = []
    for line in lines:
        if found and found[-1][1] == line:
            found[-1][1] = line + 1
        else:
            found.append([line + 1, line + 1])
    return found


def answer(request):
    root = request["dir"]
    done = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True)
    files = [path for path in done.stdout.decode(errors="replace").split("\0") if path]
    files = [path for path in files if os.path.isfile(os.path.join(root, path))]
    mapper = Recording(root=root, main_model=aider_map.Model(), io=aider_map.Quiet())
    names, mentioned = aider_map.mentioned(request["query"], files)
    absolute = [os.path.join(root, path) for path in files]
    ranked = mapper.get_ranked_tags(set(), absolute, mentioned, names, None)
    text = aider_map.cut(mapper, ranked, request["budget"])
    pieces = [{"path": path, "start_line": first, "end_line": last}
              for path, lines in mapper.texts.get(text, {}).items() for first, last in runs(lines)]
    return {"files": list(dict.fromkeys(tag[0] for tag in ranked))[:300], "pieces": pieces}


def main():
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
