//! `search`: what is said about a query that cannot be asked, and that shown paths can be
//! opened.

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
    for args in [&["-n", "alpha"][..], &["--no-such", "src"]] {
        let run = search(&sandbox, args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains("unexpected argument"), "{}", run.stderr);
    }
    let most = ["alpha", "notes.txt", "-A", "18446744073709551615"];
    let run = search(&sandbox, &[&most[..], &["--limit", "1"]].concat());
    assert_eq!(run.ok(), "notes.txt:1:alpha\nnotes.txt-2-BETA\n");
}
