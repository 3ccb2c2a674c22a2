"""Repositories with secrets for the leak suite: random files, secrets in configuration
files, and copies of them in code, comments, names of files, symbols and commit messages."""

import html
import os
import random
import re
import string
import subprocess
from pathlib import Path
from urllib.parse import unquote

HEX = "0123456789abcdef"
LETTERS = string.ascii_letters + string.digits
WORDS = "amber birch cobalt dune ember falcon garnet harbor indigo juniper kestrel lagoon".split()

# Each kind of value that people use as a secret: generated, random, or made up by hand.
VALUES = [
    lambda rng: "".join(rng.choices(HEX, k=40)),
    lambda rng: "".join(rng.choices(LETTERS, k=24)),
    lambda rng: f"{rng.choice(WORDS)}{rng.randrange(2, 9)}{rng.choice(WORDS)}{rng.randrange(100, 999)}",
    lambda rng: f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{rng.randrange(1000, 9999)}",
    # With characters that JSON, XML, HTML or a URL writes in another way.
    lambda rng: f"{rng.choice(WORDS)}&{rng.choice(WORDS).title()}<{rng.randrange(1000, 9999)}",
    lambda rng: f"{rng.choice(WORDS)}%!{rng.randrange(1000, 9999)}@{rng.choice(WORDS).title()}",
    lambda rng: f"{rng.choice(WORDS).title()}\"{rng.choice(WORDS)}{rng.randrange(1000, 9999)}",
]

# Where secrets are written: the path, the text around the value, and whether people keep
# such a file out of git.
HOMES = [
    (".env", "LEDGER_API_KEY={}\n", True),
    (".env.local", "DB_PASSWORD={}\n", True),
    ("deploy/.env.production", "export STRIPE_SECRET={}\n", True),
    ("config/application.properties", "spring.datasource.password={}\n", False),
    ("docker-compose.yml", "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: {}\n", False),
    ("private/.env", "# {filler}\nMAIL_PASSWORD={{}}\n".format(filler="x" * 2000), True),
    ("secrets.yaml", "api_token: '{}'\n", True),
    ("terraform/prod.tfvars", "db_password = \"{}\"\n", True),
]

# How a value gets into other files. The value stands alone: nothing beside it says what it is.
COPIES = [
    ("src/note{n}.py", "# handshake uses {v}\ndef handshake{n}():\n    return {n}\n"),
    ("src/client{n}.js", "// handshake\nexport const greeting{n} = `hello {v} there`;\n"),
    ("src/lib{n}.rs", "/// Handshake with {v} first.\npub fn handshake{n}() -> u32 {{ {n} }}\n"),
    ("docs/guide{n}.md", "# Handshake {n}\n\nThe handshake sends {v} and waits.\n"),
    ("docs/{v}/handshake{n}.txt", "a handshake in a directory\n"),
    ("notes/handshake-{v}.md", "# Handshake\n\nSee the name of this file.\n"),
]

PLAIN = [
    ("src/module{n}.py", "def function{n}(left, right):\n    return left + right + {n}\n"),
    ("src/part{n}.ts", "export function part{n}(value: number): number {{ return value * {n}; }}\n"),
    ("lib/item{n}.go", "package lib\n\nfunc Item{n}() int {{ return {n} }}\n"),
    ("docs/page{n}.md", "# Page {n}\n\nNothing to see.\n"),
]


# A file that every tree has: each command that shows code shows a line of it with the value.
MARKER = """# handshake uses {v}
class Greeter:
    def greet(self):
        return 0


class PoliteGreeter(Greeter):  # {v}
    def greet(self):
        return handshake_marker()  # {v}


def handshake_marker(word='{v}'):
    return start()  # {v}


def start():
    return 0
"""


class Tree:
    """A repository on disk, and the values that must never leave it."""

    def __init__(self, root, files, seed):
        self.root, self.rng, self.secrets = Path(root), random.Random(seed), []
        self.copies, self.count, self.files = [], 0, files
        self.root.mkdir(parents=True)
        self.is_git = self.rng.random() < 0.7
        # The smallest tree has three files: the marker, its secret, and one that `scan` finds.
        is_smallest = files <= 3
        ignored = []
        for path, text, is_private in self.rng.sample(HOMES, k=1 if is_smallest else self.rng.randrange(1, 4)):
            value = self.new_secret(unlike='"' if '"' in text else None)
            self.write(path, text.format(value))
            if is_private and self.rng.random() < 0.7:
                ignored.append("private/" if path.startswith("private/") else path)
        if ignored:
            self.write(".gitignore", "".join(f"/{path}\n" for path in ignored))
        self.copies.append(self.write("src/marker.py", MARKER.format(v=self.secrets[0])))
        self.write("config/database.yml", f"production:\n  password: {self.new_secret()}\n")
        (self.root / "src/logo.bin").write_bytes(bytes(range(256)))
        for value in [] if is_smallest else list(self.secrets):
            for _ in range(self.rng.randrange(1, 3)):
                self.copy(value)
        while self.count < files:
            self.add_plain()
        if self.is_git:
            self.commit()

    def new_secret(self, unlike=None):
        """Makes a value up; `unlike` is a character that the place of the value has no room for."""
        while True:
            value = self.rng.choice(VALUES)(self.rng)
            if not unlike or unlike not in value:
                self.secrets.append(value)
                return value

    def write(self, path, text):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        # As editors save: the file is there whole or not at all.
        new = place.with_name(f".{self.rng.random()}.tmp")
        new.write_text(text)
        os.replace(new, place)
        self.count += 1
        return path

    def copy(self, value):
        path, text = self.rng.choice(COPIES)
        n = self.rng.randrange(10**6)
        self.copies.append(self.write(path.format(n=n, v=value), text.format(n=n, v=value)))

    def add_plain(self):
        path, text = self.rng.choice(PLAIN)
        n = self.rng.randrange(10**9)
        self.write(path.format(n=n), text.format(n=n))

    def input_of(self, stdin):
        """Returns the text of a file of the tree, or a text that names no file as it is."""
        path = self.root / (stdin or "")
        return path.read_text() if path.is_file() else stdin

    def edit(self):
        """Changes the tree as people do: a new secret and its copy, or any other file."""
        if self.rng.random() < 0.3:
            value = self.new_secret()
            with open(self.root / ".env", "a") as file:
                file.write(f"KEY_{len(self.secrets)}_TOKEN={value}\n")
            self.copy(value)
        else:
            self.add_plain()

    def commit(self):
        def git(*words):
            environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
            command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(self.root), *words]
            subprocess.run(command, check=True, capture_output=True, env=environment)

        git("init", "-q")
        # Only the history has this one: the next commit removes its file.
        self.write("config/old.properties", f"db.password={self.new_secret()}\n")
        git("add", "config/old.properties")
        git("commit", "-qm", f"Begin the handshake with {self.secrets[0]}")
        (self.root / "config/old.properties").unlink()
        git("add", "-A")
        git("commit", "-qm", f"Describe the handshake with {self.secrets[0]}")
        self.write("config/staged.properties", f"db.password={self.new_secret()}\n")
        git("add", "config/staged.properties")

    def leaked(self, text):
        """Returns the secrets that `text` shows, as they are or escaped."""
        shown = readings(text) if any(re.search(r'[&<"%@!]', value) for value in self.secrets) else [text]
        return {value for reading in shown for value in list(self.secrets) if value in reading}


ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")


def readings(text):
    """Yields a text, and the same without the escapes of JSON, XML, HTML and URLs. An answer
    may have several layers of them, such as XML inside of JSON."""
    yield text
    for _ in range(3):
        plain = ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)
        plain = unquote(html.unescape(plain), errors="replace")
        if plain == text:
            return
        text = plain
        yield text
