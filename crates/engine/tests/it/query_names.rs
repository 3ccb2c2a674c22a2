//! Names of code and stack frames in a query.

use loom_engine::context::ParsedQuery;

/// Returns the names as `before.name`, the most certain first.
fn names(text: &str) -> Vec<String> {
    let parsed = ParsedQuery::new(text);
    let name = |one: &loom_engine::context::Named| {
        let mut parts = one.before.clone();
        parts.push(one.name.clone());
        parts.join(".")
    };
    parsed.names.iter().map(name).collect()
}

fn check_names(text: &str, expected: &[&str]) {
    assert_eq!(names(text), expected, "{text}");
}

fn weight(text: &str, name: &str) -> f64 {
    let parsed = ParsedQuery::new(text);
    let found = parsed.names.iter().find(|one| one.name == name);
    found.map_or(0.0, |one| one.weight)
}

#[test]
fn names_differ_from_words_by_how_they_are_written() {
    check_names("Title\nparse_url of text\n", &["parse_url"]);
    check_names("Title\nparseUrl of text\n", &["parseUrl"]);
    check_names("Title\n_hidden of text\n", &["_hidden"]);
    check_names("Title\ncall() of text\n", &["call"]);
    check_names("Title\nthe `plain` word\n", &["plain"]);
    check_names("Title\nwords of text, e.g. these 12\n", &[]);
}

#[test]
fn dotted_names_keep_their_qualifiers() {
    check_names("Title\npkg.Type.run here\n", &["pkg.Type.run"]);
    check_names("Title\npkg::load here\n", &["pkg.load"]);
    check_names("Title\nType#run here\n", &["Type.run"]);
    check_names("Title\nvalue->run here\n", &["value.run"]);
    check_names("Title\nvalue?.run here\n", &["value.run"]);
}

#[test]
fn receivers_that_are_the_object_itself_are_dropped() {
    check_names("Title\nself.total() here\n", &["total"]);
    check_names("Title\nthis.total() here\n", &["total"]);
    check_names("Title\ncls.total() here\n", &["total"]);
}

#[test]
fn a_name_in_the_title_is_surer_than_in_prose_than_in_pasted_code() {
    let title = weight("Crash in parse_url\n", "parse_url");
    let marked = weight("Crash\nin `parse_url`\n", "parse_url");
    let prose = weight("Crash\nin parse_url\n", "parse_url");
    let code = weight("Crash\n```\nx = parse_url(y)\n```\n", "parse_url");
    assert!(title > marked && marked > prose && prose > code && code > 0.0);
}

#[test]
fn a_name_that_is_repeated_is_a_little_surer() {
    let once = weight("Crash\nin parse_url\n", "parse_url");
    let twice = weight("Crash\nin parse_url and parse_url\n", "parse_url");
    let often = weight(
        &format!("Crash\n{}\n", "parse_url ".repeat(100)),
        "parse_url",
    );
    assert!(once < twice && twice < 1.2 * once, "{once} {twice}");
    assert!(often <= 1.6, "{often}");
}

#[test]
fn names_that_pasted_code_defines_are_the_reporters_own() {
    let code = "Crash\n```\ndef own_helper():\n    pass\nown_helper()\ntheir_helper()\n```\n";
    check_names(code, &["their_helper"]);
    let member = "Crash\n```\nclass Own:\n    pass\nlib.Own()\n```\n";
    check_names(member, &["lib.Own"]);
}

#[test]
fn names_of_the_environment_are_not_read() {
    check_names("Title\n### Versions\nsome_library 1.0\n", &[]);
}

fn check_frames(text: &str, expected: &[&str]) {
    let parsed = ParsedQuery::new(text);
    let found: Vec<String> = parsed
        .frames
        .iter()
        .map(|frame| {
            let line = frame.line.map_or("-".to_owned(), |line| line.to_string());
            let function = frame.function.as_deref().unwrap_or("-");
            format!("{} {line} {function}", frame.path.parts.join("/"))
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn frames_of_python_start_at_the_innermost() {
    check_frames(
        "Traceback (most recent call last):\n  File \"app/main.py\", line 3, in <module>\n    run()\n  File \"app/run.py\", line 9, in run\n    fail()\n  File \"app/fail.py\", line 27, in fail\nValueError: x\n",
        &["app/fail.py 27 fail", "app/run.py 9 run", "app/main.py 3 -"],
    );
}

#[test]
fn frames_of_other_languages_keep_their_order() {
    check_frames(
        "Error: x\n    at load (/srv/app/load.js:10:5)\n    at Object.run (/srv/app/run.js:20:3)\n    at /srv/app/index.js:1:1\n",
        &[
            "srv/app/load.js 10 load",
            "srv/app/run.js 20 run",
            "srv/app/index.js 1 -",
        ],
    );
    check_frames(
        "thread 'main' panicked\n  --> src/main.rs:4:5\n",
        &["src/main.rs 4 -"],
    );
    check_frames(
        "x\n\tat com.x.Reader.read(Reader.java:44)\n\tat com.x.Main.main(Main.java:7)\n",
        &["Reader.java 44 read", "Main.java 7 main"],
    );
    check_frames(
        "x\nlib/a.rb:3:in `call'\nlib/b.rb:5:in `each'\n",
        &["lib/a.rb 3 call", "lib/b.rb 5 each"],
    );
}

#[test]
fn of_two_traces_the_first_comes_first() {
    let first = "File \"a.py\", line 1, in one_one\n  File \"b.py\", line 2, in two_two\n";
    let between = "words\n".repeat(14);
    let second = "File \"c.py\", line 3, in three_three\n";
    check_frames(
        &format!("x\n{first}{between}{second}"),
        &["b.py 2 two_two", "a.py 1 one_one", "c.py 3 three_three"],
    );
}

#[test]
fn frames_of_a_recursion_count_once_and_are_bounded() {
    let same = "  File \"a.py\", line 1, in again\n".repeat(50);
    check_frames(&format!("x\n{same}"), &["a.py 1 again"]);
    let many: String = (0..200)
        .map(|line| format!("  File \"a.py\", line {line}, in again\n"))
        .collect();
    assert_eq!(ParsedQuery::new(&format!("x\n{many}")).frames.len(), 64);
}

#[test]
fn a_path_in_prose_is_no_frame() {
    check_frames("x\nsee src/a.py:12 for more\nopen src/b.py in vim\n", &[]);
}

#[test]
fn names_of_frames_are_not_names_that_the_text_uses() {
    check_names("Crash\n  File \"a.py\", line 1, in parse_url\n", &[]);
}
