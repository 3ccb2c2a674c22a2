//! Boundaries of chunks: by language, by strategy, in conversations and logs.

use loom_base::RepoPath;
use loom_chunk::{ChunkOptions, Strategy, TextChunk, chunks};
use loom_syntax::Language;
use loom_tokens::{Ruler, Vocabulary};

fn cut(path: &str, text: &str, options: &ChunkOptions) -> Vec<TextChunk> {
    let path = RepoPath::new(path).unwrap();
    let language = Language::detect(&path, text);
    let ruler = Ruler::new(Vocabulary::O200kBase, text);
    chunks(&path, language, text, options, &ruler)
}

fn options(strategy: Strategy, tokens: usize) -> ChunkOptions {
    ChunkOptions::new(strategy, tokens, Some(0)).unwrap()
}

/// Compares chunks: each is its context, a line of dashes and its trimmed text; `====` separates
/// chunks.
fn check(path: &str, text: &str, options: &ChunkOptions, expected: &str) {
    let actual = cut(path, text, options).into_iter().map(|chunk| {
        let text = &text[chunk.span.range()];
        match chunk.context.is_empty() {
            true => text.trim().to_owned(),
            false => format!("{}--\n{}", chunk.context, text.trim_matches('\n')),
        }
    });
    let actual = actual.collect::<Vec<_>>().join("\n====\n");
    assert_eq!(actual, expected.trim_matches('\n'), "{path}");
}

const PYTHON: &str = "import os

class Shop(Base):
    \"\"\"Sells things to people who come in and ask for them.\"\"\"

    def sell(self, name, price):
        till = self.till.open()
        till.add(name, price)
        return till.close()

    def count(self, names):
        found = [name for name in names if name in self.stock]
        return len(found)

def main():
    print(Shop().sell('bread', 3))
";

#[test]
fn symbol_that_fits_is_whole_and_has_its_parents_as_context() {
    check(
        "a.py",
        PYTHON,
        &options(Strategy::Semantic, 64),
        "
import os

class Shop(Base):
    \"\"\"Sells things to people who come in and ask for them.\"\"\"

    def sell(self, name, price):
        till = self.till.open()
        till.add(name, price)
        return till.close()
====
class Shop(Base)
--
    def count(self, names):
        found = [name for name in names if name in self.stock]
        return len(found)

def main():
    print(Shop().sell('bread', 3))
",
    );
}

#[test]
fn long_function_is_cut_at_its_statements() {
    let text = "fn long() {
    let first = read_the_first_of_all_values();
    if first.is_large() {
        say_that_it_is_large(first);
        say_that_it_is_very_large(first);
    }

    let second = read_the_second_of_all_values();
    say_that_it_is_large(second);
}
";
    check(
        "a.rs",
        text,
        &options(Strategy::Semantic, 48),
        "
fn long() {
    let first = read_the_first_of_all_values();
    if first.is_large() {
        say_that_it_is_large(first);
        say_that_it_is_very_large(first);
    }
====
fn long()
--
    let second = read_the_second_of_all_values();
    say_that_it_is_large(second);
}
",
    );
}

#[test]
fn symbol_strategy_puts_each_function_in_its_own_chunk() {
    let body = "    take(the, first, thing);\n".repeat(12);
    let text = format!(
        "use a::b;\n\n/// Docs.\npub fn one() {{\n{body}}}\n\nconst A: u8 = 1;\nconst B: u8 = 2;\n\nimpl C {{\n    fn two() {{\n{body}    }}\n    fn three() {{\n{body}    }}\n}}\n"
    );
    let found = cut("a.rs", &text, &options(Strategy::Symbol, 1000));
    let names: Vec<_> = found.iter().map(|chunk| chunk.symbols.join(" ")).collect();
    assert_eq!(names, ["one", "A B C C::two", "C::three"]);
    assert_eq!(found[2].context, "impl C\n");
    assert!(text[found[0].span.range()].starts_with("use a::b;"));
}

/// A function of each language.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "a.rs",
        "/// Says so.\nfn NAME(a: u8) -> u8 {\n    let b = a + 1;\n    b * 2\n}\n\n",
    ),
    (
        "a.py",
        "@wrapped\ndef NAME(a):\n    b = a + 1\n    return b * 2\n\n",
    ),
    (
        "a.go",
        "// NAME says so.\nfunc NAME(a int) int {\n\tb := a + 1\n\treturn b * 2\n}\n\n",
    ),
    (
        "a.ts",
        "export function NAME(a: number) {\n  const b = a + 1;\n  return b * 2;\n}\n\n",
    ),
    (
        "a.js",
        "/** Says so. */\nfunction NAME(a) {\n  const b = a + 1;\n  return b * 2;\n}\n\n",
    ),
    (
        "a.c",
        "int NAME(int a)\n{\n\tint b = a + 1;\n\treturn b * 2;\n}\n\n",
    ),
    (
        "a.cpp",
        "static int NAME(int a) {\n  int b = a + 1;\n  return b * 2;\n}\n\n",
    ),
    (
        "a.rb",
        "# Says so.\ndef NAME(a)\n  b = a + 1\n  b * 2\nend\n\n",
    ),
    (
        "a.kt",
        "fun NAME(a: Int): Int {\n    val b = a + 1\n    return b * 2\n}\n\n",
    ),
    (
        "a.swift",
        "func NAME(a: Int) -> Int {\n    let b = a + 1\n    return b * 2\n}\n\n",
    ),
    (
        "a.scala",
        "def NAME(a: Int): Int = {\n  val b = a + 1\n  b * 2\n}\n\n",
    ),
    ("a.sh", "NAME() {\n  b=$((a + 1))\n  echo $((b * 2))\n}\n\n"),
];

/// In each language a function that fits is in one chunk.
#[test]
fn functions_are_whole_in_every_language() {
    for (path, function) in FUNCTIONS {
        let functions = (0..40).map(|at| function.replace("NAME", &format!("name{at}")));
        let functions: Vec<String> = functions.collect();
        let text = functions.concat();
        for strategy in [Strategy::Semantic, Strategy::Symbol] {
            let found = cut(path, &text, &options(strategy, 100));
            assert!(found.len() > 5, "{path} {}", found.len());
            for function in &functions {
                let held = |chunk: &&TextChunk| text[chunk.span.range()].contains(function.trim());
                assert_eq!(found.iter().filter(held).count(), 1, "{path}: {function}");
            }
        }
    }
}

#[test]
fn methods_are_whole_and_have_their_class_as_context() {
    for (path, open, close) in [
        ("A.java", "class A {\n", "}\n"),
        ("A.cs", "class A {\n", "}\n"),
        ("a.php", "<?php\nclass A {\n", "}\n"),
    ] {
        let function = |at: usize| {
            format!(
                "    public function name{at}($a) {{\n        $b = $a + 1;\n        return $b * 2;\n    }}\n\n"
            )
        };
        let method = |at: usize| {
            format!(
                "    public int name{at}(int a) {{\n        int b = a + 1;\n        return b * 2;\n    }}\n\n"
            )
        };
        let make = |at| {
            if path.ends_with("php") {
                function(at)
            } else {
                method(at)
            }
        };
        let methods: Vec<String> = (0..40).map(make).collect();
        let text = format!("{open}{}{close}", methods.concat());
        let found = cut(path, &text, &options(Strategy::Semantic, 100));
        for method in &methods {
            let held = |chunk: &&TextChunk| text[chunk.span.range()].contains(method.trim());
            assert_eq!(found.iter().filter(held).count(), 1, "{path}: {method}");
        }
        assert!(
            found[1..].iter().all(|chunk| chunk.context == "class A\n"),
            "{path}"
        );
    }
}

#[test]
fn sections_of_documents_have_their_titles_as_context() {
    let words = "Some words of a sentence that goes on for a while. ".repeat(3);
    let text = format!(
        "# Guide\n\n{words}\n\n## First\n\n{words}\n\n### Deep\n\n{words}\n\n## Second\n\n{words}\n"
    );
    let found = cut("guide.md", &text, &options(Strategy::Semantic, 60));
    let actual = found.iter().map(|chunk| {
        (
            chunk.kind.name(),
            chunk.context.as_str(),
            chunk.symbols.join(", "),
        )
    });
    let expected = [
        ("document", "", "Guide".to_owned()),
        ("document", "# Guide\n", "Guide > First".to_owned()),
        (
            "document",
            "# Guide\n## First\n",
            "Guide > First > Deep".to_owned(),
        ),
        ("document", "# Guide\n", "Guide > Second".to_owned()),
    ];
    assert_eq!(actual.collect::<Vec<_>>(), expected);
}

#[test]
fn conversations_are_cut_at_messages() {
    let words = "and some more words ".repeat(8);
    let line =
        |role: &str, at: usize| format!("{{\"role\":\"{role}\",\"content\":\"{at} {words}\"}}\n");
    let lines: Vec<String> = (0..20)
        .map(|at| line(["user", "assistant"][at % 2], at))
        .collect();
    let whole = options(Strategy::Fixed, 128);
    let jsonl = lines.concat();
    let listed = lines
        .iter()
        .map(|line| line.trim_end())
        .collect::<Vec<_>>()
        .join(",\n  ");
    let json = format!("{{\"model\":\"m\",\"messages\":[\n  {listed}\n]}}\n");
    let turns =
        (0..20).map(|at| format!("**{}:** {at} {words}\n\n", ["User", "Assistant"][at % 2]));
    let markdown = turns.clone().collect::<String>();
    for (path, text) in [
        ("chat.jsonl", &jsonl),
        ("chat.json", &json),
        ("chat.md", &markdown),
    ] {
        let found = cut(path, text, &whole);
        assert!(found.len() > 5, "{path}");
        for chunk in &found {
            assert_eq!(chunk.kind.name(), "conversation", "{path}");
            assert!(
                chunk.records > 0 && !chunk.roles.is_empty(),
                "{path} {chunk:?}"
            );
        }
        let messages: usize = found.iter().map(|chunk| chunk.records).sum();
        assert_eq!(messages, 20, "{path}: none is in two chunks");
    }
    // The overlap is a whole message or empty.
    let overlapping = ChunkOptions::new(Strategy::Semantic, 200, Some(80)).unwrap();
    for chunk in &cut("chat.jsonl", &jsonl, &overlapping)[1..] {
        assert!(chunk.overlap > 0 && jsonl[chunk.span.range()].starts_with("{\"role\""));
    }
}

#[test]
fn logs_are_cut_at_records_with_severities() {
    let mut text = String::new();
    for at in 10..50 {
        let level = if at == 20 { "ERROR" } else { "INFO" };
        text += &format!("2026-01-02 03:04:{at} {level} worker: something happened here\n");
        if at == 20 {
            text += "Traceback (most recent call last):\n  File \"a.py\", line 3\nValueError: no\n";
        }
    }
    let found = cut("app.log", &text, &options(Strategy::Semantic, 120));
    assert!(found.len() > 4);
    let records: usize = found.iter().map(|chunk| chunk.records).sum();
    assert_eq!(records, 40);
    let highest = |chunk: &TextChunk| chunk.severities.and_then(|all| all.highest());
    let errors: Vec<_> = found
        .iter()
        .filter(|chunk| highest(chunk).is_some_and(|one| one.name() == "error"))
        .collect();
    assert_eq!(errors.len(), 1);
    assert!(
        text[errors[0].span.range()].contains("ERROR worker: something happened here\nTraceback")
    );
    assert!(text[errors[0].span.range()].contains("ValueError: no\n"));
    assert!(
        found
            .iter()
            .all(|chunk| text[chunk.span.range()].starts_with("2026-"))
    );
}

#[test]
fn overlap_is_whole_lines_and_counted() {
    let text: String = (0..200)
        .map(|at| format!("line {at} of some text\n"))
        .collect();
    let options = ChunkOptions::new(Strategy::Fixed, 100, Some(30)).unwrap();
    let found = cut("a.txt", &text, &options);
    assert!(found.len() > 5);
    assert_eq!(found[0].overlap, 0);
    for (before, chunk) in found.iter().zip(&found[1..]) {
        assert!(chunk.overlap > 0 && chunk.tokens <= 100, "{chunk:?}");
        assert_eq!(chunk.own().start, before.span.end);
        let repeated = &text[chunk.span.start..chunk.own().start];
        assert!(repeated.starts_with("line ") && repeated.ends_with('\n'));
        assert!(Vocabulary::O200kBase.count(repeated) <= 30);
        assert_eq!(
            chunk.lines.last - chunk.lines.first + 1,
            text[chunk.span.range()].lines().count()
        );
    }
}

#[test]
fn empty_text_has_no_chunks() {
    assert_eq!(cut("a.rs", "", &ChunkOptions::default()), []);
    assert_eq!(cut("a.rs", "\n", &ChunkOptions::default()).len(), 1);
}
