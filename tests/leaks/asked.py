"""The commands and calls of the leak suite, each with the text that its answer must have.

An answer without that text is a failure: a program that prints nothing leaks nothing.
"""

import shlex
from urllib.parse import quote

# In trees of at most this size every budget is large enough for the marker file.
SMALL = 101
REDACTED = "[REDACTED"
MARKER = "src/marker.py"
DATABASE = "config/database.yml"


# In a command line: an empty directory outside of the tree. The files that a command writes
# there belong to its answer.
OUT = "OUT"


class Asked:
    """A command line or an MCP request, and the text that its answer must show."""

    def __init__(self, kind, words, shows, marker=True, git=False, stdin=None):
        self.kind, self.words = kind, words
        # The path of a file of the tree, or a text, that the command gets as its input.
        self.stdin = stdin
        # Text of every answer; with `marker`, an answer over a small tree also shows a line
        # of the marker file, redacted.
        self.shows, self.marker = shows, marker
        # The answer depends on commits, or on secrets of files outside of the given path:
        # without a repository a part of a directory knows nothing of the rest.
        self.needs_git = git

    @property
    def is_call(self):
        return self.kind.startswith("mcp ")

    @property
    def takes_no_cache(self):
        return self.kind not in ("index", "sanitize")

    def missing(self, text, files):
        """Returns the expected text that an answer lacks, or None."""
        expected = [self.shows] + [REDACTED] * (self.marker and files <= SMALL)
        return next((one for one in expected if one not in text), None)


def command(line, shows, marker=True, git=False, stdin=None):
    words = shlex.split(line)
    return Asked(words[0], words, shows, marker, git, stdin)


COMMANDS = [
    command("pack .", MARKER),
    command("pack src", "marker.py", git=True),
    command("pack . -f json", MARKER),
    command("pack . -f markdown --include *.py", MARKER),
    command("pack . --budget 3000", "<repository", marker=False),
    command("pack . --compress aggressive", MARKER),
    command("pack . --log 5 --diff", "Describe the handshake with [REDACTED", git=True),
    command("pack . --rev HEAD", MARKER, git=True),
    command("pack . --max-file-size 1kb", MARKER),
    command(f"pack . --split 2k -o {OUT}/pack.xml", MARKER),
    command(f"pack . --report {OUT}/report.json", MARKER),
    command("pack --stdin", "marker.py", git=True, stdin=f"{MARKER}\n"),
    command("context 'how does the handshake work?' .", "handshake"),
    command("context handshake src -f json", "handshake", git=True),
    command("map .", "<repository_map"),
    command("context 'Describe the handshake' . --explain -f json", "handshake", git=True),
    command("map . -f json", '"format_version"'),
    command("map . --format html", "handshake_marker", marker=False),
    command("search handshake .", "handshake uses [REDACTED"),
    command("search handshake src --format json", "handshake uses [REDACTED", git=True),
    command("search -l handshake .", MARKER, marker=False),
    command("search --ask 'where is the handshake?' .", MARKER, marker=False),
    command("search --semantic 'where is the handshake?' .", MARKER, marker=False),
    command("search handshake . --max-file-size 1kb", "handshake uses [REDACTED"),
    command("def handshake_marker .", "def handshake_marker(word='[REDACTED"),
    command("refs handshake_marker .", "return handshake_marker()  # [REDACTED"),
    command("refs handshake_marker . -f json", "return handshake_marker()  # [REDACTED"),
    command("callers handshake_marker .", "PoliteGreeter.greet"),
    command("callees handshake_marker .", "start"),
    command("impls Greeter .", "PoliteGreeter"),
    command("impls Greeter . -f json", "PoliteGreeter"),
    command(f"outline {MARKER}", "handshake_marker(word='[REDACTED", git=True),
    command("outline config/database.yml", "password", marker=False),
    command("symbols .", "handshake_marker(word='[REDACTED"),
    command("symbols . -f json", "handshake_marker(word='[REDACTED"),
    command("chunk .", MARKER),
    command("tokens .", " tokens", marker=False),
    command("tokens . -f json", '"format_version"', marker=False),
    command("index .", " tokens", marker=False),
    command("scan .", "config/database.yml:2:", marker=False),
    command("scan . -f json", '"config/database.yml"', marker=False),
    command("scan . -f sarif", '"config/database.yml"', marker=False),
    command("scan --staged", "config/staged.properties:1:", marker=False, git=True),
    command("scan --history", "config/old.properties:1:", marker=False, git=True),
    command("scan --rev HEAD", "config/database.yml:2:", marker=False, git=True),
    command("scan --rev HEAD~1..HEAD", "config/database.yml:2:", marker=False, git=True),
    command("sanitize", "password: [REDACTED", marker=False, stdin=DATABASE),
    command(f"why {MARKER}", f"{MARKER}: ", marker=False),
    command(f"why .env {MARKER}", f"{MARKER}: ", marker=False),
]


def tool(name, arguments, shows, marker=True):
    return Asked(f"mcp {name}", ("tools/call", {"name": name, "arguments": arguments}), shows, marker)


def resource(path, shows):
    uri = f"infiniloom://repository/{path}"
    return Asked("mcp resources/read", ("resources/read", {"uri": uri}), shows, marker=False)


def prompt(name, arguments, shows):
    return Asked("mcp prompts/get", ("prompts/get", {"name": name, "arguments": arguments}), shows, marker=False)


def calls(tree):
    """Returns the requests to a server of `tree`. Some copies have a secret in their path."""
    copy = tree.rng.choice(tree.copies)
    # The server knows such a path only in its redacted form.
    answer = "there is no text at" if tree.leaked(copy) else "andshake"
    return [
        tool("context", {"query": "how does the handshake work?"}, "handshake"),
        # Words of commit messages, which contain a secret too.
        tool("context", {"query": "Describe and begin the handshake with"}, "handshake"),
        tool("search", {"query": "describe the handshake with", "kind": "question"}, "handshake", marker=False),
        tool("search", {"query": "handshake"}, "handshake uses [REDACTED"),
        tool("search", {"query": "where is the handshake?", "kind": "question"}, "handshake", marker=False),
        tool("navigate", {"name": "handshake_marker"}, "handshake_marker"),
        tool("read", {"path": MARKER}, "handshake uses [REDACTED"),
        tool("read", {"path": copy}, answer, marker=False),
        tool("map", {}, "src/"),
        tool("map", {"query": "describe the handshake with"}, "src/"),
        tool("pack", {}, "src/"),
        resource("map", "src/"),
        resource(f"file/{quote(MARKER)}", "handshake uses [REDACTED"),
        resource(f"file/{quote(copy)}", answer),
        resource("symbol/handshake_marker", "def handshake_marker(word='[REDACTED"),
        prompt("explore", {"topic": "the handshake"}, "the handshake"),
        prompt("debug", {"failure": "the handshake fails"}, "the handshake fails"),
        prompt("review", {}, "Review changes"),
    ]


class Deck:
    """Deals the variants of each kind in a seeded order, so that each has its turn."""

    def __init__(self, rng):
        self.rng, self.order = rng, {}

    def draw(self, kind, variants):
        """Returns the least recently drawn of `variants`; their positions name them."""
        order = self.order.setdefault(kind, [])
        new = [name for name in variants if name not in order]
        self.rng.shuffle(new)
        order[:0] = new
        name = next(name for name in order if name in variants)
        order.remove(name)
        order.append(name)
        return variants[name]


def by_kind(asked, is_git=True):
    """Groups what can be asked: kind, to its variants by position."""
    groups = {}
    for at, one in enumerate(asked):
        if is_git or not one.needs_git:
            groups.setdefault(one.kind, {})[at] = one
    return groups
