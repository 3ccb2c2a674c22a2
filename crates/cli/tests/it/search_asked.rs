//! `search`: messages about invalid queries, printed paths that can be opened, and texts that no
//! result contains.

use loom_testkit::{Run, Sandbox};

use crate::packed::{BINARY, loom};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.rs", "fn alpha() {\n    beta(1);\n}\n");
    sandbox.write("src/b.py", "def alpha():\n    return 1\n# gamma delta\n");
    sandbox.write("notes.txt", "alpha\nBETA\n");
    sandbox
}

fn search(sandbox: &Sandbox, args: &[&str]) -> Run {
    loom(sandbox, &[&["search"], args].concat())
}

#[test]
fn shown_paths_can_be_opened_from_here() {
    let sandbox = sandbox();
    sandbox.commit_all();
    let shown = |args: &[&str]| search(&sandbox, args).ok();
    assert_eq!(shown(&["gamma", "src"]), "src/b.py:3:# gamma delta\n");
    assert_eq!(
        shown(&["gamma", "./src/b.py"]),
        "src/b.py:3:# gamma delta\n"
    );
    let mut command = sandbox.command(BINARY);
    command
        .current_dir(sandbox.path("src"))
        .args(["search", "alpha", "-l", ".."]);
    let inside = Run::from(command.output().unwrap()).ok();
    let paths: Vec<&str> = inside.lines().collect();
    assert!(
        paths.contains(&"a.rs") && paths.contains(&"../notes.txt"),
        "{paths:?}"
    );
    for path in paths {
        assert!(sandbox.path("src").join(path).exists(), "{path}");
    }
}

#[test]
fn a_wrong_pattern_inside_a_query_is_marked_in_its_place() {
    let sandbox = sandbox();
    for (query, marked) in [
        ("é /a(/", "  é /a(/\n      ^"),
        ("aa path:/b(/", "  aa path:/b(/\n            ^"),
        ("é sym:/a(/", "  é sym:/a(/\n          ^"),
    ] {
        let run = search(&sandbox, &[query]);
        assert_eq!(run.code, 2, "{query}");
        assert!(run.stderr.contains(marked), "{}", run.stderr);
    }
    let run = search(&sandbox, &["aa", "--in", "["]);
    assert!(
        run.code == 2 && run.stderr.contains("  [\n  ^"),
        "{}",
        run.stderr
    );
    sandbox.write("../patterns", "(?i)a\n(?x)aéé # (\nb(\n");
    let run = search(&sandbox, &["-f", "../patterns"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn a_flag_that_is_not_known_is_no_query() {
    let sandbox = sandbox();
    for args in [&["-Q", "alpha"][..], &["--no-such", "src"]] {
        let run = search(&sandbox, args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains("unexpected argument"), "{}", run.stderr);
    }
    let most = ["alpha", "notes.txt", "-A", "18446744073709551615"];
    let run = search(&sandbox, &[&most[..], &["--limit", "1"]].concat());
    assert_eq!(run.ok(), "notes.txt:1:alpha\nnotes.txt-2-BETA\n");
}

#[test]
fn files_of_patterns_can_be_given_again() {
    let sandbox = sandbox();
    sandbox.write("../one", "gamma");
    sandbox.write("../two", "BETA\n");
    let run = search(&sandbox, &["-f", "../one", "-f", "../two"]);
    assert_eq!(run.ok(), "notes.txt:2:BETA\nsrc/b.py:3:# gamma delta\n");
}

#[test]
fn paths_by_expression_and_in_any_case() {
    let sandbox = sandbox();
    let run = search(&sandbox, &["alpha", "--in", "/b\\.p.$/"]);
    assert_eq!(run.ok(), "src/b.py:1:def alpha():\n");
    let run = search(&sandbox, &["-i", "ALPHA", "--in", "NOTES"]);
    assert_eq!(run.ok(), "notes.txt:1:alpha\n");
    let run = search(&sandbox, &["alpha", "--not-in", "/^src/"]);
    assert_eq!(run.ok(), "notes.txt:1:alpha\n");
}

#[test]
fn a_question_without_a_cache_is_answered() {
    let sandbox = sandbox();
    // A file is in the place of the directory.
    sandbox.write("../no-cache", "");
    let mut command = sandbox.command(BINARY);
    command
        .current_dir(sandbox.path(""))
        .env("XDG_CACHE_HOME", sandbox.path("../no-cache"))
        .args(["search", "--ask", "where is gamma"]);
    let run = Run::from(command.output().unwrap());
    assert!(
        run.text().starts_with("src/b.py"),
        "{} {}",
        run.text(),
        run.stderr
    );
    let run = search(&sandbox, &["--ask", " "]);
    assert!(
        run.code == 2 && run.stderr.contains("empty"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_is_left_out_is_said_in_files() {
    let run = search(&sandbox(), &["-l", "alpha", "--limit", "1"]);
    assert!(run.stderr.contains("shows N files"), "{}", run.stderr);
}

/// Names of symbols may lack the spaces of the text.
#[test]
fn symbols_are_found_with_and_without_an_index() {
    let sandbox = Sandbox::new();
    sandbox.write("a.css", "a.b   >   c { color: red }\n");
    for usage in ["off", "update", "auto"] {
        let run = search(&sandbox, &["def:\"a.b > c\"", "--index", usage]);
        assert!(run.text().starts_with("a.css:1:"), "{usage} {}", run.stderr);
    }
    let run = search(&sandbox, &["--", "-case:no a"]);
    assert!(
        run.code == 2 && run.stderr.contains("cannot be negated"),
        "{}",
        run.stderr
    );
}

#[test]
fn queries_about_files_show_files() {
    let sandbox = sandbox();
    let run = search(&sandbox, &["lang:python or lang:rust", "--limit", "1"]);
    assert_eq!(run.text(), "src/a.rs\n");
    let run = search(&sandbox, &["path:src", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&run.ok()).unwrap();
    assert_eq!(told["files"][1]["path"], "src/b.py");
}

#[test]
fn odd_numbers_and_lists() {
    let sandbox = sandbox();
    let most = "9223372036854775808";
    let run = search(&sandbox, &["gamma", "-C", most]);
    assert_eq!(run.text().lines().count(), 3, "{}", run.stderr);
    let run = search(&sandbox, &["alpha", "-l", "--in", "*.{py,txt}"]);
    assert_eq!(run.ok(), "notes.txt\nsrc/b.py\n");
    let run = search(&sandbox, &["alpha", "-l", "--in", "b.py,./notes.txt"]);
    assert_eq!(run.ok(), "notes.txt\nsrc/b.py\n");
    sandbox.write("data.bin", [0_u8, 1, 2, b'a', 0, 3].repeat(50));
    let run = search(&sandbox, &["alpha", "data.bin"]);
    assert!(
        run.stderr.contains("data.bin is left out"),
        "{}",
        run.stderr
    );
}

#[test]
fn meanings_are_found_in_units_of_every_size() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "src/shop.py",
        "class Basket:\n    def total_price(self):\n        return sum(item.price for item in self.items)\n\n\ndef open_socket(host, port):\n    connection = connect(host, port)\n    return connection\n",
    );
    sandbox.write(
        "src/colour.py",
        "def blend(left, right):\n    red = left.red + right.red\n    return red\n",
    );
    let ask = |size: &str| {
        let words = [
            "search",
            "--semantic",
            "what everything costs together",
            "--granularity",
            size,
            "--limit",
            "1",
            "--format",
            "json",
        ];
        let told: serde_json::Value = serde_json::from_str(&loom(&sandbox, &words).ok()).unwrap();
        let hit = told["hits"][0].clone();
        let lines = (hit["start_line"].as_u64(), hit["end_line"].as_u64());
        assert_eq!(hit["path"], "src/shop.py");
        (hit["symbol"].as_str().map(str::to_owned), lines)
    };
    assert_eq!(ask("file"), (None, (Some(1), Some(8))));
    assert_eq!(ask("class").0.as_deref(), Some("Basket"));
    assert_eq!(
        ask("function"),
        (Some("Basket.total_price".to_owned()), (Some(2), Some(5)))
    );
    assert_eq!(ask("chunk").0.as_deref(), Some("Basket.total_price"));
    let text = loom(&sandbox, &["search", "--semantic", "network connection"]).ok();
    assert!(
        text.lines().next().unwrap().contains("open_socket"),
        "{text}"
    );
    let nothing = loom(&sandbox, &["search", "--semantic", "???"]);
    assert_eq!(nothing.code, 1);
    let both = loom(&sandbox, &["search", "--semantic", "-w", "price"]);
    assert_eq!(both.code, 2);
    let alone = loom(&sandbox, &["search", "--granularity", "file", "price"]);
    assert_eq!(alone.code, 2);
}

/// If one file marks a text as a password, its copies in other files are redacted.
#[test]
fn copies_of_secrets_are_not_shown() {
    let sandbox = sandbox();
    let password = ["Zx81", "qT!9pLw", "7vB2"].concat();
    sandbox.write("app.env", format!("DB_PASSWORD={password}\n"));
    sandbox.write("notes.md", format!("see {password} there\n"));
    sandbox.write(
        "code.py",
        format!("def near(value=\"{password}\"):\n    return near()\n"),
    );
    for command in [
        &["search", "there"][..],
        &["def", "near"],
        &["refs", "near"],
    ] {
        let run = loom(&sandbox, &[command, &["--secrets", "off"]].concat());
        let has_it = command[0] != "refs";
        assert_eq!(run.text().contains(&password), has_it, "{command:?}");
        let run = loom(&sandbox, command);
        assert_eq!(run.code, 0, "{command:?} {}", run.stderr);
        assert!(
            !run.text().contains(&password),
            "{command:?} {}",
            run.text()
        );
        let run = loom(&sandbox, &[command, &["--format", "json"]].concat());
        assert!(
            !run.text().contains(&password),
            "{command:?} {}",
            run.text()
        );
    }
    for index in ["auto", "off"] {
        let told = search(&sandbox, &["there", "--index", index]).ok();
        assert_eq!(told, "notes.md:1:see [REDACTED:password] there\n");
    }
    let run = search(&sandbox, &["there", "--secrets", "fail"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}
