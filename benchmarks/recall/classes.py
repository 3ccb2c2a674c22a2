"""Why a definition that universal-ctags names is none of ours: classes, each decided by a rule.

A rule sees the tag of ctags and the source, never our answer. A tag that we do not have and
no rule explains is a miss.
"""

import bisect
import functools
import pathlib
import re

from pygments import lexers
from pygments.token import Comment, String
from pygments.util import ClassNotFound

FUNCTIONS = {"function", "method", "func", "generator", "singletonMethod", "constructor", "getter", "setter"}


class Source:
    """A file: its lines, and which places are strings and comments by pygments."""

    def __init__(self, path):
        self.path = path
        self.text = pathlib.Path(path).read_bytes().decode("utf-8", "replace")
        self.lines = self.text.split("\n")

    def line(self, number):
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    @functools.cached_property
    def quoted(self):
        """Spans of strings and comments."""
        try:
            lexer = lexers.get_lexer_for_filename(self.path, stripnl=False, ensurenl=False)
        except ClassNotFound:
            return [], []
        starts, ends = [], []
        for at, kind, value in lexer.get_tokens_unprocessed(self.text):
            if (kind in String and kind not in String.Symbol) or (kind in Comment and kind not in Comment.Preproc):
                starts.append(at)
                ends.append(at + len(value))
        return starts, ends

    def is_quoted(self, number, name):
        """Whether the name stands in a string or comment everywhere on its line."""
        start = sum(len(line) + 1 for line in self.lines[: number - 1])
        starts, ends = self.quoted
        places = [m.start() for m in re.finditer(re.escape(name), self.line(number))]
        if not places:
            return False
        for place in places:
            at = bisect.bisect_right(starts, start + place) - 1
            if at < 0 or ends[at] <= start + place:
                return False
        return True


def made_up(tag, source):
    """ctags gives names to what has none."""
    return bool(re.match(r"__anon|[aA]nonymous|AnonymousFunction|AnonymousClass|<lambda>|function[0-9a-f]{8,}", tag["name"]))


def quoted(tag, source):
    """A word in a string or comment that ctags takes for code."""
    return source.is_quoted(tag["line"], tag["name"])


def local(tag, source):
    """A variable or constant that ctags itself places in a function."""
    kinds = {"variable", "constant", "var", "const", "property", "class"}
    if tag["kind"] not in kinds or tag["language"] not in {"Kotlin", "JavaScript", "TypeScript", "C", "C++", "Go", "Java"}:
        return False
    return tag.get("scopeKind") in FUNCTIONS and not re.search(r"\bclass\b", source.line(tag["line"]))


def indented_local(tag, source):
    """A `val` or `var` of Kotlin inside a function, whose scope ctags does not know.

    Braces tell: the innermost open one belongs to no class, object or interface.
    """
    if tag["language"] != "Kotlin" or tag["kind"] not in {"variable", "constant"}:
        return False
    return kotlin_holder(source, tag["line"]) == "code"


@functools.lru_cache(maxsize=4)
def kotlin_code(source):
    """The text with strings and comments blanked."""
    text = list(source.text)
    for start, end in zip(*source.quoted):
        for at in range(start, end):
            if text[at] != "\n":
                text[at] = " "
    return "".join(text).split("\n")


def kotlin_holder(source, number):
    """What the innermost open brace before a line belongs to: `type` or `code`."""
    lines = kotlin_code(source)
    depth = 0
    for at in range(number - 2, -1, -1):
        for column in range(len(lines[at]) - 1, -1, -1):
            sign = lines[at][column]
            if sign == "}":
                depth += 1
            elif sign == "{" and depth:
                depth -= 1
            elif sign == "{":
                # The head may stand on several lines: up to the end of the block before.
                head = ("\n".join(lines[max(0, at - 40) : at]) + "\n" + lines[at][:column]).replace("\n", " ")
                head = re.split(r"[{};]", head)[-1]
                # A function after the word means that it is the function's body.
                word = list(re.finditer(r"\b(class|interface|object|fun|get|set|init|constructor|if|for|while|when|try|val|var)\b", head))
                last = word[-1].group(1) if word else ""
                is_type = any(m.group(1) in {"class", "interface", "object"} for m in word) and last not in {"fun", "get", "set", "init", "if", "for", "while", "when", "try"}
                return "type" if is_type else "code"
    return "file"


def kotlin_parameter(tag, source):
    """A parameter of a lambda, loop or `catch` that ctags of Kotlin takes for a method or constant."""
    if tag["language"] != "Kotlin":
        return False
    name = re.escape(tag["name"].strip("`"))
    return not re.search(rf"\b(fun|class|interface|object|typealias|val|var|enum)\b[^=]*?`?{name}\b", source.line(tag["line"]))


def import_alias(tag, source):
    """A name in a list of imports or exports, which ctags of TypeScript calls an alias."""
    if tag["kind"] != "alias" or tag["language"] != "TypeScript":
        return False
    name = re.escape(tag["name"])
    return not re.search(rf"\btype\s+{name}\s*(<|=|$)", source.line(tag["line"])) or bool(re.match(r"\s*(import|export)?\s*\{?\s*type\s+\w+\s*(,|\}|$)", source.line(tag["line"])))


def object_value(tag, source):
    """A variable that holds an object or the result of a call, which ctags of JavaScript calls a class."""
    if tag["kind"] != "class" or tag["language"] not in {"JavaScript", "TypeScript"}:
        return False
    return not re.search(rf"\bclass\s+{re.escape(tag['name'])}\b|\bfunction\s*\*?\s*{re.escape(tag['name'])}\b|\bclass\b", source.line(tag["line"]))


def named_expression(tag, source):
    """The name of a function that is a value: only the function itself sees it."""
    if tag["language"] not in {"JavaScript", "TypeScript"} or tag["kind"] not in FUNCTIONS | {"class"}:
        return False
    before = re.match(rf"(.*?)\bfunction\b\s*\*?\s*{re.escape(tag['name'])}\b", source.line(tag["line"]))
    return bool(before) and before.group(1).strip() not in {"", "export", "export default", "async", "export async", "export default async", "export default (async", "export default (", "export declare", "declare"}


def object_for_member(tag, source):
    """The name of an object, where the function goes to a member of it: `a[b] = function`, `a.b = function`."""
    if tag["language"] not in {"JavaScript", "TypeScript"}:
        return False
    name = re.escape(tag["name"])
    return bool(re.search(rf"\b{name}\s*(\[[^\]]*\]|\.[\w.]+)\s*=", source.line(tag["line"])))


def value_in_function(tag, source):
    """A function in an object, or of a value, that ctags itself places in a function."""
    if tag["language"] not in {"JavaScript", "TypeScript"} or tag["kind"] not in FUNCTIONS | {"field", "property"}:
        return False
    line = source.line(tag["line"])
    name = re.escape(tag["name"])
    is_member = re.search(rf"['\"]?{name}['\"]?\s*(:|\()|\.{name}\s*=|\b{name}\s*=", line) and not re.search(rf"\bfunction\s*\*?\s*{name}\b|^\s*(static |async |get |set )*{name}\s*\([^)]*\)\s*{{", line)
    return bool(is_member) and ("." in tag.get("scope", "") or tag.get("scopeKind") in FUNCTIONS | {"class", "variable"} or "anonymous" in tag.get("scope", "").lower())


def macro_name(tag, source):
    """A word in capitals before a bracket: a macro that is called, where ctags sees a definition."""
    if tag["language"] not in {"C", "C++"} or not re.fullmatch(r"[A-Z][A-Z0-9_]*", tag["name"]):
        return False
    return bool(re.search(rf"\b{re.escape(tag['name'])}\s*\(", source.line(tag["line"]))) and not re.match(rf"\s*#\s*define\s+{re.escape(tag['name'])}\b", source.line(tag["line"]))


def type_for_name(tag, source):
    """A type that ctags takes for the name: `static X: &'static str`, `impl Trait for [u8]`."""
    if tag["language"] != "Rust":
        return False
    name = re.escape(tag["name"])
    return bool(re.search(rf"'static\s+(mut\s+)?{name}\b|\[{name}\]", source.line(tag["line"])))


def annotation(tag, source):
    """An annotation of a constant, and `true` or `false` after `default`, of Java."""
    if tag["language"] != "Java":
        return False
    return tag["name"] in {"true", "false", "null"} or f"@{tag['name']}" in source.line(tag["line"])


def attribute_selector(tag, source):
    """An attribute in `[…]`, or a selector cut at one, of CSS."""
    if tag["language"] != "CSS":
        return False
    return "[" in source.line(tag["line"]) and (f"[{tag['name']}" in source.line(tag["line"]) or "[" in tag["name"])


def type_parameter(tag, source):
    """A parameter in a constraint: `where T : class`."""
    return tag["language"] == "C#" and bool(re.search(rf"where\s+\w+\s*:\s*(class|struct)", source.line(tag["line"])))


def statement(tag, source):
    """A statement of C# that ctags takes for a declaration: the line calls or assigns a member."""
    return tag["language"] == "C#" and "." in tag["name"]


def lambda_value(tag, source):
    """A lambda in a local variable of Python, which `ast` does not call a function either."""
    return tag["language"] == "Python" and bool(re.search(rf"\b{re.escape(tag['name'])}\s*=\s*lambda\b", source.line(tag["line"])))


def member_of_value(tag, source):
    """`def value.method` of Ruby, where ctags gives the value."""
    return tag["language"] == "Ruby" and bool(re.search(rf"def\s+{re.escape(tag['name'])}\.\w", source.line(tag["line"])))


def dialect(tag, source):
    """zsh, templates of shell files and assignments of arrays: not Bash."""
    if tag["language"] != "Sh":
        return False
    first = source.line(1)
    is_array = re.match(rf"\s*{re.escape(tag['name'].rstrip('='))}=\(\)", source.line(tag["line"]))
    return "zsh" in first or source.path.endswith((".zsh", ".in")) or bool(is_array)


def preprocessed(tag, source):
    """Code that is C only after the preprocessor: a directive inside an expression or list."""
    if tag["language"] not in {"C", "C++"}:
        return False
    line = source.line(tag["line"])
    around = "\n".join(source.lines[max(0, tag["line"] - 4) : tag["line"] + 12])
    is_cut = re.search(r"[={,]\s*\n\s*#\s*(if|define|ifdef|ifndef)", around)
    return bool(is_cut) or ("#define" in line.replace(" ", "") and is_in_list(source, tag["line"]))


def is_in_list(source, number):
    """Whether a line stands in an initialiser or in a list of enumerators."""
    before = "\n".join(source.lines[max(0, number - 30) : number - 1])
    open_brace = before.rfind("{")
    return open_brace > before.rfind("}") and bool(re.search(r"=\s*\{[^{}]*$|\benum\b[^{}]*\{[^{}]*$", before))


def macro_typed(tag, source):
    """A declaration in which a macro stands between type and name, or is the type."""
    if tag["language"] not in {"C", "C++"} or tag["kind"] not in {"variable", "typedef", "function", "member"}:
        return False
    lines = " ".join(source.lines[max(0, tag["line"] - 2) : tag["line"]])
    return bool(re.search(rf"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b(\([^()]*\))?[\s*]+{re.escape(tag['name'])}\b", lines))


def file_module(tag, source):
    """A file as a module, which has no name of its own in it; `extern crate`."""
    return tag["language"] == "Rust" and tag["kind"] == "module" and (not tag["name"] or "extern crate" in source.line(tag["line"]))


def macro_made(tag, source):
    """A definition that a macro of Rust makes of its arguments: it stands in the call."""
    if tag["language"] != "Rust":
        return False
    start = sum(len(line) + 1 for line in source.lines[: tag["line"] - 1])
    column = max(source.line(tag["line"]).find(tag["name"]), 0)
    text, depth = source.text[: start + column], 0
    for at in range(len(text) - 1, max(len(text) - 20_000, -1), -1):
        if text[at] in ")]}":
            depth += 1
        elif text[at] in "([{" and depth:
            depth -= 1
        elif text[at] in "([{" and re.search(r"\b(?!macro_rules\b)\w+!\s*$", text[max(0, at - 60) : at]):
            return True
    return False


def go_local(tag, source):
    """A name inside a function of Go: the last line before it that is indented less opens one."""
    if tag["language"] != "Go":
        return False
    line = source.line(tag["line"])
    depth = len(line) - len(line.lstrip("\t"))
    for before in reversed(source.lines[: tag["line"] - 1]):
        indent = len(before) - len(before.lstrip("\t"))
        if before.strip() and indent < depth:
            depth = indent
            if re.match(r"\t*(func\b|(var\s+)?\w+(\s.*)?=\s*func\b)", before):
                return True
    return False


CLASSES = [file_module, go_local, made_up, import_alias, type_for_name, annotation, attribute_selector, type_parameter, lambda_value, member_of_value, macro_name, dialect, quoted, local, indented_local, kotlin_parameter, object_value, named_expression, object_for_member, value_in_function, statement, preprocessed, macro_typed, macro_made]


def explain(tag, source):
    """The first class that a tag belongs to, or None."""
    for rule in CLASSES:
        if rule(tag, source):
            return rule.__name__
    return None
