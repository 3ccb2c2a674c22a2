"""Runs Claude Code and Codex without a network, against a model that plays a script. Needs Linux, npm,
and root or the right to create user namespaces.

The programs come by the lock file beside this one into a folder of the user's cache (800 MB). Each
run has its own home and its own network with only loopback.
"""

import fcntl
import hashlib
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import model

HERE = Path(__file__).parent.resolve()
LOCKS = ["package.json", "package-lock.json"]
PATHS = {
    "claude-code": "node_modules/@anthropic-ai/claude-code-linux-*/claude",
    "codex": "node_modules/@openai/codex-linux-*/vendor/*/bin/codex",
}
CODEX = [
    'model="gpt-5.5"',
    'model_provider="scripted"',
    f'model_providers.scripted={{name="scripted", base_url="http://127.0.0.1:{model.PORT}/v1", env_key="SCRIPTED_KEY", wire_api="responses"}}',
    "check_for_update_on_startup=false",
]


def installed():
    """The folder with the programs; made when it is not there."""
    mark = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in LOCKS)).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "infiniloom-agents" / mark
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    for name in LOCKS:
        shutil.copy(HERE / name, made)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    if subprocess.run(command, cwd=made).returncode != 0:
        shutil.rmtree(made)
        sys.exit("agents: npm could not install the programs")
    made.rename(folder)
    return folder


def program(client):
    return next(iter(sorted(installed().glob(PATHS[client]))))


class Lab:
    """A home and a working folder, in which a program runs several times."""

    def __init__(self, client, files=()):
        self.client = client
        self.folder = Path(tempfile.mkdtemp(prefix="agents-"))
        self.home, self.work = self.folder / "home", self.folder / "work"
        self.home.mkdir()
        self.work.mkdir()
        self.runs = 0
        # Without it, Claude Code opens with dialogs.
        first = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": ["test-key"], "rejected": []},
            "projects": {str(self.work): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
        }
        if client == "claude-code":
            self.put("home/.claude.json", json.dumps(first))
        for path, text in dict(files).items():
            self.put(path, text)

    def put(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def contents(self, *below):
        """Every file below these paths."""
        files = [file for path in below for file in sorted((self.folder / path).rglob("*")) if file.is_file()]
        return {str(file.relative_to(self.folder)): file.read_bytes() for file in files}

    def run(self, prompt, script, args=(), raw=None, timeout=120):
        """One run of the program: its requests to the model."""
        self.runs += 1
        log = self.folder / f"requests-{self.runs}.jsonl"
        log.touch()
        binary = str(program(self.client))
        if raw is not None:
            command = [binary, *raw]
        elif self.client == "claude-code":
            command = [binary, "-p", "--dangerously-skip-permissions", *args, "--", prompt]
        else:
            settings = [word for setting in CODEX for word in ("-c", setting)]
            command = [binary, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", *settings, *args, "--", prompt]
        spec = self.folder / "run.json"
        spec.write_text(json.dumps({"turns": script, "log": str(log), "command": command, "home": str(self.home), "work": str(self.work), "timeout": timeout}))
        root = [] if os.getuid() == 0 else ["--map-root-user"]
        command = ["unshare", *root, "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, str(HERE / "programs.py"), str(spec)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.out, self.err, self.code = done.stdout, done.stderr, done.returncode
        requests = [json.loads(line) for line in log.read_text().splitlines()]
        return [request["body"] for request in requests]

    def infiniloom(self, binary, *args):
        """A command of ours in this home."""
        home = str(self.home)
        environment = {"HOME": home, "PATH": os.environ["PATH"], "XDG_CACHE_HOME": f"{home}/cache"}
        done = subprocess.run([binary, *args], cwd=self.work, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(f"agents: {' '.join(args)}: {done.stderr}")
        return done.stdout

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def results(requests):
    """The results of tools in the requests, by the id of their call."""
    found = {}
    for body in requests:
        for message in body.get("messages", []):
            for block in message["content"] if isinstance(message["content"], list) else []:
                if block.get("type") == "tool_result":
                    found[block["tool_use_id"]] = text_of(block["content"])
        for item in body["input"] if isinstance(body.get("input"), list) else []:
            if item.get("type", "").endswith("_output"):
                found[item.get("call_id")] = text_of(item.get("output"))
    return found


def text_of(content):
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content or [])


def main(spec):
    """Inside its own network: starts the model, then the program."""
    spec = json.loads(Path(spec).read_text())
    with socket.socket() as loopback:
        up = struct.pack("16sh", b"lo", 1)
        fcntl.ioctl(loopback, 0x8914, up + bytes(22))
    model.start(spec["turns"], spec["log"])
    home = spec["home"]
    (Path(home) / "tmp").mkdir(exist_ok=True)
    environment = {
        "HOME": home,
        "TMPDIR": f"{home}/tmp",
        "XDG_CACHE_HOME": f"{home}/cache",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        "USER": "tester",
        "LOGNAME": "tester",
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{model.PORT}",
        "ANTHROPIC_API_KEY": "test-key",
        "IS_SANDBOX": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_TMPDIR": f"{home}/tmp",
        "SCRIPTED_KEY": "test-key",
    }
    try:
        done = subprocess.run(spec["command"], cwd=spec["work"], env=environment, stdin=subprocess.DEVNULL, timeout=spec["timeout"])
    except subprocess.TimeoutExpired:
        sys.exit(124)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main(sys.argv[1])
