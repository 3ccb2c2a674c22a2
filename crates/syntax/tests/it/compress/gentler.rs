//! Fallbacks to a weaker level.

use loom_syntax::{Compression, Language, Level, LevelFallback, Limits, compress};

#[track_caller]
fn same(id: &str, text: &str) {
    let how = Compression::at(Level::Aggressive);
    let found = compress(Language::from_id(id), text, &how, &Limits::default());
    assert_eq!(found.text, text, "{id}");
}

#[test]
fn weaker_level_has_a_reason() {
    let how = Compression::at(Level::Aggressive);
    let found = compress(
        Language::from_id("nim"),
        "a\n\n\nb\n",
        &how,
        &Limits::default(),
    );
    assert_eq!(found.level, Level::Minimal);
    assert_eq!(
        found.gentler,
        Some((Level::Aggressive, LevelFallback::NotParsed))
    );
}

/// If the grammar guesses, no statement is elided, because it may end elsewhere.
#[test]
fn partly_parsed_text_keeps_its_statements() {
    let before = "for i do\n  case \"$i\" in\n  *[-.]z | *.t[ag]z) continue;;\n  esac\n  \
                  if test 1; then\n    a=1\n    b=2\n    c=3\n  fi\n  echo end\ndone\n";
    same("bash", before);
    let before = "function h( {\n  one();\n  two();\n}\nconst k = 1;\n";
    same("javascript", before);
}
