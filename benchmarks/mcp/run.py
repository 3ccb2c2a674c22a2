"""How fast the server answers and what it needs: `cargo xtask bench mcp --help`."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from client import Client  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def questions(files, names):
    """Calls of every tool, many of each, none twice in a row."""
    words = ["watch", "timeout", "retry backoff", "parse flags", "pod eviction", "lease renewal", "token review", "volume mount"]
    for at in range(10**9):
        path, name, word = files[at % len(files)], names[at % len(names)], words[at % len(words)]
        yield "context", {"query": f"how does {word} work in {name}"}
        yield "search", {"query": name}
        yield "search", {"query": f"where is {word} handled", "kind": "question"}
        yield "navigate", {"symbol": name}
        yield "navigate", {"symbol": name, "what": "refs"}
        yield "read", {"paths": [path]}
        yield "read", {"symbol": name}
        yield "map", {}
        yield "map", {"focus": [path]}
        yield "pack", {"paths": [path]}


def label(tool, arguments):
    extra = arguments.get("kind") or arguments.get("what") or ("symbol" if "symbol" in arguments and tool == "read" else "")
    return f"{tool} {extra or ('focus' if arguments.get('focus') else '')}".strip()


def sample(folder):
    listed = subprocess.run(["git", "-C", str(folder), "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    code = [path for path in listed if path.endswith((".go", ".py", ".rs", ".ts", ".java", ".c")) and "vendor/" not in path and "test" not in path]
    files = code[:: max(1, len(code) // 97)]
    names = []
    for path in files:
        text = (folder / path).read_text(errors="replace").split("\n")
        named = [line.split("(")[0].split()[-1] for line in text if line.startswith(("func ", "def ", "fn ", "class "))]
        names += [name.strip(":{)*") for name in named if name.strip(":{)*").isidentifier() and len(name) > 4][:1]
    return len(listed), files, names or ["main"]


def percentile(values, part):
    """Nothing where there are too few values: the slowest hundredth of 100 is one call."""
    if len(values) * (1 - part) < 10 and part > 0.5:
        return None
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def start(options, home):
    env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    return Client([options.ours, "mcp", str(options.corpus)], env=env)


def cold(options, home):
    """Without an index: when the first answers come, and what they say."""
    client = start(options, home)
    print(f"without an index: tools listed after {ms(seconds_since(client))}")
    all_tools = [
        ("map", {}),
        ("context", {"query": "how is a pod evicted from a node"}),
        ("search", {"query": "evictPod"}),
        ("navigate", {"symbol": "evictPod"}),
        ("read", {"paths": [options.file]}),
        ("pack", {"paths": [options.file]}),
    ]
    for tool, arguments in all_tools:
        text, is_error, seconds = client.call(tool, arguments)
        partial = "partial" if "; ask again" in text.split("\n")[0] else "whole"
        print(f"  {tool}: {seconds:.2f} s, {'error, ' if is_error else ''}{partial}, {text.count(chr(10)) + 1} lines")
    while "; ask again" in client.call("map", {})[0].split("\n")[0]:
        pass
    print(f"  whole answers after {seconds_since(client):.1f} s")
    client.close()


def seconds_since(client):
    import time

    return time.perf_counter() - client.started


def ms(seconds):
    return "-" if seconds is None else f"{seconds * 1000:.0f} ms"


def warm_start(options, home):
    """With an index: from the start of the process to the first answer."""
    for tool, arguments in [("search", {"query": "evictPod"}), ("navigate", {"symbol": "evictPod"}), ("read", {"paths": [options.file]}), ("map", {}), ("context", {"query": "how is a pod evicted"})]:
        times, cpu, partial = [], [], ""
        for _ in range(options.starts):
            client = start(options, home)
            text, _, _ = client.call(tool, arguments)
            times.append(seconds_since(client))
            cpu.append(client.cpu())
            partial = ", partial" if "; ask again" in text.split("\n")[0] else ""
            client.close()
        print(f"start to first answer, {tool}: least {ms(min(times))}, median {ms(statistics.median(times))}, CPU least {ms(min(cpu))}{partial}", flush=True)


def speed(options, home, files, names):
    client = start(options, home)
    for tool, arguments in [("map", {}), ("context", {"query": "a"})]:
        while "; ask again" in client.call(tool, arguments)[0].split("\n")[0]:
            pass
    calls, told, lengths, cpus = {}, [], {}, {}
    for number, (tool, arguments) in enumerate(questions(files, names)):
        if number >= options.calls:
            break
        before = client.cpu()
        text, _, seconds = client.call(tool, arguments)
        name = label(tool, arguments)
        cpus.setdefault(name, []).append(client.cpu() - before)
        # The first call of each kind reads; it is told apart.
        calls.setdefault(name, []).append(seconds)
        lengths.setdefault(name, []).append(text)
        if number % max(1, options.calls // 20) == 0:
            told.append((number, client.memory()[0]))
    print("\n| call | number | first | p50 | most | p99 | CPU p50 | tokens p50 |\n|---|---|---|---|---|---|---|---|")
    result = {}
    for name, times in calls.items():
        rest = times[1:] or times
        tokens = statistics.median(count(options, lengths[name][:20]))
        print(f"| {name} | {len(times)} | {ms(times[0])} | {ms(percentile(rest, .5))} | {ms(max(rest))} | {ms(percentile(rest, .99))} | {ms(percentile(cpus[name], .5))} | {tokens:.0f} |")
        result[name] = {"call": name, "calls": len(times), "first": times[0], "p50": percentile(rest, 0.5), "most": max(rest), "p99": percentile(rest, 0.99), "cpu": percentile(cpus[name], 0.5), "tokens": tokens}
    print("\nresident memory by calls: " + ", ".join(f"{number}: {bytes / 2**20:.0f} MiB" for number, bytes in told))
    most = client.memory()[1]
    print(f"most: {most / 2**20:.0f} MiB")
    client.close()
    return {"calls": list(result.values()), "memory": told, "most_memory": most}


def count(options, texts):
    counted = []
    for text in texts:
        run = subprocess.run([options.ours, "tokens", "-", "--model", "gpt-4o", "--format", "json"], input=text, capture_output=True, text=True)
        try:
            counted.append(json.loads(run.stdout)["models"][0]["total_tokens"])
        except (ValueError, KeyError, IndexError):
            counted.append(len(text) // 4)
    return counted


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="a git checkout")
    parser.add_argument("--ours", help="our command; otherwise built with cargo build --release")
    parser.add_argument("--calls", type=int, default=1000, help="calls of all tools together")
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--home", type=Path, help="where the index lies; otherwise a new one is made and measured")
    parser.add_argument("--results", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    options.corpus = options.corpus.resolve()
    if not options.ours:
        subprocess.run(["cargo", "build", "--release", "--bin", "infiniloom"], cwd=ROOT, check=True)
        options.ours = str(Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "release/infiniloom")
    number, files, names = sample(options.corpus)
    options.file = files[0]
    print(f"{options.corpus.name}: {number} files, load {os.getloadavg()[0]:.1f}")
    home = options.home or Path(tempfile.mkdtemp())
    try:
        if not options.home:
            cold(options, home)
        if options.starts:
            warm_start(options, home)
        result = speed(options, home, files, names)
    finally:
        if not options.home:
            shutil.rmtree(home, ignore_errors=True)
    if options.results:
        options.results.write_text(json.dumps({"corpus": options.corpus.name, "files": number, **result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
