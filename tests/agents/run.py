"""Runs the server, the hooks and the skill in the real Claude Code and Codex, offline, against a model
that plays a script (`model.py`). What reaches the model is read from the next request.

Usage: python3 tests/agents/run.py PATH-OF-INFINILOOM [--only PART] [--held]
Parts: text, large, install, hooks, skill, discovery. --held asks the 20 queries that were set aside.
"""

import argparse
import glob
import json
import os
import sys
from pathlib import Path

from programs import HERE, Lab, results

CLIENTS = ["claude-code", "codex"]
SHOP = {
    "work/src/shop.py": 'class Shop:\n    """Sells things."""\n\n    def sell(self, item):\n        return price_of(item)\n\n\n'
    "def price_of(item):\n    return item.price\n",
    "work/src/main.py": "from shop import Shop\n\nShop().sell(None)\n",
    "work/config.py": "PASSWORD = 'Tq8vZr2LmX4wKp'\n",
    "work/CLAUDE.md": "Root rules.\n",
    "work/AGENTS.md": "Root rules.\n",
    "work/src/CLAUDE.md": "Nested rules for Claude.\n",
    "work/src/AGENTS.md": "Nested rules for Codex.\n",
}
CALLS = [
    ("context", {"query": "what does an item cost"}),
    ("search", {"query": "price_of"}),
    ("navigate", {"symbol": "price_of", "what": "refs"}),
    ("read", {"path": "src/shop.py"}),
    ("map", {}),
    ("pack", {}),
]
# Tools that Codex calls in a namespace, and Claude Code under a long name.
PREFIX = "mcp__infiniloom"

passed, failed = 0, []


def check(holds, about):
    global passed
    if holds:
        passed += 1
    else:
        failed.append(about)
        print(f"FAILED: {about}")


def call(client, name, given, number):
    if client == "claude-code":
        return {"tool": f"{PREFIX}__{name}", "input": given, "id": f"toolu_{number}"}
    return {"tool": name, "namespace": PREFIX, "input": given, "id": f"call_{number}"}


def wanted(client, names):
    """The turn by which the model loads tools that the program hides."""
    if client == "claude-code":
        query = "select:" + ",".join(f"{PREFIX}__{name}" for name in names)
        return [{"tool": "ToolSearch", "input": {"query": query, "max_results": 10}, "id": "toolu_load"}]
    arguments = {"query": "code", "limit": 8}
    search = {"type": "tool_search_call", "call_id": "call_load", "execution": "client", "status": "completed"}
    return [{"item": {**search, "arguments": arguments}}]


def text(binary):
    """The text of every tool's result equals ours."""
    for client in CLIENTS:
        for name, ours, reached in answers(binary, client, SHOP, CALLS):
            check(ours and "structuredContent" not in ours, f"{client}: {name} answers with text only")
            text = ours["content"][0]["text"] if ours else None
            check(reached == text, f"{client}: the text of {name} reaches the model unchanged: {reached!r:.300} {text!r:.300}")


def large(binary):
    """Large answers reach the model unchanged: whole in Claude Code, the best part in Codex."""
    lines = "".join(f"    total = total + weights[{at}] * samples[{at}]  # step {at}\n" for at in range(60))
    files = {f"work/src/part_{at:03}.py": f"def part_{at}(weights, samples):\n    total = {at}\n{lines}    return total\n" for at in range(120)}
    calls = [("pack", {"budget": 100_000}), ("context", {"query": "what does part_7 do with weights and samples", "budget": 50_000})]
    for client in CLIENTS:
        for name, ours, reached in answers(binary, client, files, calls):
            text = ours["content"][0]["text"] if ours else ""
            budget = next(given["budget"] for tool, given in calls if tool == name)
            print(f"figure: {client}, {name} of {budget} tokens, bytes = {len(text.encode())}")
            check(text and reached == text, f"{client}: the large text of {name} reaches the model unchanged")
            least = 30_000 if client == "codex" else 2 * budget
            check(len(text) >= least, f"{client}: {name} uses its room: {len(text)} characters")
            is_partial = text.startswith("partial: ")
            check(is_partial or text.rstrip().endswith("complete"), f"{client}: {name} says whether it is complete")


def answers(binary, client, files, calls):
    """Calls tools in a program: their names, our results, and the texts that reached the model."""
    lab = Lab(client, files)
    log = lab.folder / "messages.jsonl"
    command = [sys.executable, str(HERE / "tee.py"), str(log), binary, "mcp"]
    if client == "claude-code":
        state = json.loads((lab.home / ".claude.json").read_text())
        state["mcpServers"] = {"infiniloom": {"command": command[0], "args": command[1:]}}
        lab.put("home/.claude.json", json.dumps(state))
    else:
        entry = f"command = {json.dumps(command[0])}\nargs = {json.dumps(command[1:])}\n"
        lab.put("home/.codex/config.toml", f"[mcp_servers.infiniloom]\n{entry}")
    script = [wanted(client, [name for name, _ in calls])]
    script += [[call(client, name, given, at)] for at, (name, given) in enumerate(calls)]
    reached = results(lab.run("Look around", [*script, [{"text": "done"}]]))
    messages = [json.loads(line)["message"] for line in log.read_text().splitlines()]
    asked = {m["id"]: m["params"]["name"] for m in messages if m.get("method") == "tools/call"}
    ours = {asked[m["id"]]: m["result"] for m in messages if m.get("id") in asked and "result" in m}
    found = []
    for at, (name, _) in enumerate(calls):
        got = reached.get(f"toolu_{at}" if client == "claude-code" else f"call_{at}")
        # Codex puts two lines of its own above the text.
        got = (got or "").partition("\nOutput:")[2] if client == "codex" else got
        found.append((name, ours.get(name), got))
    lab.remove()
    return found


def install(binary):
    """The programs list and call the server after an installation, and nothing is left after."""
    for client in CLIENTS:
        for scope in ["user", "project"]:
            about = f"{client} ({scope})"
            lab = Lab(client, SHOP)
            if client == "codex" and scope == "project":
                lab.put("home/.codex/config.toml", f'[projects."{lab.work}"]\ntrust_level = "trusted"\n')
            if client == "claude-code" and scope == "project":
                lab.put("home/.claude/settings.json", '{"enableAllProjectMcpServers": true}\n')
            if scope == "project":
                # A project's file names the program by its name.
                (lab.folder / "bin").mkdir()
                (lab.folder / "bin" / "infiniloom").symlink_to(binary)
                os.environ["PATH"] = f"{lab.folder}/bin:{os.environ['PATH']}"
            flags = ["--client", client, "--scope", scope, "--yes"]
            before = lab.contents("home", "work")
            lab.infiniloom(binary, "mcp", "install", "--hooks", "--instructions", *flags)
            lab.infiniloom(binary, "mcp", "uninstall", *flags)
            check(lab.contents("home", "work") == before, f"{about}: every byte comes back without use")
            lab.infiniloom(binary, "mcp", "install", *flags)
            lab.run("", [], raw=["mcp", "list"])
            # Without a program on its path, a listing names the server all the same.
            check("infiniloom" in lab.out + lab.err, f"{about}: lists the server: {lab.out}{lab.err}")
            if scope == "user":
                script = [wanted(client, ["read"]), [call(client, "read", {"path": "src/main.py"}, 1)], [{"text": "done"}]]
                reached = results(lab.run("Read it", script))
                got = reached.get("toolu_1") or reached.get("call_1") or ""
                check("Shop().sell(None)" in got, f"{about}: calls a tool: {got!r:.300}")
            lab.infiniloom(binary, "mcp", "uninstall", *flags)
            after = lab.contents("home", "work")
            ours = [name for name, data in after.items() if b"infiniloom" in data and is_configuration(name)]
            check(not ours, f"{about}: nothing is left after use: {ours}")
            lab.remove()


def is_configuration(name):
    return name.endswith((".json", ".toml", ".md")) and "/cache/" not in name and "/projects/" not in name and "/tmp/" not in name


def hooks(binary):
    """After a compaction, the next request has the working files and their instructions."""
    for client in CLIENTS:
        lab = Lab(client, SHOP)
        lab.infiniloom(binary, "mcp", "install", "--hooks", "--client", client, "--yes")
        if client == "claude-code":
            read = {"tool": "Read", "input": {"file_path": str(lab.work / "src/main.py")}}
            lab.run("Read it", [[read], [{"text": "read"}]])
            logs = glob.glob(str(lab.home / ".claude/projects/*/*.jsonl"))
            session = ["--resume", Path(logs[0]).stem]
            lab.run("/compact", [[{"text": "SUMMARY"}], [{"text": "after"}]], args=session)
            requests = lab.run("Go on", [[{"text": "done"}]], args=session)
            nested = "Nested rules for Claude."
        else:
            read = {"tool": "exec_command", "input": {"cmd": "cat src/main.py"}}
            script = [
                [read, {"usage": {"input_tokens": 255000}}],
                {"when": "CONTEXT CHECKPOINT COMPACTION", "parts": [{"text": "SUMMARY"}]},
                [{"text": "done"}],
            ]
            requests = lab.run("Read it", script)
            nested = "Nested rules for Codex."
        last = json.dumps(requests[-1]) if requests else ""
        for words in ["SUMMARY", "Files of this conversation before the compaction", "src/main.py", nested]:
            check(words in last, f"{client}: the request after a compaction contains {words!r}: {lab.err[-400:]}")
        lab.remove()


def skill(binary):
    """The skill is listed, and its page loads."""
    for client in CLIENTS:
        lab = Lab(client, SHOP)
        lab.infiniloom(binary, "skill", "install", "--client", client, "--yes")
        if client == "claude-code":
            load = [{"tool": "Skill", "input": {"skill": "infiniloom"}, "id": "toolu_1"}]
            requests = lab.run("Find code", [load, [{"text": "done"}]])
        else:
            requests = lab.run("$infiniloom find code", [[{"text": "done"}]])
        first, last = json.dumps(requests[0]), json.dumps(requests[-1])
        check("Find the right code in a repository" in first, f"{client}: the skill is listed")
        check("Begin with `context`" in last, f"{client}: the page of the skill loads")
        lab.infiniloom(binary, "skill", "uninstall", "--client", client, "--yes")
        left = [name for name in lab.contents("home") if "skills/infiniloom" in name]
        check(not left, f"{client}: the skill goes again: {left}")
        lab.remove()


def discovery(binary, held):
    """The programs' own search puts the right tool first."""
    queries = json.loads((HERE / "queries.json").read_text())
    queries = [query for query in queries if query.get("held", False) == held]
    for client in CLIENTS:
        lab = Lab(client, SHOP)
        lab.infiniloom(binary, "mcp", "install", "--client", client, "--yes")
        if client == "claude-code":
            search = [{"tool": "ToolSearch", "input": {"query": query["query"], "max_results": 5}, "id": f"toolu_{at}"} for at, query in enumerate(queries)]
            requests = lab.run("Find tools", [search, [{"text": "done"}]])
            found = found_by_claude(requests)
        else:
            search = [{"item": {"type": "tool_search_call", "call_id": f"call_{at}", "execution": "client", "status": "completed", "arguments": {"query": query["query"], "limit": 8}}} for at, query in enumerate(queries)]
            requests = lab.run("Find tools", [search, [{"text": "done"}]])
            found = found_by_codex(requests)
        loaded = {tool["name"].removeprefix(f"{PREFIX}__") for tool in requests[0].get("tools", []) if "name" in tool}
        first = three = loaded_first = 0
        for at, query in enumerate(queries):
            names = found.get(at, [])
            right = set(query["right"])
            is_first = bool(names) and names[0] in right
            first += is_first
            three += bool(right & set(names[:3]))
            loaded_first += is_first or bool(right & loaded)
            if not is_first and not right & loaded:
                print(f"{client}: {query['query']!r}: {names[:5]}")
        half = "held" if held else "development"
        print(f"figure: {client}, {half} queries = {len(queries)}")
        print(f"figure: {client}, {half}, right tool first or loaded = {loaded_first}")
        print(f"figure: {client}, {half}, right tool first, without loaded ones = {first}")
        print(f"figure: {client}, {half}, right tool among three = {three}")
        check(loaded_first * 100 >= len(queries) * 95, f"{client}: the right tool is first for 95 % of the {half} queries")
        lab.remove()


def found_by_claude(requests):
    found = {}
    for body in requests:
        for message in body.get("messages", []):
            for block in message["content"] if isinstance(message["content"], list) else []:
                if block.get("type") == "tool_result" and isinstance(block["content"], list):
                    names = [entry.get("tool_name", "").removeprefix(f"{PREFIX}__") for entry in block["content"]]
                    found[int(block["tool_use_id"].removeprefix("toolu_"))] = names
    return found


def found_by_codex(requests):
    found = {}
    for body in requests:
        for item in body.get("input", []):
            if item.get("type") == "tool_search_output":
                spaces = [space.get("tools") or [space] for space in item["tools"]]
                names = [tool["name"] for tools in spaces for tool in tools]
                found[int(item["call_id"].removeprefix("call_"))] = names
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--only", choices=["text", "large", "install", "hooks", "skill", "discovery"])
    parser.add_argument("--held", action="store_true")
    given = parser.parse_args()
    binary = str(Path(given.binary).resolve())
    parts = {"text": text, "large": large, "install": install, "hooks": hooks, "skill": skill}
    for name, part in parts.items():
        if given.only in (None, name):
            print(f"== {name}", flush=True)
            part(binary)
    if given.only in (None, "discovery"):
        print("== discovery", flush=True)
        discovery(binary, given.held)
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
