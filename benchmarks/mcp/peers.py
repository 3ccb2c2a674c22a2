"""Tokens of answers to the same questions, of this server and of others that are installed.

Usage: peers.py --corpus DIR --ours PROGRAM [--peer NAME=COMMAND]...

COMMAND starts a server over standard input and output; {dir} is the corpus. Known are
repomix and serena; what a server says is counted as it comes, with the vocabulary o200k_base.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from client import Client  # noqa: E402

# (what is asked, the name it is about): of Flask.
QUESTION, SYMBOL, TEXT, FILE = "how are request contexts pushed and popped", "Flask.dispatch_request", "before_request_funcs", "src/flask/app.py"
NAME = SYMBOL.split(".")[-1]


def ours(_folder, _client):
    return [
        ("overview", "map", {}),
        ("question", "context", {"query": QUESTION}),
        ("question, places only", "search", {"query": QUESTION, "kind": "question"}),
        ("text", "search", {"query": TEXT}),
        ("definition", "navigate", {"symbol": SYMBOL}),
        ("definition with body", "read", {"symbol": SYMBOL}),
        ("uses", "navigate", {"symbol": SYMBOL, "what": "refs"}),
        ("outline of a file", "read", {"paths": [FILE], "compress": "extreme"}),
        ("a file", "read", {"paths": [FILE], "budget": 200000}),
    ]


def repomix(folder, client):
    text, _, _ = client.call("pack_codebase", {"directory": str(folder)})
    output = re.search(r'"outputId":\s*"(\w+)"', text)[1]
    grep = lambda pattern, lines: {"outputId": output, "pattern": pattern, "contextLines": lines}
    return [
        ("overview", "pack_codebase", {"directory": str(folder)}),
        ("question", "grep_repomix_output", grep("request.?context|push|pop", 2)),
        ("text", "grep_repomix_output", grep(TEXT, 0)),
        ("definition", "grep_repomix_output", grep(f"def {NAME}", 0)),
        ("definition with body", "grep_repomix_output", grep(f"def {NAME}", 30)),
        ("uses", "grep_repomix_output", grep(NAME, 0)),
        ("a file", "file_system_read_file", {"path": str(folder / FILE)}),
        ("everything", "read_repomix_output", {"outputId": output}),
    ]


def serena(_folder, _client):
    path = SYMBOL.replace(".", "/")
    return [
        ("overview", "list_dir", {"relative_path": ".", "recursive": True}),
        ("question", "search_for_pattern", {"substring_pattern": "request.?context|push|pop"}),
        ("text", "search_for_pattern", {"substring_pattern": TEXT}),
        ("definition", "find_symbol", {"name_path_pattern": path}),
        ("definition with body", "find_symbol", {"name_path_pattern": path, "include_body": True}),
        ("uses", "find_referencing_symbols", {"name_path": path, "relative_path": FILE}),
        ("outline of a file", "get_symbols_overview", {"relative_path": FILE}),
        ("a file", "read_file", {"relative_path": FILE}),
    ]


def count(program, text):
    run = subprocess.run([program, "tokens", "-", "--model", "gpt-4o", "--format", "json"], input=text, capture_output=True, text=True)
    return json.loads(run.stdout)["total_tokens"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--ours", default="infiniloom")
    parser.add_argument("--peer", action="append", default=[])
    options = parser.parse_args()
    folder = options.corpus.resolve()
    servers = [("ours", [options.ours, "mcp", str(folder)], ours)]
    for peer in options.peer:
        name, command = peer.split("=", 1)
        servers.append((name, shlex.split(command.replace("{dir}", str(folder))), {"repomix": repomix, "serena": serena}[name]))
    table = {}
    for name, command, questions in servers:
        try:
            client = Client(command, folder=folder, env=dict(os.environ))
            table.setdefault("list of tools", {})[name] = count(options.ours, json.dumps(client.ask("tools/list", {})["tools"]))
            for asked, tool, arguments in questions(folder, client):
                text, is_error, _ = client.call(tool, arguments)
                while name == "ours" and "; ask again" in text.split("\n")[0]:
                    text, is_error, _ = client.call(tool, arguments)
                told = f"error: {text[:60]!r}" if is_error else count(options.ours, text)
                table.setdefault(asked, {})[name] = told
            client.close()
        except (RuntimeError, OSError, TypeError, KeyError) as error:
            print(f"{name} did not run: {error}", file=sys.stderr)
    names = [name for name, *_ in servers]
    print("| tokens | " + " | ".join(names) + " |\n|" + "---|" * (len(names) + 1))
    for asked, row in table.items():
        print(f"| {asked} | " + " | ".join(str(row.get(name, "")) for name in names) + " |")


if __name__ == "__main__":
    main()
