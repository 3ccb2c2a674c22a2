//! Budgets: the whole output stays within its budget, and uses most of it.

use std::path::Path;

use loom_models::{count, resolve as model};
use loom_testkit::Sandbox;

use crate::packed::{formats, json_file, loom};
use crate::readers;

/// Returns the tokens of a text for the default model.
fn tokens(text: &str) -> usize {
    count(text, model("gpt-5").unwrap()).upper()
}

/// Returns numbers that look random, and are the same in every run.
fn budgets(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let mut state = 0x2545_f491_u64;
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let share = (state >> 33) as f64 / f64::from(1u32 << 31);
        // Distributed evenly over the magnitudes, so that small and large ones are equally
        // frequent.
        (2_000.0 * (most as f64 / 2_000.0).powf(share)) as usize
    })
    .take(count)
}

/// Returns the sources of this repository, which have files of every size.
fn sources() -> String {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap().display().to_string()
}

#[test]
fn never_over_and_nearly_all_used() {
    let sandbox = Sandbox::new();
    let folder = sources();
    for format in formats() {
        let whole = tokens(&loom(&sandbox, &["pack", "-f", format, &folder]).ok());
        for budget in budgets(10, whole * 11 / 10) {
            let text = loom(
                &sandbox,
                &[
                    "pack",
                    "-f",
                    format,
                    "--budget",
                    &budget.to_string(),
                    &folder,
                ],
            )
            .ok();
            let used = tokens(&text);
            assert!(used <= budget, "{format}: {used} of {budget}");
            if whole > budget {
                assert!(used * 100 >= budget * 95, "{format}: {used} of {budget}");
            } else {
                assert_eq!(used, whole, "{format}");
            }
            readers::read(format, &text);
        }
    }
}

#[test]
fn a_template_is_held_to_it() {
    let sandbox = Sandbox::new();
    let template =
        "{% for file in files %}* {{ file.path }}\n{{ file.content }}{% endfor %}the end\n";
    sandbox.write("../template", template);
    let args = [
        "pack",
        "--template",
        "../template",
        "--budget",
        "20k",
        &sources(),
    ];
    let text = loom(&sandbox, &args).ok();
    let used = tokens(&text);
    assert!((19_000..=20_000).contains(&used), "{used}");
    assert!(text.ends_with("the end\n"));
}

fn ranked() -> Sandbox {
    let sandbox = Sandbox::new();
    let line = "some words that take room in a budget\n";
    for (path, lines) in [
        ("README.md", 5),
        ("src/main.rs", 5),
        ("src/large.rs", 400),
        ("docs/guide.md", 5),
        ("tests/it.rs", 5),
        ("LICENSE", 5),
    ] {
        sandbox.write(path, line.repeat(lines));
    }
    sandbox
}

#[test]
fn what_was_left_out_is_said() {
    let sandbox = ranked();
    let args = [
        "pack",
        "--budget",
        "400",
        "-o",
        "../out",
        "-v",
        "--report",
        "../report.json",
    ];
    let said = loom(&sandbox, &args).stderr;
    assert!(
        said.contains("LICENSE: no room for it within the budget"),
        "{said}"
    );
    let report = json_file(&sandbox.path("../report.json"));
    let left_out = report["statistics"]["left_out"].as_array().unwrap();
    assert!(
        left_out
            .iter()
            .any(|share| share["reason"] == "over-budget")
    );
    assert!(
        sandbox
            .read("../out")
            .contains("<left_out reason=\"over-budget\"")
    );
}

#[test]
fn too_small_a_budget_names_the_smallest() {
    let sandbox = ranked();
    for format in formats() {
        let run = loom(&sandbox, &["pack", "--budget", "10", "-f", format]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stdout.is_empty());
        let smallest = run
            .stderr
            .split("header of the pack needs ")
            .nth(1)
            .unwrap();
        let smallest = smallest.split(';').next().unwrap();
        let smallest: usize = smallest.parse().unwrap();
        let text = loom(
            &sandbox,
            &["pack", "--budget", &smallest.to_string(), "-f", format],
        )
        .ok();
        assert!(tokens(&text) <= smallest);
        let less = (smallest - 1).to_string();
        assert_eq!(
            loom(&sandbox, &["pack", "--budget", &less, "-f", format]).code,
            1
        );
    }
    for wrong in ["0", "x", "-5", "1.5"] {
        assert_eq!(
            loom(&sandbox, &["pack", &format!("--budget={wrong}")]).code,
            2,
            "{wrong}"
        );
    }
}

#[test]
fn a_limit_for_continuous_integration() {
    let sandbox = ranked();
    let over = loom(&sandbox, &["pack", "--fail-over", "1k", "-o", "../out"]);
    assert_eq!(over.code, 1);
    assert!(
        over.stderr.contains("more than 1,000 (--fail-over)"),
        "{}",
        over.stderr
    );
    let written = tokens(&sandbox.read("../out"));
    assert!(written > 1_000);
    let exact = written.to_string();
    for args in [
        &["pack", "--fail-over"][..],
        &["pack", "--dry-run", "--fail-over"],
    ] {
        assert_eq!(loom(&sandbox, &[args, &[&*exact]].concat()).code, 0);
        let less = (written - 1).to_string();
        assert_eq!(loom(&sandbox, &[args, &[&*less]].concat()).code, 1);
    }
}

#[test]
fn what_would_be_written_is_said_before() {
    let sandbox = ranked();
    let written = tokens(&loom(&sandbox, &["pack"]).ok());
    let said = loom(&sandbox, &["pack", "--dry-run"]).ok();
    let shown = said.split("the pack would have ").nth(1).unwrap();
    assert!(
        shown
            .replace(',', "")
            .contains(&format!("{written} tokens")),
        "{said}"
    );
    let nothing = loom(&sandbox, &["pack", "--include", "nope*"]);
    assert!(
        nothing.stderr.contains("no file is packed"),
        "{}",
        nothing.stderr
    );
    assert_eq!(
        loom(
            &sandbox,
            &["pack", "--budget", "2k", "--split", "1k", "-o", "x"]
        )
        .code,
        2
    );
}
