"""Other ways to find what an import means: path search with `ast`, the TypeScript
compiler's resolution, `go list`, declarations found by regular expressions, and
rust-analyzer's SCIP. Each answers with paths below its folder, or with nothing where an
import points outside."""

import ast
import collections
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parent.parent / "recall"))
import own_tools  # noqa: E402


class Oracle:
    languages: set = set()

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def prepare(self, found):
        """Looks at imports before they are asked for."""

    def has(self, path):
        return (self.folder / path).is_file()


class Python(Oracle):
    """Roots are the repository, the folder of tests and the folder of a script."""

    languages = {"python"}

    def files(self, file, one):
        node = self.node(file["path"], one)
        if node is None:
            return set()
        folder = pathlib.PurePosixPath(file["path"]).parent
        if isinstance(node, ast.Import):
            return self.search(self.roots(folder), one["module"], None)
        if node.level:
            base = folder
            for _ in range(node.level - 1):
                base = base.parent
            roots = [base]
        else:
            roots = self.roots(folder)
        return set().union(*(self.search(roots, node.module or "", alias.name) for alias in node.names))

    def roots(self, folder):
        # A folder that is a package is not on the path: what holds it is.
        package = folder
        while self.has(package / "__init__.py"):
            package = package.parent
        return [package, pathlib.PurePosixPath("."), pathlib.PurePosixPath("tests")]

    @functools.lru_cache(maxsize=None)
    def tree(self, path):
        try:
            return ast.parse((self.folder / path).read_bytes())
        except SyntaxError:
            return None

    def node(self, path, one):
        tree = self.tree(path)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, (ast.Import, ast.ImportFrom)) and node.lineno == one["line"]:
                return node
        return None

    def search(self, roots, module, name):
        for root in roots:
            at = root.joinpath(*module.split(".")) if module else root
            if name and name != "*":
                inner = self.module(at / name)
                if inner:
                    return {inner}
            found = self.module(at)
            if found:
                return {found}
        return set()

    def module(self, at):
        for path in (at / "__init__.py", at.with_name(at.name + ".py") if at.name else at):
            if self.has(path):
                return str(path)
        return None


class TypeScript(Oracle):
    """`ts.resolveModuleName`, with the packages of the workspace linked as npm links them."""

    languages = {"typescript", "tsx", "javascript", "jsx"}

    def prepare(self, found):
        questions = "".join(json.dumps({"path": file["path"], "module": one["module"]}) + "\n" for file, one in found)
        script = pathlib.Path(__file__).parent / "resolve.js"
        done = subprocess.run(["node", script, self.folder], input=questions.encode(), capture_output=True, check=True)
        self.answers = {}
        for (file, one), line in zip(found, done.stdout.splitlines()):
            self.answers[(file["path"], one["module"])] = json.loads(line)

    def files(self, file, one):
        found = self.answers.get((file["path"], one["module"]))
        return {found} if found else set()


class Go(Oracle):
    """`go list`, which reads the workspace and `vendor`."""

    languages = {"go"}

    def prepare(self, found):
        paths = sorted({one["module"] for _, one in found} - {"C"})
        self.folders = {}
        for at in range(0, len(paths), 300):
            command = ["go", "list", "-find", "-e", "-f", "{{.ImportPath}}|{{.Dir}}|{{.Standard}}", *paths[at : at + 300]]
            done = subprocess.run(command, cwd=self.folder, capture_output=True, env={**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=vendor", "GOPROXY": "off"})
            for line in done.stdout.decode().splitlines():
                path, folder, standard = line.split("|")
                if folder and standard == "false" and folder.startswith(f"{self.folder}/"):
                    self.folders[path] = folder
                    self.folders[path.split("/vendor/")[-1]] = folder

    def files(self, file, one):
        folder = self.folders.get(one["module"])
        if not folder:
            return set()
        names = (name for name in os.listdir(folder) if name.endswith(".go") and not name.endswith("_test.go"))
        return {os.path.relpath(os.path.join(folder, name), self.folder) for name in names}


class Jvm(Oracle):
    """What files say that they declare, by regular expressions."""

    languages = {"java", "kotlin"}
    DECLARED = re.compile(r"^(?:@\S+\s+)*(?:[a-z]+\s+)*?(?:class|interface|object|typealias|@interface|enum|record|fun|val|var)\s+(?:<[^>]*>\s*)?(?:[\w.<>?,* ]+\.)?`?(\w+)", re.M)

    def __init__(self, folder):
        super().__init__(folder)
        self.declared = collections.defaultdict(set)
        self.packages = collections.defaultdict(set)
        for path in self.folder.rglob("*"):
            if path.suffix in {".java", ".kt", ".kts"} and path.is_file():
                self.read(path)

    def read(self, path):
        text = path.read_text("utf-8", "replace")
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        package = re.search(r"^package\s+([\w.`]+)", text, re.M)
        if package:
            package = package.group(1).replace("`", "")
            name = str(path.relative_to(self.folder))
            self.packages[package].add(name)
            for found in self.DECLARED.finditer(text):
                self.declared[(package, found.group(1))].add(name)

    def files(self, file, one):
        names = one.get("names", [])
        if names == ["*"] and one["module"] in self.packages:
            return self.packages[one["module"]]
        parts = one["module"].split(".") + [name for name in names if name != "*"]
        # The package is the longest that declares the next part.
        for at in range(len(parts) - 1, 0, -1):
            found = self.declared.get((".".join(parts[:at]), parts[at]))
            if found:
                return found
        return set()


class Rust(Oracle):
    """The modules that rust-analyzer names at the words of a `use` or `mod`."""

    languages = {"rust"}

    def __init__(self, folder):
        super().__init__(folder)
        with tempfile.TemporaryDirectory() as scratch:
            output = os.path.join(scratch, "index.scip")
            subprocess.run(["rust-analyzer", "scip", folder, "--output", output], capture_output=True, check=True)
            index = pathlib.Path(output).read_bytes()
        self.defined, self.words, self.lines = {}, collections.defaultdict(list), {}
        for document in own_tools.fields(index, 2):
            self.read(document)

    def read(self, document):
        path = own_tools.fields(document, 1)[0].decode()
        if not self.has(path):
            return
        lines = (self.folder / path).read_text("utf-8", "replace").split("\n")
        for occurrence in own_tools.fields(document, 2):
            symbol = own_tools.fields(occurrence, 2)[0].decode()
            place = own_tools.numbers(own_tools.fields(occurrence, 1)[0])
            roles = own_tools.fields(occurrence, 3)
            is_definition = bool(roles and roles[0] & 1)
            if symbol.endswith("/") and is_definition and place[:2] == [0, 0]:
                self.defined[symbol] = path
            end = place[2] if len(place) == 3 else place[3]
            word = lines[place[0]].encode()[place[1] : end].decode("utf-8", "replace")
            if not symbol.startswith("local"):
                self.words[(path, place[0] + 1)].append((word, symbol))
        self.lines[path] = lines

    def statement(self, path, line):
        """The words of the statement that starts at a line."""
        lines = self.lines.get(path, [])
        end = line
        while end < len(lines) and ";" not in lines[end - 1]:
            end += 1
        return [pair for at in range(line, end + 1) for pair in self.words[(path, at)]]

    def files(self, file, one):
        words = dict(reversed(self.statement(file["path"], one["line"])))
        last = one["module"].split("::")[-1]
        if one["kind"] == "module":
            names = [last]
        else:
            names = [name for name in one.get("names", []) if name not in {"*", "self"}] or [last]
        found = set()
        for name in names:
            # `use a::{b::C}`: the name is a path.
            before, _, name = name.rpartition("::")
            module = f"{one['module']}::{before}" if before else one["module"]
            own = self.defined.get(words.get(name, ""))
            above = self.defined.get(self.above(words.get(name, ""))) or self.defined.get(words.get(last, ""))
            path = own or self.module_of(words, module) or above
            if not path:
                return set()
            found.add(path)
        return found

    def module_of(self, words, module):
        """The file of the last part of a path that is a module with a file."""
        for part in reversed(module.split("::")):
            if self.defined.get(words.get(part, "")):
                return self.defined[words[part]]
        return None

    def above(self, symbol):
        return symbol[: symbol.rstrip("/").rfind("/") + 1]


ORACLES = {"python": Python, "typescript": TypeScript, "go": Go, "jvm": Jvm, "rust": Rust}
