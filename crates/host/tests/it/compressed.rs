//! Compressed files in packs: levels, limits, rules, secrets and the cache.

use loom_host::{
    Compression, FilterKind, Form, Format, Level, PackOptions, RepoPath, ShortenOptions, count,
};
use loom_syntax::Transform;
use loom_testkit::{Sandbox, odd_tree};

use crate::fixture::{cached, files_of, filters, pack, packer, password, reasons, survey, write};

fn function(name: &str, lines: usize) -> String {
    let body: String = (0..lines)
        .map(|at| format!("    # step {at}\n    print(\"step {at} of it\")\n"))
        .collect();
    format!("def {name}(a: int) -> int:\n    \"\"\"Does {name}.\"\"\"\n{body}    return a\n\n\n")
}

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    let text: String = (0..6).map(|at| function(&format!("f{at}"), 12)).collect();
    sandbox
        .write("src/a.py", &text)
        .write("src/b.py", text)
        .write("notes.txt", "plain words\n".repeat(20));
    sandbox
}

fn at(level: Level) -> PackOptions {
    PackOptions {
        format: Format::Json,
        shorten: ShortenOptions::new(Compression::at(level)),
        ..PackOptions::default()
    }
}

fn filter(glob: &str) -> loom_host::Filter {
    filters(FilterKind::Include, &[glob]).remove(0)
}

#[test]
fn each_level_has_at_most_the_tokens_of_the_one_before() {
    let sandbox = project();
    let tokens = |level: Level| survey(&packer(&sandbox, at(level))).overview.tokens;
    let all: Vec<usize> = Level::ALL.into_iter().map(tokens).collect();
    assert!(
        all.is_sorted_by(|a, b| a >= b) && all[0] > all[all.len() - 1],
        "{all:?}"
    );
}

/// The description of a compressed file is that of its shown text.
#[test]
fn compressed_files_are_counted_as_they_are_shown() {
    let sandbox = project();
    sandbox.write(
        "key.py",
        format!(
            "def login():\n    password = '{}'\n    # a comment\n    return password\n",
            password()
        ),
    );
    for level in Level::ALL {
        for max_memory in [1, PackOptions::MAX_MEMORY] {
            let options = PackOptions {
                max_memory,
                ..at(level)
            };
            let packer = packer(&sandbox, options.clone());
            let survey = survey(&packer);
            let (text, written) = write(&packer, &survey);
            assert_eq!(written.tokens, count(&text, &options.model), "{level:?}");
            assert!(!text.contains(&password()), "{level:?}");
            let files = files_of(&text);
            for file in survey.files() {
                let shown = &files[&*file.path.display()];
                assert_eq!(
                    file.tokens,
                    count(shown, &options.model).likely(),
                    "{level:?} {}",
                    file.path
                );
                assert_eq!(file.bytes, shown.len());
            }
        }
    }
}

#[test]
fn cache_changes_no_compressed_text() {
    let sandbox = project();
    odd_tree(&sandbox);
    for level in Level::ALL {
        let expected = pack(&sandbox, at(level));
        let options = PackOptions {
            cache: cached(&sandbox).cache,
            ..at(level)
        };
        for _ in 0..2 {
            assert!(pack(&sandbox, options.clone()) == expected, "{level:?}");
        }
    }
}

#[test]
fn file_above_the_cap_is_truncated() {
    let sandbox = project();
    for most in [1, 10, 40, 100_000] {
        let mut options = at(Level::None);
        options.shorten.max_tokens = Some(most);
        let packer = packer(&sandbox, options.clone());
        for _ in 0..2 {
            let files = files_of(&write(&packer, &survey(&packer)).0);
            for (path, text) in &files {
                let tokens = count(text, &options.model).upper();
                assert!(tokens <= most.max(40), "{path}: {tokens} of {most}");
            }
        }
        if most == 100_000 {
            assert_eq!(
                files_of(&pack(&sandbox, options))["src/a.py"],
                sandbox.read("src/a.py")
            );
        }
    }
}

#[test]
fn last_matching_rule_decides_and_asked_files_override_a_repository() {
    let path = |text: &str| RepoPath::new(text).unwrap();
    let options = ShortenOptions::default()
        .exclude(filter("*.csv"), "*.csv")
        .include(filter("data/*.csv"), "data/*.csv")
        .exclude_unasked(filter("*.log"), "*.log")
        .transform(filter("*.md"), "*.md", Transform::Head)
        .asking_for(filter("keep.log"))
        .level_for(filter("src/**"), Level::Aggressive);
    let form = |name: &str| match options.form_of(&path(name)) {
        Ok(Form::Whole) => "whole",
        Ok(Form::Compressed(_)) => "compressed",
        Ok(Form::Transformed(_)) => "transformed",
        Err(_) => "excluded",
    };
    for (name, expected) in [
        ("a.csv", "excluded"),
        ("data/a.csv", "whole"),
        ("a.log", "excluded"),
        ("keep.log", "whole"),
        ("a.md", "transformed"),
        ("src/a.py", "compressed"),
        ("a.py", "whole"),
    ] {
        assert_eq!(form(name), expected, "{name}");
    }
    assert!(!options.has_no_level() && ShortenOptions::default().has_no_level());
}

#[test]
fn excluded_file_is_skipped_with_the_rule() {
    let sandbox = project();
    let options = PackOptions {
        shorten: ShortenOptions::default().exclude(filter("src/b.py"), "src/b.py"),
        ..PackOptions::default()
    };
    let survey = survey(&packer(&sandbox, options));
    assert_eq!(survey.files().len(), 2);
    assert_eq!(reasons(&survey.left_out).len(), 1);
    assert!(
        survey.left_out[0].reason.to_string().contains("src/b.py"),
        "{}",
        survey.left_out[0].reason
    );
}

/// A file that would grow stays as it is.
#[test]
fn short_file_is_not_compressed() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "x = 1\n");
    let files = files_of(&pack(&sandbox, at(Level::Aggressive)));
    assert_eq!(files["a.py"], "x = 1\n");
}

/// Line numbers of a compressed file are those of the file.
#[test]
fn line_numbers_after_an_elided_body_are_those_of_the_file() {
    let sandbox = project();
    let options = PackOptions {
        line_numbers: true,
        ..at(Level::Aggressive)
    };
    let shown = &files_of(&pack(&sandbox, options))["src/a.py"];
    let text = sandbox.read("src/a.py");
    for at in 0..6 {
        let name = format!("def f{at}(");
        let line = 1 + text
            .lines()
            .position(|line| line.starts_with(&name))
            .unwrap();
        let found = shown.lines().find(|line| line.contains(&name)).unwrap();
        assert!(
            found.trim_start().starts_with(&format!("{line}: ")),
            "{found}"
        );
    }
}
