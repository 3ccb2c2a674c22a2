//! Fitting a pack into a budget: the whole output keeps it, and it is used.

use loom_host::{
    Cancel, FilterKind, Fit, Format, NoProgress, PackError, PackOptions, PackRun, Packer, Survey,
    Template, count, model,
};
use loom_testkit::Sandbox;
use proptest::prelude::*;

use crate::fixture::{Meddling, packer, paths, reasons, survey, write};

fn fitted(packer: &Packer, budget: usize) -> Survey {
    PackRun::new(packer, &NoProgress, &Cancel::new())
        .fit(survey(packer), budget)
        .unwrap()
}

/// Returns the tokens of the output within a budget.
fn tokens(packer: &Packer, budget: usize) -> usize {
    let (text, written) = write(packer, &fitted(packer, budget));
    let counted = count(&text, &packer.options().model);
    assert_eq!(written.tokens, counted);
    counted.upper()
}

fn function(name: &str, lines: usize) -> String {
    let body: String = (0..lines)
        .map(|at| format!("    print(\"step {at} of it\")\n"))
        .collect();
    format!("def {name}(a: int) -> int:\n    \"\"\"Does {name}.\"\"\"\n{body}    return a\n\n\n")
}

fn sources(files: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    for at in 0..files {
        let text: String = (0..4)
            .map(|one| function(&format!("f{at}_{one}"), 20))
            .collect();
        sandbox.write(format!("src/part{at}.py"), text);
    }
    sandbox
}

fn compressing() -> PackOptions {
    let mut options = PackOptions::default();
    options.shorten.fit = Fit::Compress;
    options
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
fn best_files_come_first_and_the_last_one_is_truncated_after_a_line() {
    let sandbox = ranked();
    let packer = packer(&sandbox, PackOptions::default());
    let fitted = fitted(&packer, 1_000);
    let all = [
        "LICENSE",
        "README.md",
        "docs/guide.md",
        "src/large.rs",
        "src/main.rs",
        "tests/it.rs",
    ];
    assert_eq!(paths(&fitted), all);
    let large = fitted.files().nth(3).unwrap();
    assert!(large.lines < 400);
    assert_eq!(
        large.note().unwrap(),
        format!("lines 1 to {} of 400", large.lines)
    );
    let (text, _) = write(&packer, &fitted);
    let line = "some words that take room in a budget\n";
    assert_eq!(text.matches(line).count(), 5 * 5 + large.lines);
}

#[test]
fn file_without_room_is_skipped_with_the_reason() {
    let sandbox = ranked();
    let packer = packer(&sandbox, PackOptions::default());
    let fitted = fitted(&packer, 400);
    let left_out = reasons(&fitted.left_out);
    assert!(
        left_out.contains(&"LICENSE: over-budget".to_owned()),
        "{left_out:?}"
    );
    assert_eq!(left_out.len() + fitted.files().len(), 6);
    let share = &fitted.overview.left_out[0];
    assert_eq!((share.reason, share.count), ("over-budget", left_out.len()));
}

#[test]
fn survey_that_fits_stays_as_it_is() {
    let sandbox = ranked();
    for options in [PackOptions::default(), compressing()] {
        let packer = packer(&sandbox, options);
        let whole = write(&packer, &survey(&packer)).0;
        assert!(write(&packer, &fitted(&packer, 100_000)).0 == whole);
        let exact = count(&whole, &packer.options().model).upper();
        assert_eq!(tokens(&packer, exact), exact);
    }
}

#[test]
fn budget_below_the_smallest_is_refused_with_a_number_that_works() {
    let sandbox = ranked();
    for (name, format) in Format::ALL {
        let options = PackOptions {
            format: *format,
            ..PackOptions::default()
        };
        let packer = packer(&sandbox, options);
        let refused = |budget: usize| {
            let result =
                PackRun::new(&packer, &NoProgress, &Cancel::new()).fit(survey(&packer), budget);
            match result {
                Err(PackError::BudgetTooSmall { smallest, .. }) => Some(smallest),
                result => {
                    result.unwrap();
                    None
                }
            }
        };
        let smallest = refused(10).unwrap();
        assert!(tokens(&packer, smallest) <= smallest, "{name}");
        assert_eq!(refused(smallest - 1), Some(smallest), "{name}");
    }
}

#[test]
fn budget_is_kept_and_used_with_line_numbers_and_estimates() {
    let sandbox = sources(12);
    for name in ["gpt-4", "sonnet", "qwen3-coder"] {
        for budget in [2_500, 6_000] {
            let options = PackOptions {
                model: model(name).unwrap().clone(),
                line_numbers: true,
                ..PackOptions::default()
            };
            let used = tokens(&packer(&sandbox, options), budget);
            assert!(
                used <= budget && used * 100 >= budget * 92,
                "{name}: {used} of {budget}"
            );
        }
    }
}

#[test]
fn budget_holds_for_a_template_with_long_names() {
    let sandbox = Sandbox::new();
    for at in 0..60 {
        sandbox.write(format!("a_folder_with_a_long_name_{at}/e.py"), "");
    }
    let lines: Vec<_> = (0..3_000).map(|at| at.to_string()).collect();
    sandbox.write("main.py", lines.join("\n") + "\n");
    let text = "{{ tree }}{% for f in files %}{{ f.path }}\n{{ f.content }}{% endfor %}";
    let options = PackOptions {
        template: Some(Template::parse("t", text).unwrap()),
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options);
    for budget in [300, 600, 2_000] {
        let used = tokens(&packer, budget);
        assert!(
            used <= budget && used * 100 >= budget * 90,
            "{used} of {budget}"
        );
    }
}

/// By its path and its size, the file would come last; all others import it.
#[test]
fn important_file_comes_first_whatever_its_path() {
    let sandbox = Sandbox::new();
    let core = format!(
        "def build_core():\n    return 1\n\n{}",
        "# more of it\n".repeat(40)
    );
    sandbox.write("src/deep/down/zz_core.py", core);
    for at in 0..20 {
        let text = format!(
            "from deep.down.zz_core import build_core\n\ndef part{at}():\n    build_core()\n{}",
            "# words\n".repeat(30)
        );
        sandbox.write(format!("src/part{at}.py"), text);
    }
    let packer = packer(&sandbox, PackOptions::default());
    let fitted = fitted(&packer, 1_200);
    let shown = paths(&fitted);
    assert!(
        shown.contains(&"src/deep/down/zz_core.py".to_owned()),
        "{shown:?}"
    );
    assert!(!shown.contains(&"src/part19.py".to_owned()), "{shown:?}");
}

fn forms(survey: &Survey) -> Vec<String> {
    let form = |file: &loom_host::FileMeta| {
        let info = file.to_wire();
        let shortened = serde_json::to_value(&info).unwrap();
        let form = shortened["compression"]["form"].as_str();
        form.unwrap_or("none").to_owned()
    };
    survey.files().map(form).collect()
}

/// A file that no level makes short enough fills the rest with its start.
#[test]
fn incompressible_file_does_not_push_the_others_down() {
    let sandbox = sources(4);
    let line = |at: usize| format!("line {at} has {} words and {} more\n", at * 7, at * 13);
    sandbox.write("notes.txt", (0..4_000).map(line).collect::<String>());
    let packer = packer(&sandbox, compressing());
    let fitted = fitted(&packer, 12_000);
    assert!(
        forms(&fitted).iter().all(|form| form == "none"),
        "{:?}",
        forms(&fitted)
    );
    assert_eq!(fitted.files().len(), 5);
    let used = tokens(&packer, 12_000);
    assert!(used <= 12_000 && used > 11_700, "{used}");
}

#[test]
fn compression_keeps_every_budget_and_uses_it() {
    let sandbox = sources(6);
    let rows: String = (0..400)
        .map(|at| format!("{at},name {at},{}\n", at * 3))
        .collect();
    sandbox
        .write("data/rows.csv", format!("id,name,value\n{rows}"))
        .write("data/more.csv", "id,name\n1,a\n")
        .write("README.md", "# It\n\nWords about it.\n");
    let packer = packer(&sandbox, compressing());
    let mut last = 0;
    for budget in [2_000, 3_000, 5_000, 8_000, 10_000] {
        let fitted = fitted(&packer, budget);
        let (files, used) = (fitted.files().len(), tokens(&packer, budget));
        assert!(
            used <= budget && files >= last,
            "{budget}: {used}, {files} after {last}"
        );
        let is_all = files == 9 && forms(&fitted).iter().all(|form| form == "none");
        assert!(is_all || used * 10 >= budget * 9, "{budget}: {used}");
        // Every source file is there from the first budget that has room for all at a level.
        let shown = paths(&fitted);
        assert_eq!(
            shown.iter().filter(|path| path.starts_with("src/")).count(),
            6
        );
        last = files;
    }
}

/// The user's rule fixes the level of a file: no budget compresses it further.
#[test]
fn file_with_a_rule_keeps_its_form() {
    let sandbox = sources(4);
    let filter = crate::fixture::filters(FilterKind::Include, &["src/part0.py"]).remove(0);
    let options = PackOptions {
        shorten: compressing().shorten.include(filter, "src/part0.py"),
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options);
    let fitted = fitted(&packer, 2_500);
    let at = paths(&fitted)
        .iter()
        .position(|path| path == "src/part0.py")
        .unwrap();
    assert_eq!(forms(&fitted)[at], "none");
    assert!(forms(&fitted).iter().any(|form| form != "none"));
}

#[test]
fn cancelled_fitting_is_an_error() {
    let sandbox = sources(6);
    for options in [PackOptions::default(), compressing()] {
        let packer = packer(&sandbox, options);
        let whole = survey(&packer);
        let meddling = Meddling::cancelling(0);
        meddling.cancel.cancel();
        let result = PackRun::new(&packer, &meddling, &meddling.cancel).fit(whole, 2_000);
        assert!(matches!(result, Err(PackError::Cancelled)));
    }
}

/// A file that grows after it was chosen takes no more room than planned.
#[test]
fn file_that_grows_after_the_choice_does_not_exceed_the_budget() {
    let sandbox = sources(4);
    let options = PackOptions {
        keeps_text: false,
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options);
    let chosen = fitted(&packer, 3_000);
    for path in paths(&chosen) {
        let text = sandbox.read(&path);
        sandbox.write(&path, text.repeat(5));
    }
    let (text, written) = write(&packer, &chosen);
    assert!(
        written.tokens.upper() <= 3_000,
        "{}",
        written.tokens.upper()
    );
    assert!(!written.changed.is_empty() && text.contains("no room for more"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_budget_is_exceeded(sizes in prop::collection::vec(0usize..120, 1..8), budget in 300usize..4_000, format in 0usize..6, fit in any::<bool>()) {
        let sandbox = Sandbox::new();
        for (at, size) in sizes.iter().enumerate() {
            let ending = ["py", "md", "txt"][at % 3];
            sandbox.write(format!("d{}/f{at}.{ending}", at % 2), function(&format!("f{at}"), *size));
        }
        let base = if fit { compressing() } else { PackOptions::default() };
        let packer = packer(&sandbox, PackOptions { format: Format::ALL[format].1, ..base });
        match PackRun::new(&packer, &NoProgress, &Cancel::new()).fit(survey(&packer), budget) {
            Err(PackError::BudgetTooSmall { smallest, .. }) => prop_assert!(smallest > budget),
            fitted => {
                let (text, _) = write(&packer, &fitted.unwrap());
                prop_assert!(count(&text, &packer.options().model).upper() <= budget);
            }
        }
    }
}
