//! Properties of any text: real code with pieces removed, doubled and swapped.

use loom_syntax::{
    Compression, FindingKind, Language, Level, Limits, PreservedKind, compress, drafts, extract,
};

use crate::mutated::{Random, SOURCES};

fn all() -> Limits {
    Limits {
        all: true,
        ..Limits::default()
    }
}

/// Returns every combination of level and options with a different effect.
fn every_way() -> Vec<Compression> {
    let kept = [
        None,
        Some(PreservedKind::CommentsWithTodo),
        Some(PreservedKind::Public),
        Some(PreservedKind::Types),
    ];
    let mut ways = Vec::new();
    for level in Level::ALL {
        for kept in kept {
            ways.push(Compression {
                preserve: kept.into_iter().collect(),
                ..Compression::at(level)
            });
        }
        ways.push(Compression {
            remove_comments: true,
            minify_whitespace: true,
            ..Compression::at(level)
        });
    }
    ways
}

#[test]
fn any_text_has_a_valid_compression() {
    let mut random = Random(0x5DEE_CE66_D011_2233);
    for (id, source) in SOURCES {
        let language = Language::from_id(id);
        for round in 0..3 {
            let text = match round {
                0 => (*source).to_owned(),
                _ => random.mutated(source),
            };
            for how in every_way() {
                let found = compress(language, &text, &how, &all());
                let lines = text.lines().count();
                assert_eq!(found.lines.count(), found.text.lines().count(), "{id}");
                let mut last = 0;
                for line in 1..=found.lines.count() {
                    let original = found.lines.original(line);
                    assert!(original >= last && original <= lines.max(1), "{id} {how:?}");
                    last = original;
                }
                assert!(found.text.len() <= text.len() + 64, "{id} {how:?}");
                assert_eq!(found, compress(language, &text, &how, &all()), "{id}");
            }
        }
    }
}

/// Drafts of several levels from a single parse equal separate compressions.
#[test]
fn drafts_equal_compressions() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for (id, source) in SOURCES {
        let language = Language::from_id(id);
        for text in [(*source).to_owned(), random.mutated(source)] {
            for remove_comments in [false, true] {
                let how = Compression {
                    remove_comments,
                    ..Compression::default()
                };
                for draft in drafts(language, &text, &how, &Level::ALL[1..], &all()) {
                    let level = draft.level();
                    let how = Compression { level, ..how };
                    let alone = compress(language, &text, &how, &all());
                    let checked = draft.checked(language, &text, &all());
                    assert_eq!(checked, alone, "{id} {level}");
                }
            }
        }
    }
}

/// The grammar still parses a text after a level that promises it.
#[test]
fn parsed_text_still_parses() {
    let is_broken = |language, text: &str| {
        let findings = extract(language, text, &all()).findings;
        findings.iter().any(|one| one.kind == FindingKind::Broken)
    };
    for (id, source) in SOURCES {
        let Some(language) = Language::from_id(id) else {
            continue;
        };
        if is_broken(language, source) {
            continue;
        }
        for level in [Level::Minimal, Level::Balanced, Level::Aggressive] {
            let found = compress(Some(language), source, &Compression::at(level), &all());
            assert!(!is_broken(language, &found.text), "{id} {level}");
        }
    }
}

/// `TODO` comments are in the result of every level, and placeholders of secrets in them are
/// complete or absent.
#[test]
fn preserved_comments_and_placeholders_stay() {
    let mut random = Random(0x0123_4567_89AB_CDEF);
    let language = Language::from_id("rust");
    let source = include_str!("../../../src/walk/mod.rs");
    for _ in 0..40 {
        let lines: Vec<&str> = source.lines().collect();
        let (todo, secret) = (random.below(lines.len()), random.below(lines.len()));
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            text.push_str(line);
            text.push('\n');
            if at == todo {
                text.push_str("// TODO: number 4711\n");
            }
            if at == secret {
                text.push_str("// key [REDACTED:api-key:17] of it\n");
            }
        }
        for level in Level::ALL {
            let how = Compression {
                preserve: [PreservedKind::CommentsWithTodo].into_iter().collect(),
                remove_comments: level == Level::Balanced,
                ..Compression::at(level)
            };
            let found = compress(language, &text, &how, &all()).text;
            let is_comment = extract(language.unwrap(), &text, &all())
                .comments
                .iter()
                .any(|span| text[span.range()].contains("4711"));
            assert!(
                !is_comment || found.contains("TODO: number 4711"),
                "{level}"
            );
            let whole = found.matches("[REDACTED:api-key:17]").count();
            assert_eq!(found.matches("REDACTED").count(), whole, "{level}");
        }
    }
}

/// On real code no level has more text than the weaker one, and for a file with long functions each
/// has less.
#[test]
fn levels_differ_and_shrink() {
    let language = Language::from_id("rust");
    for (at, (_, text)) in SOURCES.iter().enumerate() {
        let mut last = usize::MAX;
        for level in Level::ALL {
            let found = compress(language, text, &Compression::at(level), &all());
            assert!(found.text.len() <= last, "{at} {level}");
            let is_less = found.text.len() < last;
            assert!(at > 0 || is_less || level == Level::Minimal, "{level}");
            last = found.text.len();
        }
    }
}
