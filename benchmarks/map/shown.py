"""Which files and symbols the text of a map shows."""

import collections
import re


def of_ours(text):
    """Files and the words beside them, of `infiniloom map --format plain`."""
    shown, part, folder = collections.defaultdict(set), None, ""
    for line in text.splitlines():
        if line in ("Key symbols:", "More files:", "Uses:"):
            part = line
        elif part == "Key symbols:" and (found := re.match(r"  \S+ (\S+) (.+):\d+$", line)):
            shown[found[2]] |= set(re.findall(r"\w+", found[1]))
        elif part == "More files:" and line.startswith("  "):
            name, _, symbols = line.strip().partition(": ")
            shown[folder + name] |= set(re.findall(r"\w+", symbols))
        elif part == "More files:" and line.endswith("/"):
            folder = "" if line == "./" else line
        elif part == "Uses:" and " -> " in line:
            start, _, ends = line.strip().partition(" -> ")
            for path in [start, *ends.split(", ")]:
                shown[path] |= set()
        elif line and not line.startswith(" "):
            part = line
            shown[line] |= set()
        elif line.startswith("  ") and part:
            shown[part] |= set(re.findall(r"\w+", line))
    return shown


def of_aider(text):
    """The same of Aider's map."""
    shown, path = collections.defaultdict(set), None
    for line in text.splitlines():
        if line[:1] in ("│", "⋮", "█"):
            if path is not None:
                shown[path] |= set(re.findall(r"\w+", line))
        elif line.strip():
            path = line.rstrip(":")
            shown[path] |= set()
    return shown


def shares(task, shown):
    """The share of the gold files and of the gold functions that are shown."""
    files = task["gold_files"]
    found = sum(path in shown for path in files) / len(files)
    functions = [one for one in task.get("gold_functions", []) if one.get("name")]
    if not functions:
        return found, None
    last = [(one["file"], re.findall(r"\w+", one["name"])[-1:]) for one in functions]
    inside = sum(bool(name) and path in shown and name[0] in shown[path] for path, name in last)
    return found, inside / len(functions)
