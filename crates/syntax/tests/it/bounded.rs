//! Every parse stays within its budget of memory and work, which depends only on the size of the
//! text.

use loom_syntax::{
    Compression, Depth, FindingKind, Language, Level, Limits, ParseCost, compress, extract,
    has_grammar, mentions, parse_cost,
};

use crate::fragments::{fragment, repeated};

pub(crate) const LIMITS: Limits = Limits {
    bytes: 8_000_000,
    line: 100_000,
    brackets: 2_000,
    depth: 10_000,
    steps_per_byte: 16,
    read_per_byte: 64,
    allocated_per_byte: 1_000,
    memory_per_byte: 300,
    memory: u64::MAX,
    all: true,
};

fn language(id: &str) -> Language {
    Language::from_id(id).unwrap()
}

fn with_grammar() -> impl Iterator<Item = Language> {
    Language::all().filter(|language| has_grammar(*language))
}

/// Parses and returns the cost, even if the parse was aborted.
pub(crate) fn used(language: Language, text: &str) -> ParseCost {
    match parse_cost(language, text, &LIMITS) {
        Ok(cost) | Err((_, cost)) => cost,
    }
}

pub(crate) fn is_within(cost: &ParseCost, text: &str) -> bool {
    let bytes = text.len() as u64;
    // The chunk or read that exceeds the limit is counted but not made.
    cost.memory <= 32_000_000 + 300 * bytes
        && cost.allocated <= 64_000_000 + 1_000 * bytes + 8 * cost.memory
        && cost.read <= 4_000_000 + 64 * bytes + 64
        && cost.steps <= 200_000 + 16 * bytes + 100
}

fn is_budget(kind: FindingKind) -> bool {
    matches!(kind, FindingKind::TooManySteps | FindingKind::TooMuchMemory)
}

/// The first case needed quadratic memory at the end of the text, between two reports of the
/// parser: 5 GB.
#[test]
fn parse_beyond_its_budget_is_aborted_and_lines_are_parsed() {
    let cases = [
        ("c", "(A) => \n", 48_000),
        ("python", "/*\n", 12_000),
        ("c", "/*\n", 30_000),
    ];
    for (id, fragment, bytes) in cases {
        let text = repeated(fragment, bytes);
        let found = extract(language(id), &text, &Limits::default());
        let kinds: Vec<_> = found.findings.iter().map(|finding| finding.kind).collect();
        assert!(kinds.len() == 1 && is_budget(kinds[0]), "{id}: {kinds:?}");
        assert_eq!(found.depth, Depth::Lines, "{id}");
        assert!(is_within(&used(language(id), &text), &text), "{id}");
    }
}

/// Every part of this list can be read in two ways, and the parser compared both readings from the
/// start of the list: 200 KB took 10 s, and 1 MB some minutes. The compared nodes are steps.
#[test]
fn compared_nodes_count_as_steps() {
    let text = repeated("[[a]]\n", 100_000);
    let bytes = text.len() as u64;
    let (kind, cost) = parse_cost(language("c"), &text, &LIMITS).unwrap_err();
    assert_eq!(kind, FindingKind::TooManySteps);
    assert!(cost.steps > 200_000 + 16 * bytes, "{cost:?}");
    assert!(is_within(&cost, &text), "{cost:?}");
    let found = extract(language("c"), &text, &LIMITS);
    assert_eq!(found.depth, Depth::Lines);
}

/// The memory of a run limits a parse, even if a file of that size may use more.
#[test]
fn parse_beyond_the_memory_of_a_run_is_aborted_and_lines_are_parsed() {
    let text = repeated("function f(a) { g(a, h(a), [a, b]); }\n", 200_000);
    let limits = Limits {
        memory: 4_000_000,
        ..LIMITS
    };
    let found = extract(language("javascript"), &text, &limits);
    assert!(found.is_out_of_memory() && found.depth == Depth::Lines);
    assert!(!found.symbols.is_empty());
    let (kind, used) = parse_cost(language("javascript"), &text, &limits).unwrap_err();
    assert_eq!(kind, FindingKind::TooMuchMemory);
    assert!(used.memory <= limits.memory, "{used:?}");
    let enough = used_by_all(&text);
    assert!(enough > limits.memory, "{enough}");
}

fn used_by_all(text: &str) -> u64 {
    used(language("javascript"), text).memory
}

/// Some scanners searched the end of a comment up to the end of the text, from each start.
#[test]
fn no_grammar_scans_a_text_repeatedly() {
    for language in with_grammar() {
        for fragment in ["/*\n", "/* ", "(A) => \n", "<!--\n", "\"\"\"\n", "{{%\n"] {
            let text = repeated(fragment, 30_000);
            let cost = used(language, &text);
            assert!(
                is_within(&cost, &text),
                "{} {fragment:?} {cost:?}",
                language.id()
            );
        }
    }
}

/// The scanners of these grammars allocate the name that they scan, and an aborted parse leaked it.
/// The suite `sanitizer` detects leaks. The last one does not notice the end of a text, and reads
/// that end beyond the budget.
#[test]
fn parse_that_is_aborted_in_a_scanner_leaks_nothing() {
    let name = "A".repeat(60_000);
    let cases = [
        ("html", format!("<{name}>\n")),
        ("bash", format!("cat <<{name}\n")),
        ("ruby", format!("a = <<{name}\n")),
        ("php", format!("<?php $a = <<<{name}\n")),
        ("sql", format!("select ${name}$ ")),
        ("kotlin", format!("class A\n\n@T({name} {name}")),
    ];
    let limits = Limits {
        line: usize::MAX,
        read_per_byte: 0,
        ..LIMITS
    };
    for (id, part) in cases {
        let text = repeated(&part, 5_000_000);
        let (kind, cost) = parse_cost(language(id), &text, &limits).unwrap_err();
        assert_eq!(kind, FindingKind::TooManySteps, "{id}");
        assert!(
            cost.read > 4_000_000 && cost.read <= 4_000_064,
            "{id} {cost:?}"
        );
    }
}

/// The budget counts work, not time: parses of the same text end at the same point.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "each thread has a parse of its own"
)]
fn cost_of_a_text_is_deterministic() {
    let bomb = repeated("(A) => \n", 20_000);
    let code = repeated("int f(int a) { return a; }\n", 20_000);
    let first = (
        parse_cost(language("c"), &bomb, &LIMITS),
        used(language("c"), &code),
    );
    assert!(first.0.is_err());
    let again = std::thread::scope(|scope| {
        let run = || {
            (
                parse_cost(language("c"), &bomb, &LIMITS),
                used(language("c"), &code),
            )
        };
        [scope.spawn(run), scope.spawn(run)].map(|thread| thread.join().unwrap())
    });
    assert_eq!(again, [first, first]);
}

/// Ordinary code uses less than a tenth of each part of its budget.
#[test]
fn ordinary_code_is_far_from_its_budget() {
    let code = [
        ("c", "int f(int a) { return a + 1; }\n"),
        ("python", "def f(a):\n    return [b for b in a if b]\n"),
        (
            "rust",
            "/// Adds.\npub fn f(a: &[u8]) -> usize { a.len() + 1 }\n",
        ),
        (
            "typescript",
            "export const f = (a: number) => ({ a, b: `${a}` });\n",
        ),
    ];
    for (id, line) in code {
        let text = repeated(line, 400_000);
        let cost = parse_cost(language(id), &text, &LIMITS).unwrap();
        let bytes = text.len() as u64;
        assert!(cost.memory < 200 * bytes, "{id} {cost:?}");
        assert!(cost.allocated < 200 * bytes, "{id} {cost:?}");
        assert!(cost.read < 8 * bytes, "{id} {cost:?}");
        assert!(cost.steps < 4 * bytes, "{id} {cost:?}");
    }
}

/// A parse inside a document has a share of the document's budget, not its own.
#[test]
fn many_parts_share_the_budget_of_their_document() {
    let document = |bytes: usize, parts: usize| {
        let part = format!("```c\n{}```\n\n", repeated("(A) => \n", bytes));
        let text = format!("# A\n\n{}## B\n", part.repeat(parts));
        let found = extract(language("markdown"), &text, &LIMITS);
        assert_eq!(found.symbols.len(), 2);
        found.findings.iter().any(|finding| is_budget(finding.kind))
    };
    // The largest part that stays within the budget if it is the only one.
    let sizes = (1..).map(|step| step * 200);
    let within = sizes.take_while(|bytes| !document(*bytes, 1)).last();
    let bytes = within.expect("a short part is within its budget");
    assert!(document(bytes, 40));
}

/// Other functions that parse have the same limits.
#[test]
fn compression_and_mentions_are_bounded_too() {
    let text = format!("int a;\n{}", repeated("(A) => \n", 48_000));
    let how = Compression {
        level: Level::Balanced,
        ..Compression::default()
    };
    let compressed = compress(Some(language("c")), &text, &how, &LIMITS);
    assert!(compressed.text.contains("int a;"));
    let named = mentions(language("c"), &text, "A", &LIMITS);
    assert_eq!(named.len(), text.matches('A').count());
}

/// Each step up from a name began at the root, and a text of 8 KB took a minute.
#[test]
fn names_in_a_deep_tree_are_found_in_linear_steps() {
    for (id, part) in [("python", "a = "), ("javascript", "a=>")] {
        let text = part.repeat(4_000) + "1\n";
        let found = mentions(language(id), &text, "a", &LIMITS);
        assert_eq!(found.len(), 4_000, "{id}");
    }
}

/// The scanner of Ruby stored the length of the word in a byte, and aborted the program when it
/// restored its state.
#[test]
fn heredoc_with_a_long_word_does_not_abort() {
    for length in [100, 255, 256, 300, 600, 1_020, 1_100] {
        let word = "W".repeat(length);
        let texts = [
            format!("def f\n  list <<\"{word}\"\nend\n\nclass A; end\n"),
            format!("a = <<{word}\n  b #{{c}}\n{word}\nclass A; end\n"),
            format!("a = <<~'{word} #{{b}}\nclass A; end\n"),
            format!("f(<<A, <<{word}, <<B)\n#{{c}}\n"),
        ];
        for text in texts {
            extract(language("ruby"), &text, &LIMITS);
        }
    }
}

/// The scanner of SQL is our own, because that of the grammar leaks memory.
#[test]
fn strings_of_sql_end_at_their_own_tag() {
    let strings = [
        "select $$ a; $b$ $$;",
        "select $a$ create table no (b int); $b$ $$ $a$;",
        "create function f() returns int as $f$ begin return 1; end $f$ language plpgsql;",
        "select $a $1 from b;",
    ];
    for string in strings {
        let text = format!("{string}\ncreate table yes (c int);\n");
        let found = extract(language("sql"), &text, &LIMITS);
        let names: Vec<_> = found.symbols.iter().map(|one| one.name.as_str()).collect();
        assert!(
            names.contains(&"yes") && !names.contains(&"no"),
            "{string} {names:?}"
        );
    }
    // A tag that no state can store is ignored.
    let long = format!("select ${}$ a", "b".repeat(5_000));
    extract(language("sql"), &long, &LIMITS);
}

/// A sample of the long suite `fragments`: repeated short fragments in each grammar.
#[test]
fn repeated_fragments_stay_within_their_budget() {
    for (at, language) in with_grammar().enumerate() {
        for number in 0..60 {
            let text = repeated(&fragment(1_000 * at as u64 + number), 2_000);
            let cost = used(language, &text);
            assert!(
                is_within(&cost, &text),
                "{} {number} {cost:?}",
                language.id()
            );
            extract(language, &text, &LIMITS);
        }
    }
}
