//! Odd queries and texts: there is always a result, and soon.

use loom_search::{Candidates, Case, Contents, Document, Program, Query, QueryOptions, Segment};
use loom_search::{MAX_QUERY, Question, SegmentBuilder};

/// Returns texts that are hard for matchers.
fn texts() -> Vec<Vec<u8>> {
    vec![
        Vec::new(),
        b"\n\n\n".to_vec(),
        vec![b'a'; 100_000],
        b"a\xff\xfe\x80b\n\xf0\x9f\x98".repeat(500),
        "ab é 名 \u{2028}\r\n".repeat(500).into_bytes(),
        vec![0; 10_000],
    ]
}

/// Runs a query in every way.
fn ask(text: &str) {
    for (case, is_word) in [(Case::Sensitive, false), (Case::Insensitive, true)] {
        let options = QueryOptions {
            case,
            is_word,
            ..QueryOptions::default()
        };
        for query in [
            Query::parse(text, &options),
            Query::regex(text, &options),
            Query::literal(text, &options),
        ] {
            let Ok(query) = query else { continue };
            let _ = Candidates::new(&query);
            let Ok(program) = Program::new(&query) else {
                continue;
            };
            for text in texts() {
                let document = Document::new(b"src/a.rs", Some("rust"), &text);
                let _ = program.run(&document, usize::MAX);
                let _ = program.matches(&document);
            }
        }
    }
    let _ = Question::new(text);
}

#[test]
fn backtracking_patterns_terminate() {
    for pattern in [
        "(a+)+$",
        "(a|a)*b",
        "(a*)*(b|a?)*$",
        "(.*)*x",
        "(a?){100}a{100}",
        "(x+x+)+y",
        r"^(\w+\s?)*$",
        r"(?:\w{1,50}){1,50}!",
        "(?i)(k|ſ|s){1,200}",
        r"\p{L}{200}",
        "",
        "^",
        "$",
        r"\b",
        r"\B",
        "a*",
        r"(?-u)\xff",
        "[^a]",
        r"\n",
        "(?s).",
        "\u{0}",
    ] {
        ask(pattern);
    }
}

#[test]
fn queries_of_a_megabyte() {
    let fill = |part: &str| part.repeat(MAX_QUERY / part.len());
    for query in [
        fill("a"),
        fill("a|"),
        fill("ab|cd|"),
        fill("a?"),
        fill("[ab]"),
        fill("("),
        fill("(?:"),
        fill("-("),
        fill("a "),
        fill("a or "),
        fill("path:a* "),
        fill("."),
        fill(r"\w"),
        fill("é名"),
        fill("\\"),
        fill("\""),
        fill("/"),
        fill("or "),
        format!("path:{}", fill("{")),
        format!("path:{}", "{".repeat(4000)),
        format!("path:{}", "*".repeat(4000)),
        format!("path:/{}/", "a*".repeat(4000)),
        format!("{}a{}", "(".repeat(99), ")".repeat(99)),
        format!("({{{}}})", "a{9}".repeat(50)),
        "w0 ".repeat(200),
        "a".repeat(MAX_QUERY + 1),
    ] {
        ask(&query);
    }
}

#[test]
fn too_many_parts_are_refused_with_a_place() {
    let query = "word ".repeat(1000);
    let error = Query::parse(&query, &QueryOptions::default()).unwrap_err();
    assert_eq!(error.at(), 1000..1004);
    assert!(error.to_string().contains("at most 200 parts"), "{error}");
}

#[test]
fn odd_texts_are_indexed() {
    let mut builder = SegmentBuilder::default();
    for (number, text) in texts().into_iter().enumerate() {
        let text = String::from_utf8_lossy(&text);
        builder.add(&Contents {
            hash: loom_base::ContentHash::from_bytes([number as u8; 32]),
            text: &text,
            seen_as: 0,
            is_always: false,
            symbols: &[text.chars().take(100).collect()],
            comments: &[0..text.len(), 1..2],
        });
    }
    let segment = Segment::open(builder.finish()).unwrap();
    assert_eq!(segment.len(), texts().len());
}
