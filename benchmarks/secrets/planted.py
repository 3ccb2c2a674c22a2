"""Plants the cases of `crates/secrets/tests/cases` into real files and scans them.

Each document of the cases keeps its path and gets the text of a real file of the same kind
around it, at a position that the seed decides. Without `--packages` the real files are those
of this repository; with it, packages of `packages/*.txt` that cargo, pip and npm download.

    python3 benchmarks/secrets/planted.py --binary PROGRAM [--packages DIR] [--rounds N] [--seed N]

The exit status is 1 above 1 % missed secrets or 2 % false findings.
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True

import damage  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "crates/secrets/tests/cases"
EACH = 10
LARGEST = 200_000
MOST_MISSED, MOST_FALSE = 0.01, 0.02
# The first line of a table names its columns, so a second table cannot follow the first.
TABLES = (".csv", ".tsv")
MARKS = {"⟦": None, "⟨": None, "⟧": "secrets", "⟩": "harmless"}


@dataclass
class Document:
    """A document of the cases, without its marks. Places are ranges of characters."""

    path: str
    text: str = ""
    secrets: list = field(default_factory=list)
    harmless: list = field(default_factory=list)


class Few(damage.Lists):
    """Ten packages of each list, drawn by the seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(damage.LISTS, "")
        self.seed = seed

    def read(self, name: str) -> list[tuple[str, str]]:
        return sorted(random.Random(self.seed).sample(super().read(name), EACH))


def documents(all_text: str) -> list[Document]:
    """Reads a file of cases: `=== PATH` begins a document, `⟦…⟧` marks a secret and `⟨…⟩` a
    look-alike."""
    return [document(*part.split("\n", 1)) for part in all_text.removeprefix("=== ").split("\n=== ")]


def document(path: str, body: str) -> Document:
    one, begin, text = Document(path), 0, []
    for character in body:
        if character not in MARKS:
            text.append(character)
        elif (kind := MARKS[character]) is None:
            begin = len(text)
        else:
            getattr(one, kind).append(range(begin, len(text)))
    one.text = "".join(text)
    return one


def kind_of(path: str) -> str:
    """Returns the ending of a path, or its name if it has none: `.env.local` is an `.env`."""
    name = path.rsplit("/", 1)[-1]
    if name.startswith(".env"):
        return ".env"
    ending = Path(name).suffix or name
    return {".yaml": ".yml", ".cfg": ".ini", ".conf": ".ini", ".markdown": ".md"}.get(ending, ending)


def hosts_in(files: list[Path]) -> dict[str, list[Path]]:
    hosts = collections.defaultdict(list)
    for file in sorted(files):
        if file.is_file() and not file.is_symlink() and 0 < file.stat().st_size <= LARGEST:
            hosts[kind_of(str(file))].append(file)
    return hosts


def own_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    # A file with cases would plant others than those that are counted.
    return [ROOT / name for name in listed.split("\0") if name and not name.startswith("crates/secrets/")]


def package_files(folder: Path, seed: int) -> list[Path]:
    few = Few(seed)
    for fetch in (damage.rust, damage.python, damage.npm):
        fetch(folder, few)
    return [file for name in ("rust", "python", "npm") for file in (folder / name).rglob("*")]


def around(host: str, kind: str, rng: random.Random) -> tuple[str, str]:
    """Splits a host at a place where a person could add text of the same kind."""
    if kind == ".json":
        return f'{{\n"package":\n{host.strip()},\n"planted":\n', "\n}\n"
    if kind in (".yml", ".xml", ".html"):
        # A document of its own, before or after the other.
        line = "---\n" if kind == ".yml" else ""
        return rng.choice([("", f"\n{line}{host}"), (f"{host.rstrip()}\n{line}", "")])
    lines = host.splitlines(keepends=True)
    # Before a line at the margin that follows an empty one.
    places = [at for at in range(1, len(lines)) if not lines[at - 1].strip() and lines[at][:1].strip()]
    at = rng.choice([*places, len(lines)])
    before = "".join(lines[:at])
    before += "" if before.endswith("\n") or not before else "\n"
    return before, "\n" + "".join(lines[at:])


@dataclass
class Planted:
    """A document in its host: the file, and where in it the document begins."""

    path: str
    document: Document
    begin: int
    text: str


def plant(one: Document, hosts: dict[str, list[Path]], number: int, rng: random.Random) -> Planted:
    kind = kind_of(one.path)
    choice = hosts.get(kind) if kind not in TABLES else None
    before, after = "", ""
    if choice:
        host = rng.choice(choice).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        before, after = around(host, kind, rng)
    return Planted(f"p{number}/{one.path}", one, len(before), before + one.text + after)


def scan(binary: str, folder: Path) -> dict[str, list]:
    """Returns (line, column, end line, end column) of the findings of each file, from 1. Only
    SARIF names the end of a finding."""
    command = [binary, "scan", *damage.OPTIONS, "--format", "sarif", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    found = collections.defaultdict(list)
    for result in json.loads(done.stdout)["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        end = (region.get("endLine", region["startLine"]), region["endColumn"])
        found[place["artifactLocation"]["uri"]].append((region["startLine"], region["startColumn"], *end))
    return found


def spans(text: str, regions: list) -> list[range]:
    """Turns lines and columns into ranges of characters."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    at = lambda line, column: starts[line - 1] + column - 1  # noqa: E731
    return [range(at(line, column), at(end, until)) for line, column, end, until in regions]


def judge(one: Planted, found: list[range]) -> tuple[list[str], list[str]]:
    """Returns the secrets that findings do not cover, and findings in the document that are
    look-alikes or nothing. Findings in the host are those of `damage.py`."""
    document, own = one.document, range(one.begin, one.begin + len(one.document.text))
    inside = [range(span.start - one.begin, span.stop - one.begin) for span in found if touch(span, own)]
    covered = {at for span in inside for at in span}
    is_space = lambda at: document.text[at].isspace() or document.text[at] == "\\"  # noqa: E731
    missed = [s for s in document.secrets if not all(is_space(at) or at in covered for at in s)]
    false = [
        span for span in inside
        if any(touch(span, other) for other in document.harmless)
        or not any(touch(span, other) for other in document.secrets)
    ]
    show = lambda span: f"{one.path}: {document.text[max(span.start, 0):span.stop]!r}"  # noqa: E731
    return [show(span) for span in missed], [show(span) for span in false]


def touch(a: range, b: range) -> bool:
    return a.start < b.stop and b.start < a.stop


def run(binary: str, hosts: dict[str, list[Path]], rounds: int, seed: int) -> tuple[list[Planted], list, list]:
    rng, planted, missed, false = random.Random(seed), [], [], []
    cases = [one for file in sorted(CASES.glob("*.txt")) for one in documents(file.read_text())]
    # No command reads the insides of `.git`, and `(message)` is no file; the tests of the scanner cover these.
    cases = [one for one in cases if not one.path.startswith((".git/", "("))]
    with tempfile.TemporaryDirectory() as place:
        for one in cases * rounds:
            planted.append(plant(one, hosts, len(planted), rng))
            file = Path(place) / planted[-1].path
            file.parent.mkdir(parents=True)
            file.write_text(planted[-1].text, newline="")
        found = scan(binary, Path(place))
    for one in planted:
        lost, wrong = judge(one, spans(one.text, found[one.path]))
        missed += lost
        false += wrong
    return planted, missed, false


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="our program")
    parser.add_argument("--packages", type=Path, help="directory for downloaded packages")
    parser.add_argument("--rounds", type=int, default=1, help="how often each case is planted [1]")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = package_files(options.packages.resolve(), options.seed) if options.packages else own_files()
    hosts = hosts_in(files)
    planted, missed, false = run(str(Path(options.binary).resolve()), hosts, options.rounds, options.seed)
    for name, lines in (("missed", missed), ("false", false)):
        for line in lines:
            print(f"{name} {line}")
    secrets = sum(len(one.document.secrets) for one in planted)
    harmless = sum(len(one.document.harmless) for one in planted)
    figures = {
        "documents": len(planted), "documents_in_a_host": sum(len(one.text) > len(one.document.text) for one in planted),
        "host_files": sum(map(len, hosts.values())), "secrets": secrets, "missed": len(missed),
        "look_alikes": harmless, "false": len(false),
    }
    for name, value in figures.items():
        print(f"figure: {name} = {value}")
    is_wrong = len(missed) > secrets * MOST_MISSED or len(false) > harmless * MOST_FALSE or not secrets
    wrong = len(missed) + len(false)
    print(f"test result: {'FAILED' if is_wrong else 'ok'}. {secrets + harmless - wrong} passed; {wrong * is_wrong} failed;")
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
