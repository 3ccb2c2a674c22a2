//! Short summaries of files, directories and repositories.

use std::io;

use loom_base::RepoPath;
use loom_engine::map::{about_manifest, about_readme, mentions, words};
use loom_engine::{
    ClassDiagram, FileSummary, FileText, FolderSummary, ModuleDiagram, Overview, Section,
    SectionKind, Template, TemplateError, TextSource, treemap,
};
use loom_syntax::{Language, Limits, extract};
use proptest::prelude::*;

use crate::repository::{TOKENIZER, meta, path};

fn line(name: &str, text: &str) -> String {
    let language = Language::detect(&path(name), text).unwrap();
    FileSummary::of(text, &extract(language, text, &Limits::default())).line()
}

fn check_begin(name: &str, text: &str, expected: &str) {
    let found = line(name, text);
    assert!(found.starts_with(expected), "{found}\n{text}");
}

#[test]
fn the_first_sentence_of_the_head_comes_first_in_any_kind_of_comment() {
    check_begin(
        "a.rs",
        "//! Reads what users wrote. Then more.\n",
        "Reads what users wrote (1-1)",
    );
    check_begin(
        "a.go",
        "// Package a reads files.\npackage a\n",
        "Package a reads files (1-1)",
    );
    check_begin(
        "a.js",
        "/**\n * Reads all files\n * of a user.\n */\n",
        "Reads all files of a user (2-3)",
    );
    check_begin("a.py", "'''Reads all files.'''\n", "Reads all files (1-1)");
    check_begin(
        "a.lua",
        "-- Reads all files here\nlocal x = 1\n",
        "Reads all files here (1-1)",
    );
    check_begin(
        "a.html",
        "<!-- A page for users -->\n<p></p>\n",
        "A page for users (1-1)",
    );
}

#[test]
fn a_long_sentence_is_cut() {
    let text = format!("# {}\nx = 1\n", "many words here ".repeat(40));
    let found = line("a.py", &text);
    let sentence = found.split(" (").next().unwrap();
    assert!(sentence.ends_with('…') && sentence.len() <= 113, "{found}");
}

#[test]
fn members_come_in_the_order_of_how_much_they_say() {
    let text = "\
def _hidden():
    pass

def plain():
    pass

def told():
    \"\"\"Does things.\"\"\"

class Store:
    \"\"\"Keeps things.\"\"\"
    def load(self):
        pass
";
    assert_eq!(
        line("a.py", text),
        "Store: Keeps things (10-13); told: Does things (7-8); def plain() (4-5); def _hidden() (1-2); def load(self) (12-13)"
    );
}

#[test]
fn tests_in_a_file_are_not_named() {
    let text = "def run():\n    pass\n\ndef test_run():\n    run()\n";
    assert!(!line("test_a.py", text).contains("test_run"));
}

#[test]
fn a_file_that_says_nothing_has_an_empty_line() {
    assert_eq!(line("a.py", "x = 1\n"), "");
    assert_eq!(line("a.py", ""), "");
}

fn folder(folder: &str, files: &[(&str, usize)]) -> FolderSummary {
    let paths: Vec<(RepoPath, usize)> = files
        .iter()
        .map(|(name, lines)| (path(name), *lines))
        .collect();
    FolderSummary::of(folder, paths.iter().map(|(path, lines)| (path, *lines)))
}

#[test]
fn a_folder_names_its_six_largest_entries() {
    let files: Vec<(String, usize)> = (0..9).map(|at| (format!("f{at}.py"), at)).collect();
    let files: Vec<(&str, usize)> = files
        .iter()
        .map(|(name, lines)| (name.as_str(), *lines))
        .collect();
    let found = folder("", &files);
    assert_eq!(
        found.names,
        ["f8.py", "f7.py", "f6.py", "f5.py", "f4.py", "f3.py"]
    );
    assert_eq!(found.files, 9);
}

#[test]
fn a_folder_is_not_one_whose_name_begins_alike() {
    let found = folder("a", &[("a/x.py", 1), ("ab/y.py", 2), ("a.py", 3)]);
    assert_eq!((found.files, found.names), (1, vec!["x.py".to_owned()]));
}

#[test]
fn the_plainest_readme_introduces_a_folder() {
    for (files, expected) in [
        (&["README.ja.md", "README.md", "lib.rs"][..], Some(1)),
        (&["lib.rs", "mod.rs"], Some(1)),
        (&["main.py", "index.js"], Some(1)),
        (&["other.py"], None),
        (&["sub/README.md"], None),
    ] {
        let files: Vec<(&str, usize)> = files.iter().map(|name| (*name, 1)).collect();
        assert_eq!(folder("", &files).introduced_by, expected, "{files:?}");
    }
}

fn check_readme(text: &str, expected: Option<&str>) {
    assert_eq!(about_readme(text).as_deref(), expected, "{text}");
}

#[test]
fn lists_tables_quotes_and_code_are_no_description() {
    let words = "A tool that packs code for models.";
    for before in [
        "- one of the things in a list\n",
        "| a table | has | cells and | words |\n",
        "> a quote of what somebody once said\n",
        "~~~\ncode that nobody reads as words\n~~~\n",
        ".. image:: a picture of some things\n",
        "Two words\n\n",
    ] {
        check_readme(&format!("{before}\n{words}\n"), Some(words));
    }
}

#[test]
fn a_description_goes_over_lines_and_is_cut_when_long() {
    check_readme(
        "A tool that\npacks code for\nmodels.\n\nMore of it.\n",
        Some("A tool that packs code for models."),
    );
    let long = about_readme(&"word ".repeat(200)).unwrap();
    assert!(long.ends_with('…') && long.len() <= 303);
    check_readme(
        "**Bold** words are prose as well here.\n",
        Some("**Bold** words are prose as well here."),
    );
}

#[test]
fn manifests_of_several_kinds_have_a_description() {
    let check = |name: &str, text: &str, expected: Option<&str>| {
        assert_eq!(about_manifest(name, text).as_deref(), expected, "{text}");
    };
    check(
        "pyproject.toml",
        "[tool.poetry]\ndescription = \"A tool\"\n",
        Some("A tool"),
    );
    check(
        "Cargo.toml",
        "[workspace.package]\ndescription = \"A tool\"\n",
        Some("A tool"),
    );
    check(
        "Cargo.toml",
        "[package]\ndescription.workspace = true\n",
        None,
    );
    check("setup.cfg", "description = file: README.md\n", None);
    check("package.json", "{\"description\": 3}", None);
    check("package.json", "{\"description\": \"abc\"}", None);
    check("Makefile", "description = A tool\n", None);
}

#[test]
fn words_of_names_are_cut_at_humps_digits_stay() {
    let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text}");
    check("HTTPServer", &["http", "server"]);
    check("getURL2Go", &["get", "url2go"]);
    check("snake_case-kebab", &["snake", "case", "kebab"]);
    check("ÄpfelUndBirnen", &["äpfel", "und", "birnen"]);
    check("", &[]);
}

#[test]
fn mentions_are_code_and_each_is_found_once() {
    let check = |text: &str, expected: &[&str]| assert_eq!(mentions(text), expected, "{text}");
    check("run parse_url and parse_url again", &["parse_url"]);
    check("`run` it and run", &["run"]);
    check("plain words of text. And more.", &[]);
    check("a lone ` mark and\nanother ` one", &[]);
    check("client().send() fails", &["client.send"]);
    check("version 1.2.3", &[]);
}

#[test]
fn class_diagrams_show_at_most_20_members_of_a_type() {
    let methods: String = (0..25)
        .map(|at| format!("    def m{at}(self): pass\n"))
        .collect();
    let text = format!("class Big:\n{methods}");
    let mut diagram = ClassDiagram::default();
    diagram.add(&extract(
        Language::from_id("python").unwrap(),
        &text,
        &Limits::default(),
    ));
    let drawn = diagram.finish();
    assert_eq!(drawn.matches("()\n").count(), 20);
    assert!(drawn.contains("    … 5 more\n"), "{drawn}");
}

#[test]
fn module_diagrams_count_imports_between_folders_alone() {
    let mut diagram = ModuleDiagram::default();
    for (from, to) in [
        ("a/x.py", "b/y.py"),
        ("a/z.py", "b/y.py"),
        ("a/x.py", "a/z.py"),
        ("top.py", "a/x.py"),
    ] {
        diagram.add(&path(from), &path(to));
    }
    assert_eq!(
        diagram.finish(),
        "flowchart LR\n  m0[\".\"]\n  m1[\"a\"]\n  m2[\"b\"]\n  m0 -->|1| m1\n  m1 -->|2| m2\n"
    );
}

#[test]
fn a_treemap_lists_the_largest_files_first() {
    let files = [
        meta("a.rs", "fn a() {}\n"),
        meta("b/c.rs", "fn a() { one(); two(); }\n"),
    ];
    let overview = Overview::new("demo", TOKENIZER, &files, Vec::new());
    let page = treemap(&overview, &files, "gpt-5");
    let data = page
        .split("id=\"data\">")
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["files"][0][0], "b/c.rs");
    assert_eq!(data["files"][0][1], files[1].tokens);
    assert_eq!(data["total"], files[0].tokens + files[1].tokens);
    assert_eq!(data["sign"], "");
}

struct Stopping;

impl TextSource for Stopping {
    fn text(&self, position: usize) -> Option<FileText> {
        (position == 0).then(|| FileText {
            text: "first".to_owned(),
            note: None,
        })
    }
}

fn render(source: &str) -> Result<String, TemplateError> {
    let files = [meta("a.rs", "fn a() {}\n"), meta("b.py", "x = 1\n")];
    let mut overview = Overview::new("demo", TOKENIZER, &files, Vec::new());
    let section = Section::new(SectionKind::Log, "1 commit", None, "<x>\n".to_owned());
    overview.sections.push(section);
    let mut out: Vec<u8> = Vec::new();
    Template::parse("t.html", source)?.render(&overview, &files, Stopping, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn templates_see_sections_unescaped_whatever_the_file_is_called() {
    let found = render(
        "{% for one in sections %}{{ one.kind }} {{ one.title }}: {{ one.text }}{% endfor %}",
    );
    assert_eq!(found.unwrap(), "log 1 commit: <x>\n");
    assert_eq!(
        render("{{ files|map(attribute='path')|join(' ') }}\n").unwrap(),
        "a.rs b.py\n"
    );
}

#[test]
fn a_template_that_asks_for_text_of_a_stopped_run_fails_at_its_line() {
    assert_eq!(render("{{ files[0].content }}").unwrap(), "first");
    let error = render("a\n{{ files[1].content }}").unwrap_err();
    assert!(
        matches!(error, TemplateError::Wrong { line: 2, .. }),
        "{error}"
    );
}

#[test]
fn an_output_that_fails_is_not_a_fault_of_the_template() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let overview = Overview::new("demo", TOKENIZER, [], Vec::new());
    let template = Template::parse("t", "x").unwrap();
    let error = template
        .render(&overview, [], Stopping, &mut Full)
        .unwrap_err();
    assert!(
        matches!(error, TemplateError::Write(cause) if cause.kind() == io::ErrorKind::StorageFull)
    );
}

proptest! {
    #[test]
    fn words_are_lower_case_without_signs(text in "\\PC{0,60}") {
        for word in words(&text) {
            prop_assert!(word.chars().count() > 1);
            prop_assert!(word.chars().all(char::is_alphanumeric), "{word}");
        }
    }

    #[test]
    fn mentions_stand_in_the_text(text in "[a-zA-Z_./` ()\n]{0,80}") {
        let bare = text.replace("()", "");
        let found = mentions(&text);
        prop_assert!(found.iter().all(|one| bare.contains(one.as_str())));
        let mut distinct = found.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), found.len());
    }
}
