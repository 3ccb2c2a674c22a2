//! Settings through the command: layers, origins, and the file that `init` writes.

use loom_testkit::{Run, Sandbox};
use serde_json::Value;

use crate::packed::{BINARY, loom};

fn with(sandbox: &Sandbox, variables: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = sandbox.command(BINARY);
    command.args(args).envs(variables.iter().copied());
    command.output().unwrap().into()
}

#[test]
fn each_layer_lies_over_the_one_before() {
    let sandbox = Sandbox::new();
    let get = |variables: &[(&str, &str)], flags: &[&str]| {
        let args = [&["config", "get", "scan.max_file_size"], flags].concat();
        with(&sandbox, variables, &args).ok()
    };
    let variable = [("INFINILOOM_SCAN_MAX_FILE_SIZE", "3kb")];
    assert_eq!(get(&[], &[]), "32mb\n");
    sandbox.write(
        "../home/.config/infiniloom/infiniloom.toml",
        "[scan]\nmax_file_size = \"1kb\"\n",
    );
    assert_eq!(get(&[], &[]), "1kb\n");
    sandbox.write("infiniloom.toml", "[scan]\nmax_file_size = 2000\n");
    assert_eq!(get(&[], &[]), "2kb\n");
    assert_eq!(get(&variable, &[]), "3kb\n");
    assert_eq!(get(&variable, &["--max-file-size", "4kb"]), "4kb\n");
    assert_eq!(get(&[], &["--no-config"]), "32mb\n");
    sandbox.write("mine.toml", "[pack]\ntop = 3\n");
    for args in [&["--config", "mine.toml"][..], &[]] {
        let args = [&["config", "get", "pack.top"], args].concat();
        let variable: &[_] = if args.len() == 3 {
            &[("INFINILOOM_CONFIG", "mine.toml")]
        } else {
            &[]
        };
        assert_eq!(with(&sandbox, variable, &args).ok(), "3\n");
    }
}

#[test]
fn origins_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "infiniloom.toml",
        "# ours\n[pack]\ntop = 3\n[scan]\nexclude = [\"*.md\"]\n",
    );
    let variables = [("INFINILOOM_MODEL_NAME", "gpt-4")];
    let list = with(
        &sandbox,
        &variables,
        &["config", "list", "--origin", "-j", "2"],
    )
    .ok();
    let told: Vec<_> = list
        .lines()
        .filter(|line| !line.ends_with("# built in"))
        .collect();
    let expected = [
        "scan.exclude = [\"*.md\"]  # infiniloom.toml:5:11",
        "pack.top = 3  # infiniloom.toml:3:7",
        "model.name = \"gpt-4\"  # environment variable INFINILOOM_MODEL_NAME",
        "run.threads = 2  # flag --threads",
    ];
    assert_eq!(told, expected);
    assert!(
        list.contains("pack.format = \"xml\"  # built in\n"),
        "{list}"
    );
    let json = with(&sandbox, &variables, &["config", "list", "-f", "json"]).ok();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().len(), list.lines().count());
    let plain = with(&sandbox, &[], &["config", "list"]).ok();
    assert!(!plain.contains('#'), "{plain}");
}

#[test]
fn a_listing_is_a_settings_file() {
    let sandbox = Sandbox::new();
    let list = loom(&sandbox, &["config", "list"]).ok();
    sandbox.write("again.toml", &list);
    assert_eq!(
        loom(&sandbox, &["config", "list", "--config", "again.toml"]).ok(),
        list
    );
}

#[test]
fn places_and_schema() {
    let sandbox = Sandbox::new();
    sandbox
        .write("sub/x", "x")
        .write("infiniloom.toml", "")
        .git(&["init", "-q"]);
    let mut command = sandbox.command(BINARY);
    let run = command
        .args(["config", "path"])
        .current_dir(sandbox.path("sub"))
        .output();
    let text = Run::from(run.unwrap()).ok();
    let root = sandbox.path("..").canonicalize().unwrap();
    let text = text.replace(root.to_str().unwrap(), "ROOT");
    insta::assert_snapshot!(text, @"
    user: ROOT/home/.config/infiniloom/infiniloom.toml (not there)
    repository: ROOT/work/infiniloom.toml
    ");
    let schema: Value = serde_json::from_str(&loom(&sandbox, &["config", "schema"]).ok()).unwrap();
    assert!(schema["properties"]["scan"]["properties"]["max_file_size"].is_object());
}

#[test]
fn unknown_variable_is_a_warning_with_a_hint() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "hello\n");
    let variables = [
        ("INFINILOOM_PACK_TPO", "1"),
        ("INFINILOOM_BUILD", " (abc)"),
        ("INFINILOOM_EMPTY", ""),
    ];
    let warnings = |args: &[&str]| {
        let run = with(&sandbox, &variables, args);
        let output = run.ok();
        let told = run
            .stderr
            .lines()
            .take_while(|line| line.starts_with("warning: unknown") || line.starts_with("hint: "));
        (output, told.collect::<Vec<_>>().join("\n"))
    };
    let (pack, told) = warnings(&["pack"]);
    assert!(pack.contains("hello"), "{pack}");
    insta::assert_snapshot!(told, @"
    warning: unknown environment variable INFINILOOM_BUILD
    hint: `infiniloom config list` names the settings; INFINILOOM_PACK_TOP sets pack.top
    warning: unknown environment variable INFINILOOM_PACK_TPO
    hint: did you mean `INFINILOOM_PACK_TOP`?
    ");
    assert_eq!(warnings(&["map"]).1, told);
    assert_eq!(
        warnings(&["config", "get", "pack.top"]),
        ("10\n".to_owned(), told)
    );
    for silent in [&["pack", "-q"][..], &["completions", "bash"]] {
        assert_eq!(with(&sandbox, &variables, silent).stderr, "", "{silent:?}");
    }
}

/// `cargo run` passes variables of build scripts on to the program, as this test runner does.
#[test]
fn build_sets_no_variable_that_the_command_reads() {
    let sandbox = Sandbox::new();
    let built: Vec<(String, String)> = std::env::vars()
        .filter(|(name, _)| name.starts_with("INFINILOOM_"))
        .collect();
    let mut command = sandbox.command(BINARY);
    command.args(["config", "list"]).envs(built);
    let run = Run::from(command.output().unwrap());
    assert!(
        !run.stderr.contains("unknown environment variable"),
        "{}",
        run.stderr
    );
}

#[test]
fn wrong_settings_are_all_named_with_place_and_remedy() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "infiniloom.toml",
        "[pack]\nformt = \"xml\"\nformat = \"xmll\"\n\n[sacn]\nx = 1\n\n[scan]\nmax_file_size = \"much\"\n",
    );
    let run = loom(&sandbox, &["pack"]);
    assert_eq!((run.code, run.text().as_str()), (2, ""));
    insta::assert_snapshot!(run.stderr, @r#"
    error: infiniloom.toml:2:1: unknown setting `pack.formt`
    hint: did you mean `pack.format`?
    error: infiniloom.toml:3:10: `pack.format`: expected xml, markdown, json, yaml, plain or compact, found "xmll"
    hint: did you mean `xml`?
    error: infiniloom.toml:5:2: unknown table `sacn`
    hint: did you mean `scan`?
    error: infiniloom.toml:9:17: `scan.max_file_size`: expected a size such as 500000, 500k, 10mb or 1gib, found "much"
    "#);
    sandbox.write("infiniloom.toml", "[pack\n");
    insta::assert_snapshot!(loom(&sandbox, &["pack"]).stderr, @"error: infiniloom.toml:1:6: not valid TOML: unclosed table, expected `]`");
    let run = loom(&sandbox, &["--no-config"]);
    assert_eq!(run.code, 2);
    loom(&sandbox, &["pack", "--no-config"]).ok();
    let run = loom(&sandbox, &["config", "get", "pack.formt", "--no-config"]);
    assert_eq!(run.code, 2);
    assert_eq!(
        run.stderr,
        "error: no setting \"pack.formt\"\nhint: did you mean pack.format?\n"
    );
    let run = loom(&sandbox, &["pack", "--config", "none.toml"]);
    assert!(
        run.stderr
            .contains("cannot read the settings file none.toml"),
        "{}",
        run.stderr
    );
}

#[test]
fn init_writes_a_file_that_changes_nothing() {
    let sandbox = Sandbox::new();
    let before = loom(&sandbox, &["config", "list"]).ok();
    loom(&sandbox, &["init"]).ok();
    loom(&sandbox, &["init", "--user"]).ok();
    assert_eq!(loom(&sandbox, &["config", "list"]).ok(), before);
    let text = sandbox.read("infiniloom.toml");
    let run = loom(&sandbox, &["init"]);
    assert_eq!(run.code, 2);
    assert_eq!(
        run.stderr,
        "error: ./infiniloom.toml is already there\nhint: --force replaces it\n"
    );
    sandbox.write("infiniloom.toml", "x");
    loom(&sandbox, &["init", "--force"]).ok();
    assert_eq!(sandbox.read("infiniloom.toml"), text);
    assert_eq!(loom(&sandbox, &["init", "nowhere"]).code, 2);
    // Each setting is a comment, and takes effect without its comment sign.
    let settings = text
        .lines()
        .map(|line| line.strip_prefix("#").filter(|line| line.contains(" = ")));
    assert!(settings.flatten().count() >= 8, "{text}");
}

#[test]
fn other_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            loom(&sandbox, &["completions", shell])
                .ok()
                .contains("max-file-size")
        );
    }
    assert!(loom(&sandbox, &["man"]).ok().contains(".TH infiniloom"));
    assert!(
        loom(&sandbox, &["man", "pack"])
            .ok()
            .contains("max\\-file\\-size")
    );
    assert!(
        loom(&sandbox, &["--version"])
            .ok()
            .starts_with("infiniloom 0.")
    );
}

#[test]
fn a_home_that_is_no_folder_has_no_settings() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(crate::packed::BINARY);
    command
        .args(["config", "get", "pack.top"])
        .env("HOME", "/dev/null");
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "10\n");
    // A file that the user names must exist.
    let run = loom(
        &sandbox,
        &["config", "get", "pack.top", "--config", "/dev/null/x"],
    );
    assert_eq!(run.code, 2, "{}", run.stderr);
}

/// Earlier versions ignored such a file silently.
#[test]
fn settings_file_above_the_limit_is_named_and_packed() {
    let sandbox = Sandbox::new();
    sandbox.write("main.py", "def main():\n    return 1\n");
    let text = format!("[pack]\nformat = \"markdown\"\n{}", "# x\n".repeat(300_000));
    sandbox.write("infiniloom.toml", &text);
    let said = format!(
        "ignoring the repository's settings in infiniloom.toml: it has {} bytes; the limit is \
         1048576",
        text.len()
    );
    for args in [
        &["pack", "--no-cache"][..],
        &["map", "--no-cache"],
        &["search", "--no-cache", "main"],
        &["context", "--no-cache", "main"],
        &["config", "list"],
    ] {
        let run = loom(&sandbox, args);
        assert!(run.stderr.contains(&said), "{args:?}: {}", run.stderr);
    }
    // It is packed like any other file.
    let pack = loom(&sandbox, &["pack", "--no-cache"]).ok();
    assert!(pack.starts_with('<') && pack.contains("infiniloom.toml"));
    sandbox.commit_all();
    let commit = loom(&sandbox, &["pack", "--no-cache", "--rev", "HEAD"]);
    assert!(commit.stderr.contains(&said), "{}", commit.stderr);
    // A file at the limit is read.
    let exact = format!("{}#", &text[..(1 << 20) - 1]);
    sandbox.write("infiniloom.toml", &exact);
    let run = loom(&sandbox, &["pack", "--no-cache"]);
    assert!(!run.stderr.contains("ignoring"), "{}", run.stderr);
}
