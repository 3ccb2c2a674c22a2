//! No text stalls or overflows the parser: each limit has a finding.

use loom_syntax::{Depth, FindingKind, Language, Limits, Structure, extract, has_grammar};

use crate::mutated::SOURCES;

fn with_grammar() -> impl Iterator<Item = &'static str> {
    Language::all()
        .filter(|language| has_grammar(*language))
        .map(Language::id)
}

fn of(language: &str, text: &str, limits: &Limits) -> Structure {
    extract(Language::from_id(language).unwrap(), text, limits)
}

fn kinds(structure: &Structure) -> Vec<FindingKind> {
    structure
        .findings
        .iter()
        .map(|finding| finding.kind)
        .collect()
}

/// Returns limits that allow everything, because the walk itself uses no stack.
fn unlimited() -> Limits {
    Limits {
        bytes: usize::MAX,
        line: usize::MAX,
        brackets: usize::MAX,
        all: true,
        ..Limits::default()
    }
}

/// A text may end anywhere. The scanner of Kotlin did not terminate after an annotation without a
/// newline.
#[test]
fn text_may_end_anywhere() {
    for end in ["@T", "@T(b", "@T(b c", "@T(b) @U", "@", "@T(\"a b\", c"] {
        let text = format!("class A\n\n{end}");
        let kotlin = Language::from_id("kotlin").unwrap();
        let found = extract(kotlin, &text, &Limits::default());
        assert_eq!(found.symbols.first().unwrap().name, "A", "{end}");
    }
    for (id, source) in SOURCES {
        let language = Language::from_id(id).unwrap();
        let start = source.floor_char_boundary(source.len().saturating_sub(1_500));
        let text = &source[start..];
        for end in (0..text.len()).step_by(7) {
            let text = &text[..text.floor_char_boundary(end)];
            extract(language, text, &Limits::default());
        }
    }
}

#[test]
fn every_language_has_its_grammar() {
    let all: Vec<_> = with_grammar().collect();
    assert_eq!(
        all.join(" "),
        "bash c cpp csharp css go html java javascript json jsx kotlin lua markdown php \
         python ruby rust scala sql svelte swift toml tsx typescript vue yaml zig"
    );
}

#[test]
fn hundred_thousand_brackets_are_rejected() {
    let limits = Limits {
        all: true,
        ..Limits::default()
    };
    for language in with_grammar() {
        for open in ["(", "[", "{"] {
            // In lines, so that the nesting is the reason.
            let text = (open.repeat(100) + "\n").repeat(1_000);
            let found = of(language, &text, &limits);
            assert_eq!(kinds(&found), [FindingKind::TooDeep], "{language} {open}");
        }
    }
}

#[test]
fn permitted_nesting_uses_no_stack() {
    let deep = 100_000;
    let cases = [
        (
            "python",
            format!("x = {}1{}\n", "(".repeat(deep), ")".repeat(deep)),
        ),
        ("json", format!("{}1{}", "[".repeat(deep), "]".repeat(deep))),
        (
            "javascript",
            format!("x = {}1{};", "(".repeat(deep), ")".repeat(deep)),
        ),
        ("rust", format!("fn f() {{ {} }}", "-".repeat(deep) + "1")),
        ("markdown", "> ".repeat(deep / 10) + "x\n"),
        ("c", "if (a) ".repeat(deep / 10)),
    ];
    for (language, text) in cases {
        let found = of(language, &text, &unlimited());
        assert_ne!(found.depth, Depth::Nothing, "{language}");
    }
}

/// Scanners of grammars are C code without limits: texts that they cannot handle must not reach
/// them.
#[test]
fn texts_that_break_a_scanner_are_rejected() {
    let stairs = |step: &str| {
        (0..2_000)
            .map(|at| " ".repeat(at) + step + "\n")
            .collect::<String>()
    };
    let cases = [
        ("yaml", "- ".repeat(10_000) + "x\n"),
        ("yaml", stairs("a:")),
        ("html", "<div>".repeat(100_000)),
        ("vue", "<my-part>".repeat(100_000)),
        ("swift", "/*\n".repeat(100_000)),
        ("kotlin", "/*\n".repeat(100_000)),
        ("rust", "/* ".repeat(100_000)),
    ];
    for (language, text) in cases {
        assert_eq!(
            kinds(&of(language, &text, &unlimited())),
            [FindingKind::TooDeep],
            "{language}"
        );
    }
    let inside = format!("# A\n\n```yaml\n{}x\n```\n\n## B\n", "- ".repeat(10_000));
    assert_eq!(of("markdown", &inside, &unlimited()).symbols.len(), 2);
    for (language, step) in [
        ("python", "if x:"),
        ("scala", "class A:"),
        ("bash", "if x; then"),
        ("markdown", "- a"),
    ] {
        of(language, &stairs(step), &unlimited());
    }
}

/// Ordinary files stay far below those limits.
#[test]
fn ordinary_lists_and_pages_are_parsed() {
    let yaml = "a:\n  - b: 1\n    c:\n      - d\n".repeat(2_000);
    assert_eq!(of("yaml", &yaml, &Limits::default()).depth, Depth::Grammar);
    let html = "<ul><li>a<li><p>b<br></ul><div id=\"x\"></div>\n".repeat(2_000);
    assert_eq!(of("html", &html, &Limits::default()).depth, Depth::Grammar);
    let kotlin = "val a = listOf(\"src/**/*.kt\")\n".repeat(2_000);
    assert_eq!(
        of("kotlin", &kotlin, &Limits::default()).depth,
        Depth::Grammar
    );
}

#[test]
fn size_lines_and_nul_bytes_have_limits() {
    let limits = Limits {
        all: true,
        ..Limits::default()
    };
    let line = "x".repeat(50_000_000);
    assert_eq!(
        kinds(&of("python", &line, &limits)),
        [FindingKind::TooLarge]
    );
    let line = "x".repeat(1_000_000);
    assert_eq!(
        kinds(&of("python", &line, &limits)),
        [FindingKind::LongLine]
    );
    assert_eq!(
        kinds(&of("c", "int a;\0int b;", &limits)),
        [FindingKind::Nul]
    );
    let steps = Limits {
        steps_per_byte: 0,
        ..limits
    };
    let text = "def f(a): pass\n".repeat(100_000);
    let found = of("python", &text, &steps);
    assert_eq!(kinds(&found), [FindingKind::TooManySteps]);
    assert_eq!(found.depth, Depth::Lines);
    assert_eq!(found.symbols.len(), 100_000);
    // The next parse is independent of the last one.
    let after = of("python", "def g(): pass\n", &limits);
    assert_eq!(after.symbols[0].name, "g");
    assert!(after.findings.is_empty());
}

#[test]
fn broken_code_yields_its_intact_symbols() {
    let text =
        "def good():\n    pass\n\nclass Bad(:\n    def m(self: pass\n\ndef other():\n    pass\n";
    let found = of("python", text, &Limits::default());
    let names: Vec<_> = found
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect();
    assert!(
        names.contains(&"good") && names.contains(&"other"),
        "{names:?}"
    );
    assert_eq!(kinds(&found), [FindingKind::Broken]);
}

#[test]
fn spans_are_inside_any_text() {
    let texts = [
        "",
        "\n",
        "\r\n\r\n",
        "\u{feff}",
        "é{ß}\u{1F600}(",
        "\"\"\"",
        "<script>",
        "```rust\n",
        "a\u{2028}b",
    ];
    for language in with_grammar() {
        for text in texts {
            let found = of(language, text, &Limits::default());
            for symbol in &found.symbols {
                assert!(
                    text.get(symbol.span.range()).is_some(),
                    "{language} {text:?}"
                );
            }
        }
    }
}
