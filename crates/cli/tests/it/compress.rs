//! Compression through the real binary: levels, preserved text, rules of the settings, the report,
//! true line numbers, secrets, and budgets that levels meet.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use loom_models::{count, resolve as model};
use loom_testkit::{Sandbox, odd_tree};
use serde_json::Value;

use crate::packed::{formats, loom};
use crate::readers;

const LEVELS: &[&str] = &["none", "minimal", "balanced", "aggressive", "extreme"];

fn tokens(text: &str) -> usize {
    count(text, model("gpt-5").unwrap()).upper()
}

/// Returns a function with a body of `lines` lines.
fn function(name: &str, lines: usize) -> String {
    let body: String = (0..lines)
        .map(|at| format!("    print(\"step {at} of it\")\n"))
        .collect();
    format!("def {name}(a: int) -> int:\n    \"\"\"Does {name}.\"\"\"\n{body}    return a\n\n\n")
}

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/app.py", &(function("run", 30) + &function("stop", 2)))
        .write("tests/test_app.py", function("test_run", 20))
        .write("data/rows.csv", "id,name\n1,a\n2,b\n3,c\n4,d\n5,e\n6,f\n7,g\n8,h\n9,i\n10,j\n11,k\n12,l\n13,m\n14,n\n15,o\n")
        .commit_all();
    sandbox
}

#[test]
fn each_level_has_fewer_tokens_than_the_one_before() {
    let sandbox = project();
    let mut last = usize::MAX;
    for level in LEVELS {
        let text = loom(&sandbox, &["pack", "--compress", level, "-f", "compact"]).ok();
        assert!(tokens(&text) < last || *level == "minimal", "{level}");
        last = tokens(&text);
        assert!(text.contains("def run(a: int) -> int"), "{level}");
    }
    let text = loom(&sandbox, &["pack", "--compress", "aggressive"]).ok();
    assert!(
        text.contains("\"\"\"Does run.\"\"\"\n    # … 31 lines\n"),
        "{text}"
    );
    assert!(text.contains("aggressive: "), "{text}");
}

/// On the real files of this repository, a stronger level never needs more tokens than a weaker
/// one, neither for a file nor for the pack.
#[test]
fn tokens_fall_from_level_to_level() {
    let sandbox = Sandbox::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["benchmarks", "docs/guides", "crates/wire", "crates/base"];
    let folders = folders.map(|folder| root.join(folder).display().to_string());
    let mut last: Option<(usize, BTreeMap<String, u64>)> = None;
    for level in LEVELS {
        let pack = |format: &str| {
            let mut args = vec!["pack", "--compress", level, "-f", format];
            args.extend(folders.iter().map(String::as_str));
            loom(&sandbox, &args).ok()
        };
        let text = pack("xml");
        let pack: Value = serde_json::from_str(&pack("json")).unwrap();
        let files = pack["files"].as_array().unwrap().iter();
        let files = files.map(|file| {
            let path = file["path"].as_str().unwrap().to_owned();
            (path, file["tokens"].as_u64().unwrap())
        });
        let (total, files) = (tokens(&text), files.collect::<BTreeMap<_, _>>());
        if let Some((before, gentler)) = &last {
            assert!(total <= *before, "{level}: {total} > {before}");
            for (path, tokens) in &files {
                assert!(*tokens <= gentler[path], "{level} {path}");
            }
        }
        last = Some((total, files));
    }
}

/// If a level saves less than its note costs, the file stays unchanged.
#[test]
fn a_file_that_would_grow_stays_as_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "a = 1 \n\n\nb = 2\n").commit_all();
    let pack = |level| loom(&sandbox, &["pack", "--compress", level, "-f", "json"]).ok();
    let value: Value = serde_json::from_str(&pack("minimal")).unwrap();
    let file = &value["files"][0];
    assert_eq!(file["content"], "a = 1 \n\n\nb = 2\n");
    assert_eq!(file["compression"]["form"], "none");
    assert_eq!(file["compression"]["asked"], "minimal");
    assert!(file["note"].is_null(), "{file}");
}

#[test]
fn lines_have_the_numbers_that_they_have_in_the_file() {
    let sandbox = project();
    let args = [
        "pack",
        "--compress",
        "balanced",
        "--line-numbers",
        "-f",
        "plain",
    ];
    let text = loom(&sandbox, &args).ok();
    assert!(
        text.contains("\n 3:     # … 31 lines\n34: \n36: def stop"),
        "{text}"
    );
}

#[test]
fn rules_of_the_settings_choose_by_path() {
    let sandbox = project();
    sandbox.write(
        "infiniloom.toml",
        "[[compress]]\nmatch = \"src/**\"\nlevel = \"extreme\"\n\n[[transform]]\nname = \"names\"\npattern = \"**/test_*.py\"\naction = \"transform\"\ntransform = \"extract_test_names\"\n\n[[transform]]\npattern = \"*.csv\"\naction = \"transform\"\ntransform = \"data_shape\"\n",
    );
    let text = loom(&sandbox, &["pack", "-f", "compact"]).ok();
    assert!(text.contains("\ntest_run\n# … 24 lines\n"), "{text}");
    assert!(
        text.contains("def run(a: int) -> int\ndef stop(a: int) -> int\n"),
        "{text}"
    );
    assert!(
        text.contains("15 rows of 2 columns\nid: number\nname: text\n"),
        "{text}"
    );
    let why = loom(&sandbox, &["why", "src/app.py"]).ok();
    assert!(why.contains("in the form extreme"), "{why}");
    sandbox.write(
        "infiniloom.toml",
        "[[transform]]\npattern = \"tests/**\"\naction = \"exclude\"\n",
    );
    let run = loom(&sandbox, &["pack", "-f", "compact", "-v"]);
    assert!(!String::from_utf8_lossy(&run.stdout).contains("test_run"));
    assert!(
        run.stderr.contains("[[transform]]: tests/**"),
        "{}",
        run.stderr
    );
}

/// A user's rule comes after a repository's, so the repository cannot override it.
#[test]
fn the_users_rules_decide_over_the_repositorys() {
    let sandbox = project();
    sandbox.write(
        "infiniloom.toml",
        "[[transform]]\npattern = \"*\"\naction = \"include\"\n",
    );
    let own = sandbox.path("own.toml");
    fs::write(
        &own,
        "[[transform]]\npattern = \"tests/**\"\naction = \"exclude\"\n",
    )
    .unwrap();
    let text = loom(&sandbox, &["pack", "--config", own.to_str().unwrap()]).ok();
    assert!(!text.contains("Does test_run"), "{text}");
}

/// Flags override files.
#[test]
fn flags_decide_over_rules() {
    let sandbox = project();
    sandbox.write(
        "infiniloom.toml",
        "[[compress]]\nmatch = \"src/**\"\nlevel = \"extreme\"\n\n[[transform]]\npattern = \"tests/**\"\naction = \"exclude\"\n",
    );
    let text = loom(&sandbox, &["pack", "--compress", "none"]).ok();
    assert!(text.contains("step 29 of it"), "{text}");
    assert!(!text.contains("Does test_run"), "{text}");
    let text = loom(&sandbox, &["pack", "--include", "tests/**"]).ok();
    assert!(text.contains("Does test_run"), "{text}");
    let why = loom(&sandbox, &["why", "src/app.py"]).ok();
    assert!(why.contains("in the form extreme"), "{why}");
}

#[test]
fn settings_that_do_nothing_are_told() {
    let sandbox = project();
    for (args, told) in [
        (&["pack", "--fit", "compress"][..], "add --budget N"),
        (&["pack", "--preserve", "public"], "add --compress balanced"),
    ] {
        let run = loom(&sandbox, args);
        assert!(run.code == 0 && run.stderr.contains(told), "{}", run.stderr);
    }
    let args = [
        "pack",
        "--fit",
        "compress",
        "--budget",
        "10k",
        "--preserve",
        "public",
    ];
    let run = loom(&sandbox, &args);
    assert!(!run.stderr.contains("does nothing"), "{}", run.stderr);
}

/// The note of a file sums up its markers, and the report contains the requested level.
#[test]
fn notes_count_what_marks_count() {
    let sandbox = project();
    sandbox.write("src/a.nim", "echo 1\n\n\n\necho 2\n");
    let report = sandbox.path("report.json");
    let args = [
        "pack",
        "--compress",
        "balanced",
        "--report",
        report.to_str().unwrap(),
    ];
    let text = loom(&sandbox, &args).ok();
    assert!(text.contains("balanced: 31 lines left out"), "{text}");
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    let files = report["files"].as_array().unwrap();
    let of = |path: &str| files.iter().find(|file| file["path"] == path).unwrap();
    assert_eq!(of("src/a.nim")["compression"]["asked"], "balanced");
    assert_eq!(
        of("src/a.nim")["compression"]["why"],
        "no grammar reads the file"
    );
    assert!(of("src/app.py")["compression"]["asked"].is_null());
}

#[test]
fn wrong_rules_are_told() {
    let sandbox = project();
    for (settings, told) in [
        ("[[compress]]\nmatch = \"a\"\n", "`level` in each rule"),
        (
            "[[compress]]\nmatch = \"a\"\nlevel = \"much\"\n",
            "found \"much\"",
        ),
        (
            "[[transform]]\npattern = \"a\"\naction = \"transform\"\n",
            "`transform` in each rule",
        ),
        (
            "[[transform]]\npattern = \"a\"\naction = \"include\"\nfoo = 1\n",
            "unknown setting `transform.foo`",
        ),
        (
            "[[compress]]\nmatch = \"a{\"\nlevel = \"minimal\"\n",
            "not a valid pattern",
        ),
        ("compress = 1\n", "tables, [[compress]]"),
    ] {
        sandbox.write("infiniloom.toml", settings);
        let run = loom(&sandbox, &["pack"]);
        assert!(run.code != 0 && run.stderr.contains(told), "{}", run.stderr);
    }
}

#[test]
fn the_report_says_what_was_left_out() {
    let sandbox = project();
    let report = sandbox.path("report.json");
    let args = [
        "pack",
        "--compress",
        "balanced",
        "-o",
        "out.xml",
        "--report",
        report.to_str().unwrap(),
    ];
    loom(&sandbox, &args).ok();
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    let files = report["files"].as_array().unwrap();
    let app = files
        .iter()
        .find(|file| file["path"] == "src/app.py")
        .unwrap();
    let how = &app["compression"];
    assert_eq!(how["form"], "balanced");
    assert!(how["tokens_before"].as_u64() > app["tokens"].as_u64());
    assert_eq!(how["elided"][0]["what"], "body");
    assert_eq!(how["elided"][0]["first_line"], 3);
    assert_eq!(how["elided"][0]["last_line"], 33);
}

#[test]
fn secrets_stay_out_and_placeholders_whole() {
    let sandbox = Sandbox::new();
    let secret = format!("{}{}", "AKIA", "Z7VRSQ5TJN2XMPLQ");
    sandbox
        .write(
            "a.py",
            format!("KEY = \"{secret}\"\n{}", function("run", 30)),
        )
        .write(
            "b.py",
            format!(
                "def run():\n{}    key = \"{secret}\"\n",
                "    step()\n".repeat(30)
            ),
        )
        .commit_all();
    for level in LEVELS {
        for memory in ["256mb", "1mb"] {
            let args = ["pack", "--compress", level, "--max-memory", memory];
            let text = loom(&sandbox, &args).ok();
            assert!(!text.contains(&secret[..8]), "{level}");
            let whole = text.matches("[REDACTED:aws").count();
            assert_eq!(text.matches("REDACTED").count(), whole, "{level}: {text}");
            assert!(whole >= 1, "{level}: {text}");
        }
    }
}

#[test]
fn a_file_is_cut_at_its_cap() {
    let sandbox = project();
    let args = ["pack", "--max-tokens-per-file", "100", "-f", "json"];
    let pack: Value = serde_json::from_str(&loom(&sandbox, &args).ok()).unwrap();
    for file in pack["files"].as_array().unwrap() {
        let text = file["content"].as_str().unwrap();
        assert!(tokens(text) <= 100, "{}: {}", file["path"], tokens(text));
    }
    let app = &pack["files"].as_array().unwrap()[1];
    assert!(app["content"].as_str().unwrap().contains("# … "), "{app}");
    assert_eq!(app["compression"]["form"], "cut");
}

/// Every limit is met, even the smallest: a file without space for a marker is empty, and its note
/// lists the missing lines.
#[test]
fn no_cap_is_too_small() {
    let sandbox = project();
    sandbox.write("one.txt", "word ".repeat(500)).commit_all();
    for cap in ["1", "3", "7", "12"] {
        let args = ["pack", "--max-tokens-per-file", cap, "-f", "json"];
        for more in [&[][..], &["--fit", "compress"], &["-m", "claude"]] {
            let pack = loom(&sandbox, &[&args[..], more].concat()).ok();
            let pack: Value = serde_json::from_str(&pack).unwrap();
            for file in pack["files"].as_array().unwrap() {
                let most = cap.parse::<u64>().unwrap();
                assert!(file["tokens"].as_u64().unwrap() <= most, "{cap}: {file}");
                let note = file["note"].as_str().unwrap();
                assert!(note.contains("left out"), "{cap}: {file}");
            }
        }
    }
}

/// The written output stays within the budget, and keeps every file as long as possible.
#[test]
fn a_budget_is_kept_by_levels() {
    let sandbox = Sandbox::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folder = folder.display().to_string();
    let whole = loom(&sandbox, &["pack", "-f", "json", &folder]).ok();
    let files = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        value["files"].as_array().unwrap().len()
    };
    let all = tokens(&whole);
    for share in [90, 60, 40, 25, 8] {
        let budget = all * share / 100;
        let shown = budget.to_string();
        let run = |fit: &str| {
            let args = [
                "pack", "-f", "json", "--budget", &shown, "--fit", fit, &folder,
            ];
            loom(&sandbox, &args).ok()
        };
        let (dropped, lowered) = (run("drop"), run("compress"));
        assert!(
            tokens(&lowered) <= budget,
            "{share} %: {}",
            tokens(&lowered)
        );
        assert!(files(&lowered) >= files(&dropped), "{share} %");
        if share >= 40 {
            assert_eq!(files(&lowered), files(&whole), "{share} %");
        }
    }
}

#[test]
fn the_odd_tree_is_compressed_at_every_level_in_every_format() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    for level in LEVELS {
        for format in formats() {
            let text = loom(&sandbox, &["pack", "-f", format, "--compress", level]).ok();
            readers::read(format, &text);
        }
        let args = [
            "pack",
            "--compress",
            level,
            "--remove-comments",
            "--minify-whitespace",
            "--split",
            "3000",
            "-o",
            "../out.txt",
        ];
        loom(&sandbox, &args).ok();
    }
}

/// Every line has its number, also the closing bracket of a shell function.
#[test]
fn numbers_behind_a_body_are_those_of_the_file() {
    let sandbox = Sandbox::new();
    let body = "  echo a\n".repeat(20);
    sandbox.write("a.sh", format!("f() {{\n{body}}}\nf # ms\n"));
    let args = [
        "pack",
        "--compress",
        "balanced",
        "--line-numbers",
        "-f",
        "plain",
    ];
    let text = loom(&sandbox, &args).ok();
    for line in [" 1: f() {", "22: }", "23: f # ms"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}
