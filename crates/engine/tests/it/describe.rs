//! Descriptions of a file, of a part of it, and of all files together.

use std::sync::Arc;

use loom_engine::{
    Contents, FileMeta, FileRole, Marks, Note, Overview, Shortened, cells, excerpt, inspect,
    is_minified, lines_within, longest_line_start, longest_start, number_lines, numbered, priority,
};
use loom_syntax::{Compression, Language, Level, Limits, compress};
use proptest::prelude::*;

use crate::repository::{TOKENIZER, meta, path, tokens};

#[test]
fn a_file_is_described_by_lines_bytes_tokens_and_language() {
    for (name, text, lines, language) in [
        ("a.rs", "fn a() {}\n", 1, Some("rust")),
        ("a.rs", "fn a() {}\nfn b() {}", 2, Some("rust")),
        ("a.unknown", "", 0, None),
        ("run", "#!/usr/bin/env python3\nx = 1\n", 2, Some("python")),
        ("a.txt", "a\r\nb\r\n", 2, Some("text")),
    ] {
        let file = meta(name, text);
        assert_eq!((file.lines, file.bytes), (lines, text.len()), "{name}");
        assert_eq!(file.language_id(), language, "{name}");
        assert_eq!(
            (file.tokens, file.lower, file.upper),
            (tokens(text), tokens(text), tokens(text))
        );
        assert_eq!((file.first_line, file.note()), (1, None));
    }
}

fn check_note(note: &Note, expected: &str) {
    assert_eq!(note.to_string(), expected);
}

#[test]
fn notes_are_displayed_in_words() {
    check_note(
        &Note::Encoding("latin-1".to_owned()),
        "decoded from latin-1",
    );
    check_note(&Note::Replaced(1), "1 broken character replaced");
    check_note(&Note::Replaced(2), "2 broken characters replaced");
    check_note(&Note::Redacted(1), "1 secret redacted");
    check_note(&Note::Redacted(3), "3 secrets redacted");
    let shortened = |lines| Note::Shortened {
        form: "balanced",
        lines,
    };
    check_note(
        &shortened(0),
        "balanced: only white space and short comments left out",
    );
    check_note(&shortened(1), "balanced: 1 line left out");
    check_note(&shortened(9), "balanced: 9 lines left out");
    let lines = |lines| Note::ShortenedLines {
        form: "extreme",
        lines,
    };
    check_note(&lines(1), "extreme: parts of 1 line left out");
    check_note(&lines(2), "extreme: parts of 2 lines left out");
    check_note(
        &Note::Lines {
            first: 2,
            last: 4,
            total: 9,
        },
        "lines 2 to 4 of 9",
    );
    check_note(
        &Note::Chosen {
            percent: 100,
            why: vec!["words", "path"],
        },
        "score 1.00: words, path",
    );
    check_note(
        &Note::Chosen {
            percent: 7,
            why: Vec::new(),
        },
        "score 0.07",
    );
    check_note(
        &Note::Gone("no such file".to_owned()),
        "could not be read again: no such file",
    );
}

#[test]
fn all_notes_are_one_phrase() {
    let mut file = meta("a.txt", "x\n");
    file.notes = vec![Note::New, Note::Marked, Note::Changed];
    let expected = "new file; changes marked; changed after the statistics were made";
    assert_eq!(file.note().as_deref(), Some(expected));
    assert_eq!(file.to_wire().note.as_deref(), Some(expected));
}

#[test]
fn a_shortened_file_numbers_its_lines_as_they_were() {
    let text = "fn a() {\n    one();\n    two();\n    three();\n    four();\n    five();\n    six();\n}\nfn b() {}\n";
    let how = Compression::at(Level::Aggressive);
    let compressed = compress(Language::from_id("rust"), text, &how, &Limits::default());
    let mut file = meta("a.rs", &compressed.text);
    let shortened = Shortened::new("aggressive", tokens(text), 9, &compressed);
    assert_eq!(shortened.elided_lines(), 6, "{}", compressed.text);
    file.shortened = Some(Arc::new(shortened));
    let last = compressed
        .text
        .lines()
        .position(|line| line.starts_with("fn b"))
        .unwrap();
    assert_eq!(
        (file.number_of(0), file.number_of(last)),
        (1, 9),
        "{}",
        compressed.text
    );
    let wire = file.to_wire().compression.unwrap();
    assert_eq!((wire.form.as_str(), wire.lines_before), ("aggressive", 9));
    assert_eq!((wire.asked, wire.elided.len()), (None, 1));
}

#[test]
fn marks_are_shown_from_the_first_line_of_a_part() {
    let mut file = meta("a.txt", "a\nx\nc\n");
    file.marks = Marks::between("a\nb\nc\n", "a\nx\nc\n").map(Arc::new);
    assert_eq!(
        file.with_marks("a\nx\nc\n".into()),
        " a\n-(1 line removed)\n+x\n c\n"
    );
    file.first_line = 3;
    assert_eq!(file.with_marks("c\n".into()), " c\n");
    file.marks = None;
    assert_eq!(file.with_marks("c\n".into()), "c\n");
}

proptest! {
    #[test]
    fn an_excerpt_of_an_excerpt_knows_its_lines_in_the_file(lines in prop::collection::vec("[a-z]{0,5}", 2..30), cuts in (0usize..30, 0usize..30)) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let (one, two) = (cuts.0 % lines.len(), cuts.1 % lines.len());
        let (first, second) = (one.min(two), one.max(two));
        let file = meta("a.txt", &text);
        let rest = excerpt(&file, &text, starts[first]..text.len(), TOKENIZER);
        let inner = &text[starts[first]..];
        let part = excerpt(&rest, inner, starts[second] - starts[first]..inner.len(), TOKENIZER);
        let direct = excerpt(&file, &text, starts[second]..text.len(), TOKENIZER);
        prop_assert_eq!(part.first_line, second + 1);
        prop_assert_eq!(part.note(), direct.note());
        prop_assert_eq!(part.whole_lines(), lines.len());
        prop_assert_eq!((part.lines, part.bytes, part.tokens), (direct.lines, direct.bytes, direct.tokens));
        prop_assert_eq!(part.notes.len(), 1);
    }

    #[test]
    fn the_first_part_of_a_text_is_never_empty_and_as_long_as_may_be(text in "(\\PC|\n){1,60}", most in 0usize..80) {
        let end = lines_within(&text, |start| start.len() <= most);
        prop_assert!(end > 0 && text.is_char_boundary(end));
        let by_lines = longest_start(&text, |start| start.len() <= most);
        let by_chars = longest_line_start(&text, |start| start.len() <= most);
        match (text.len() <= most, by_lines, by_chars) {
            (true, ..) => prop_assert_eq!(end, text.len()),
            (false, Some(lines), _) => prop_assert_eq!(end, lines),
            (false, None, Some(chars)) => prop_assert_eq!(end, chars),
            (false, None, None) => prop_assert_eq!(end, text.chars().next().unwrap().len_utf8()),
        }
    }

    #[test]
    fn numbers_come_off_again(text in "([a-z: ]{0,8}\n){0,30}[a-z]{0,3}", first in 1usize..2_000) {
        let shown = number_lines(&text, first);
        let bare: String = shown.split_inclusive('\n').map(|line| line.split_once(": ").unwrap().1).collect();
        prop_assert_eq!(bare, text.clone());
        let widths: Vec<usize> = shown.lines().map(|line| line.find(": ").unwrap()).collect();
        prop_assert!(widths.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn numbers_may_jump() {
    assert_eq!(
        numbered("a\nb\n", |line| [3, 120][line]),
        "  3: a\n120: b\n"
    );
}

#[test]
fn notebooks_keep_the_order_and_kind_of_cells() {
    let cell =
        |kind: &str, source: &str| format!("{{\"cell_type\": \"{kind}\", \"source\": {source}}}");
    let notebook = |cells: &[String]| format!("{{\"cells\": [{}]}}", cells.join(","));
    for (cells_of, expected) in [
        (vec![], Some("")),
        (vec![cell("code", "\"x\"")], Some("# %%\nx\n")),
        (
            vec![cell("raw", "[\"a\\n\", \"b\"]")],
            Some("# %% [raw]\n# a\n# b\n"),
        ),
        (
            vec![cell("code", "\"\""), cell("code", "\"y\\n\"")],
            Some("# %%\n\n# %%\ny\n"),
        ),
        (vec![cell("code", "3")], None),
    ] {
        assert_eq!(cells(&notebook(&cells_of)).as_deref(), expected);
    }
}

#[test]
fn contents_are_inspected_by_their_start() {
    let lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 1\n";
    assert_eq!(inspect(lfs), Contents::LfsPointer);
    assert_eq!(
        inspect(&format!("{lfs}{}", "x".repeat(1_024))),
        Contents::Text
    );
    assert_eq!(inspect(&format!("\n{lfs}")), Contents::Text);
    assert!(is_minified(Some("css"), &"a{b:c}".repeat(900), 10));
    assert!(!is_minified(Some("css"), &"a{b:c}".repeat(900), 11));
    assert!(!is_minified(None, &"a{b:c}".repeat(900), 1));
}

fn check_kind(name: &str, expected: FileRole) {
    assert_eq!(FileRole::of(&meta(name, "")), expected, "{name}");
}

#[test]
fn kinds_follow_the_first_rule_that_fits() {
    // Ballast has priority over test, test over introduction, and introduction over support.
    check_kind("tests/fixtures/a.rs", FileRole::Ballast);
    check_kind("node_modules/a/README.md", FileRole::Ballast);
    check_kind("tests/README.md", FileRole::Test);
    check_kind("README.md", FileRole::Introduction);
    check_kind("docs/README.md", FileRole::Support);
    check_kind("src/package.json", FileRole::Support);
    check_kind("src/data.json", FileRole::Ballast);
    check_kind("tsconfig.json", FileRole::Source);
    check_kind("deps/a.c", FileRole::Ballast);
    check_kind("src/deps/a.c", FileRole::Source);
    check_kind("src/api_generated.go", FileRole::Ballast);
    check_kind("src/.hidden/a.py", FileRole::Support);
    check_kind("SRC/TESTS/A.PY", FileRole::Test);
    check_kind("src/latest/contest.py", FileRole::Source);
    check_kind("src/a.spec.ts", FileRole::Test);
    check_kind("conftest.py", FileRole::Test);
    check_kind("bin/tool", FileRole::Ballast);
}

#[test]
fn only_documents_and_data_are_legal_texts_by_their_names() {
    for name in [
        "LICENSE",
        "LICENSE.md",
        "COPYING.txt",
        "NOTICE",
        "AUTHORS",
        "HISTORY.rst",
        "changes.html",
    ] {
        check_kind(name, FileRole::Ballast);
    }
    for name in [
        "src/history.rs",
        "license.py",
        "app/changelog.ts",
        "notice.go",
        "authors.rb",
    ] {
        check_kind(name, FileRole::Source);
    }
}

fn sized(name: &str, tokens: usize) -> FileMeta {
    FileMeta {
        tokens,
        ..meta(name, "")
    }
}

#[test]
fn a_file_above_a_quarter_of_the_room_comes_after_the_others_of_its_kind() {
    let of = |name: &str, tokens, importance| priority(&sized(name, tokens), 100, importance);
    assert!(of("src/a.rs", 25, 0.0) < of("src/b.rs", 26, 1.0));
    assert!(of("src/b.rs", 26, 0.0) < of("docs/a.md", 1, 0.0));
    assert!(of("src/a.rs", 3, 0.0) < of("src/b.rs", 4, 0.0));
    assert!(of("src/a.rs", 9, 0.0) < of("src/x/b.rs", 1, 0.0));
    assert_eq!(of("src/a.rs", 1, 1.0), of("src/a.rs", 1, 7.0));
    assert_eq!(of("src/a.rs", 1, 0.0), of("src/a.rs", 1, -1.0));
}

fn overview(files: &[FileMeta]) -> Overview {
    Overview::new("demo", TOKENIZER, files, Vec::new())
}

#[test]
fn languages_are_ordered_by_tokens_then_by_name() {
    let files = [
        sized("a.go", 5),
        sized("b.rs", 9),
        sized("c.py", 5),
        sized("d.zzz", 1),
        sized("e.rs", 1),
    ];
    let found: Vec<(&str, usize, usize)> = overview(&files)
        .languages
        .iter()
        .map(|share| (share.name, share.files, share.tokens))
        .collect();
    assert_eq!(
        found,
        [
            ("Rust", 2, 10),
            ("Go", 1, 5),
            ("Python", 1, 5),
            ("Other", 1, 1)
        ]
    );
}

#[test]
fn an_overview_of_other_files_keeps_name_base_and_choice() {
    let files = [sized("a.go", 5), sized("b.rs", 9)];
    let mut all = overview(&files);
    all.marked_since = Some("main".to_owned());
    all.tells_choice = true;
    all.is_shortened = true;
    let some = all.of_files(&files[..1], Vec::new());
    assert_eq!((some.files, some.tokens, some.languages.len()), (1, 5, 1));
    assert_eq!(
        (some.name, some.marked_since, some.tells_choice),
        (all.name, all.marked_since, true)
    );
    assert!(!some.is_shortened);
}

proptest! {
    #[test]
    fn sums_of_the_tree_and_of_languages_are_those_of_the_files(
        files in prop::collection::btree_map("[ab]{1,2}(/[ab]{1,2}){0,3}\\.(rs|py|zz)", 0usize..50, 0..20),
    ) {
        let files: Vec<FileMeta> = files.iter().map(|(name, tokens)| sized(name, *tokens)).collect();
        let mut ordered = files.clone();
        ordered.sort_by(|a, b| a.path.cmp(&b.path));
        let overview = overview(&ordered);
        let total: usize = files.iter().map(|file| file.tokens).sum();
        prop_assert_eq!(overview.tokens, total);
        prop_assert_eq!(overview.tree.root().tokens, total);
        prop_assert_eq!(overview.languages.iter().map(|share| share.tokens).sum::<usize>(), total);
        prop_assert_eq!(overview.languages.iter().map(|share| share.files).sum::<usize>(), files.len());
        let leaves = overview.tree.to_text().lines().filter(|line| !line.contains("/ ")).count();
        prop_assert_eq!(leaves, files.len());
    }
}

#[test]
fn paths_of_a_tree_that_hold_one_folder_are_one_line() {
    let files = [
        sized("a/b/c/one.rs", 1),
        sized("a/b/c/two.rs", 2),
        sized("z.rs", 4),
    ];
    assert_eq!(
        overview(&files).tree.to_text(),
        "a/b/c/ 3\n one.rs 1\n two.rs 2\nz.rs 4\n"
    );
    assert_eq!(path("a/b").to_string(), "a/b");
}
