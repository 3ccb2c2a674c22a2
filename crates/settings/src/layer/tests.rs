//! Layers and their merging, as data: text in, settings or messages out.

mod limits;

use std::ffi::OsString;

use proptest::prelude::*;

use crate::{
    FileOrigin, FilterKind, Flag, FlagValue, Layer, Origin, Problem, Setting, Trust, all, resolve,
    setting, unknown_variables,
};

fn user(text: &str) -> Result<Layer, Vec<Problem>> {
    Layer::from_toml(&FileOrigin::user("user.toml"), text)
}

fn repository(text: &str) -> Result<Layer, Vec<Problem>> {
    Layer::from_toml(&FileOrigin::repository("repo.toml"), text)
}

fn environment(pairs: &[(&str, &str)]) -> Result<Layer, Vec<Problem>> {
    let owned = |&(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
    Layer::from_env(pairs.iter().map(owned))
}

fn flags(pairs: &[(&str, FlagValue)]) -> Result<Layer, Vec<Problem>> {
    let found = |(key, value): &(&str, FlagValue)| (setting(key).unwrap(), value.clone());
    Layer::from_flags(pairs.iter().map(found))
}

fn typed(text: &str) -> FlagValue {
    FlagValue::Value(OsString::from(text))
}

/// Returns the differences from the defaults, one `key = value (origin)` per line.
fn changes(layers: impl IntoIterator<Item = Layer>) -> String {
    let resolved = resolve(layers);
    let changed = resolved
        .list()
        .filter(|listed| *listed.origin != Origin::BuiltIn);
    let lines = changed.map(|l| format!("{} = {} ({})", l.setting.key, l.toml, l.origin));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns every message with its hint, one per line.
fn messages(layer: Result<Layer, Vec<Problem>>) -> String {
    let line = |problem: &Problem| match problem.hint() {
        Some(hint) => format!("{problem}; {hint}"),
        None => problem.to_string(),
    };
    let problems = layer.expect_err("nothing wrong was found");
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn check(text: &str, expected: &str) {
    assert_eq!(changes([repository(text).unwrap()]), expected, "{text}");
}

fn check_wrong(text: &str, expected: &str) {
    assert_eq!(messages(repository(text)), expected, "{text}");
}

#[test]
fn file_sets_values() {
    check("", "");
    check("# nothing\n[scan]\n", "");
    check(
        "\u{feff}scan.max_file_size = 5\n",
        "scan.max_file_size = \"5\" (repo.toml:1:22)",
    );
    check(
        "[scan]\r\ndefault_ignore = false\r\n",
        "scan.default_ignore = false (repo.toml:2:18)",
    );
    check(
        "scan.max_file_size = '1mib'\nrun = { threads = 3 }",
        "scan.max_file_size = \"1mib\" (repo.toml:1:22)\nrun.threads = 3 (repo.toml:2:19)",
    );
    check(
        "[pack]\nformat = 'json'\noutput = 'out/pack.json'\ntop = 3",
        "pack.format = \"json\" (repo.toml:2:10)\n\
         pack.output = \"out/pack.json\" (repo.toml:3:10)\n\
         pack.top = 3 (repo.toml:4:7)",
    );
}

#[test]
fn all_problems_are_reported_at_once() {
    check_wrong(
        "[scan]\nmax_file_size = 'big'\nincldue = []\n[pakc]\nx = 1\n[pack]\nformat = 'mardown'\n",
        "repo.toml:2:17: `scan.max_file_size`: expected a size such as 500000, 500k, 10mb or 1gib, found \"big\"\n\
         repo.toml:3:1: unknown setting `scan.incldue`; did you mean `scan.include`?\n\
         repo.toml:4:2: unknown table `pakc`; did you mean `pack`?\n\
         repo.toml:7:10: `pack.format`: expected xml, markdown, json, yaml, plain or compact, found \"mardown\"; did you mean `markdown`?",
    );
}

#[test]
fn wrong_keys() {
    check_wrong(
        "max_file_size = 3",
        "repo.toml:1:1: unknown setting `max_file_size`; did you mean `scan.max_file_size`?",
    );
    check_wrong(
        "[scan]\nno-ignore = true",
        "repo.toml:2:1: unknown setting `scan.no-ignore`; did you mean `scan.ignore_files`?",
    );
    check_wrong("zebra = 1", "repo.toml:1:1: unknown setting `zebra`");
    check_wrong(
        "\"\\u001b[31m\" = 1",
        "repo.toml:1:1: unknown setting `\\u{1b}[31m`",
    );
    check_wrong(
        "scan = 3",
        "repo.toml:1:1: `scan`: expected a table, [scan], found 3",
    );
    check_wrong(
        "[[scan]]\n",
        "repo.toml:1:3: `scan`: expected a table, [scan], found an array of tables",
    );
}

#[test]
fn wrong_values() {
    check_wrong(
        "[scan.max_file_size]\nx = 1",
        "repo.toml:1:1: `scan.max_file_size`: expected a value (size), found a table",
    );
    check_wrong(
        "[pack]\n  'é' = 1\n  'tree' = 'yes'",
        "repo.toml:2:3: unknown setting `pack.é`\n\
         repo.toml:3:12: `pack.tree`: expected true or false, found \"yes\"",
    );
    check_wrong(
        "[scan]\nexclude = ['a', 3]",
        "repo.toml:2:11: `scan.exclude`: expected a glob, found 3",
    );
    check_wrong(
        "[run]\nthreads = 100000",
        "repo.toml:2:11: `run.threads`: expected a whole number from 0 to 1024, found 100000",
    );
    check_wrong(
        "[model]\nname = ''",
        "repo.toml:2:8: `model.name`: expected text that is not empty, found \"\"",
    );
}

#[test]
fn syntax_errors_have_a_position() {
    check_wrong(
        "[scan]\nmax_file_size = \n",
        "repo.toml:2:17: not valid TOML: string values must be quoted, expected literal string",
    );
    check_wrong(
        "[scan]\ninclude = []\ninclude = []\n",
        "repo.toml:3:1: not valid TOML: duplicate key",
    );
}

#[test]
fn repository_file_cannot_set_user_settings() {
    check_wrong(
        "[ui]\nquiet = true\n[pack]\noutput = '../x'\nreport = '/etc/x'\n",
        "repo.toml:2:1: `ui.quiet` may not be set by a repository's file; set it in your own infiniloom.toml or with --quiet\n\
         repo.toml:4:10: `pack.output`: expected a path inside the repository, found \"../x\"; set it in your own infiniloom.toml or with --output\n\
         repo.toml:5:10: `pack.report`: expected a path inside the repository, found \"/etc/x\"; set it in your own infiniloom.toml or with --report",
    );
    let layer = user("[ui]\nquiet = true\n[pack]\noutput = '../x'\n").unwrap();
    assert_eq!(
        changes([layer]),
        "pack.output = \"../x\" (user.toml:4:10)\nui.quiet = true (user.toml:2:9)"
    );
}

#[test]
fn repository_file_can_lower_but_not_raise_limits() {
    check(
        "scan.max_file_size = '32mb'",
        "scan.max_file_size = \"32mb\" (repo.toml:1:22)",
    );
    check_wrong(
        "scan.max_file_size = '1tb'",
        "repo.toml:1:22: `scan.max_file_size`: expected at most 32mb in a repository's file, found \"1tb\"; set it in your own infiniloom.toml or with --max-file-size",
    );
    assert!(user("scan.max_file_size = '1tb'").is_ok());
}

/// The work for a hostile file is bounded in its depth and its number of mistakes.
#[test]
fn hostile_files_are_refused() {
    let deep = "a.".repeat(200_000);
    for text in [
        format!("{deep}a = 1"),
        format!("[{deep}a]"),
        format!("a = {}", "[".repeat(200_000)),
        format!("a = {}", "{a=".repeat(200_000)),
    ] {
        assert_eq!(repository(&text).unwrap_err().len(), 1);
    }
    let wide: String = (0..20_000).map(|i| format!("x{i} = 1\n")).collect();
    assert_eq!(repository(&wide).unwrap_err().len(), 50);
}

/// Runs with all settings, as if each were for the user only and had no flag.
#[test]
fn trust_comes_from_the_declaration() {
    let mut settings = all().to_vec();
    for setting in &mut settings {
        setting.trust = Trust::UserOnly;
        setting.flag = None::<Flag>;
    }
    let settings: &'static [Setting] = settings.leak();
    let text = "[run]\nthreads = 3\n[model]\nname = 'x'\n";
    let repository = FileOrigin::repository("repo.toml");
    let refused = Layer::from_toml_with(settings, &repository, text);
    assert_eq!(
        messages(refused),
        "repo.toml:2:1: `run.threads` may not be set by a repository's file; set it in your own infiniloom.toml or with INFINILOOM_RUN_THREADS\n\
         repo.toml:4:1: `model.name` may not be set by a repository's file; set it in your own infiniloom.toml or with INFINILOOM_MODEL_NAME"
    );
    assert!(Layer::from_toml_with(settings, &FileOrigin::user("u"), text).is_ok());
}

#[test]
fn environment_sets_values() {
    let layer = environment(&[
        ("PATH", "/bin"),
        ("INFINILOOM_ZEBRA", "x"),
        ("INFINILOOM_PACK_TREE", "1"),
        ("INFINILOOM_PACK_TOP", ""),
        ("INFINILOOM_SCAN_INCLUDE", "*.{a,b},c"),
    ]);
    assert_eq!(
        changes([layer.unwrap()]),
        "scan.include = [\"*.{a,b}\", \"c\"] (environment variable INFINILOOM_SCAN_INCLUDE)\n\
         pack.tree = true (environment variable INFINILOOM_PACK_TREE)"
    );
    let wrong = environment(&[
        ("INFINILOOM_PACK_TOP", "many"),
        ("INFINILOOM_UI_COLOR", "sometimes"),
    ]);
    assert_eq!(
        messages(wrong),
        "environment variable INFINILOOM_PACK_TOP: `pack.top`: expected a whole number from 0 to 4294967295, found \"many\"\n\
         environment variable INFINILOOM_UI_COLOR: `ui.color`: expected auto, always or never, found \"sometimes\""
    );
}

#[test]
fn unknown_variables_get_the_nearest_name() {
    let names = [
        "INFINILOOM_CONFG",
        "INFINILOOM_CONFIG",
        "INFINILOOM_PACK_TOP",
        "INFINILOOM_SCAN_MAX_FILESIZE",
        "INFINILOOM_ZE\u{7}BRA",
        "PATH",
    ];
    let set = |value: &'static str| names.map(|name| (name.into(), value.into()));
    let found = unknown_variables(set("1"), &["INFINILOOM_CONFIG"]);
    assert_eq!(
        messages(Err(found)),
        "unknown environment variable INFINILOOM_CONFG; did you mean `INFINILOOM_CONFIG`?\n\
         unknown environment variable INFINILOOM_SCAN_MAX_FILESIZE; did you mean `INFINILOOM_SCAN_MAX_FILE_SIZE`?\n\
         unknown environment variable INFINILOOM_ZE\\u{7}BRA; `infiniloom config list` names the settings; INFINILOOM_PACK_TOP sets pack.top"
    );
    assert!(unknown_variables(set(""), &[]).is_empty());
}

#[cfg(unix)]
#[test]
fn only_paths_may_contain_invalid_utf8() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(b"caf\xe9".to_vec());
    let variable = |name: &str| Layer::from_env([(name.into(), odd.clone())]);
    let resolved = resolve([variable("INFINILOOM_PACK_OUTPUT").unwrap()]);
    let output = resolved.settings().pack.output.clone().unwrap();
    assert_eq!(output.as_written().as_os_str(), odd);
    assert_eq!(
        messages(variable("INFINILOOM_MODEL_NAME")),
        "environment variable INFINILOOM_MODEL_NAME: `model.name`: expected UTF-8 text, found \"caf\u{fffd}\""
    );
}

#[test]
fn origin_of_a_flag_is_its_typed_spelling() {
    let given = [
        ("scan.default_ignore", FlagValue::Switch(false)),
        ("pack.tree", FlagValue::Switch(false)),
        ("ui.verbose", FlagValue::Times(2)),
        ("pack.top", typed("1")),
        ("pack.top", typed("7")),
    ];
    assert_eq!(
        changes([flags(&given).unwrap()]),
        "scan.default_ignore = false (flag --no-default-ignore)\n\
         pack.top = 7 (flag --top)\n\
         pack.tree = false (flag --no-tree)\n\
         ui.verbose = 2 (flag --verbose)"
    );
    let wrong = flags(&[("pack.format", typed("xlm")), ("pack.top", typed("-1"))]);
    assert_eq!(
        messages(wrong),
        "flag --format: `pack.format`: expected xml, markdown, json, yaml, plain or compact, found \"xlm\"; did you mean `xml`?\n\
         flag --top: `pack.top`: expected a whole number from 0 to 4294967295, found \"-1\""
    );
}

#[test]
fn higher_layers_win_in_any_order() {
    let layers = || {
        vec![
            flags(&[("pack.top", typed("4"))]).unwrap(),
            environment(&[
                ("INFINILOOM_PACK_TOP", "3"),
                ("INFINILOOM_PACK_FORMAT", "json"),
            ])
            .unwrap(),
            repository("[pack]\ntop = 2\nformat = 'markdown'\nline_numbers = true").unwrap(),
            user("[pack]\ntop = 1\nline_numbers = false\ntree = true").unwrap(),
        ]
    };
    let expected = "pack.format = \"json\" (environment variable INFINILOOM_PACK_FORMAT)\n\
         pack.line_numbers = true (repo.toml:4:16)\n\
         pack.top = 4 (flag --top)\n\
         pack.tree = true (user.toml:4:8)";
    assert_eq!(changes(layers()), expected);
    assert_eq!(changes(layers().into_iter().rev()), expected);
}

#[test]
fn filters_keep_one_order() {
    let layers = [
        flags(&[
            ("scan.exclude", typed("f1")),
            ("scan.include", typed("f2,f{3,4}")),
            ("scan.exclude", typed("f5")),
        ]),
        environment(&[
            ("INFINILOOM_SCAN_EXCLUDE", "e2"),
            ("INFINILOOM_SCAN_INCLUDE", "e1"),
        ]),
        repository("[scan]\nexclude = ['r2']\ninclude = ['r1']"),
        user("[scan]\ninclude = 'u1,u2'"),
    ];
    let resolved = resolve(layers.map(Result::unwrap));
    let rules = resolved.settings().scan.filters.rules();
    let shown = rules.iter().map(|rule| match rule.kind {
        FilterKind::Include => format!("+{}", rule.glob),
        FilterKind::Exclude => format!("-{}", rule.glob),
    });
    assert_eq!(
        shown.collect::<Vec<_>>().join(" "),
        "+u1 +u2 +r1 -r2 +e1 -e2 -f1 +f2 +f{3,4} -f5"
    );
    assert_eq!(rules[3].origin.to_string(), "repo.toml:2:11");
    assert_eq!(rules[6].origin.to_string(), "flag --exclude");
    let include = resolved.get("scan.include").unwrap();
    assert_eq!(include.shown, "u1,u2,r1,e1,f2,f{3,4}");
}

#[test]
fn higher_layer_resets_a_conflicting_setting() {
    let quiet = || user("[ui]\nquiet = true").unwrap();
    let loud = |times| flags(&[("ui.verbose", FlagValue::Times(times))]).unwrap();
    assert_eq!(
        changes([quiet(), loud(1)]),
        "ui.verbose = 1 (flag --verbose)"
    );
    assert!(resolve([quiet(), loud(0)]).settings().ui.quiet);
}

#[test]
fn empty_text_unsets_a_path() {
    let layers = [
        repository("[pack]\noutput = 'x'").unwrap(),
        flags(&[("pack.output", typed(""))]).unwrap(),
    ];
    assert_eq!(resolve(layers).settings().pack.output, None);
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_rejected(text: String) {
        let _ = (user(&text), repository(&text));
    }

    #[test]
    fn any_toml_like_text_is_parsed_or_rejected(
        text in r#"(\[{0,2}(scan|pack|ui|x)\]{0,2}|include|top|quiet|[a-z"'=.,{}\[\]0-9é\n \\#-])*"#
    ) {
        for problem in repository(&text).err().into_iter().flatten() {
            let _ = (problem.to_string(), problem.hint());
        }
    }

    #[test]
    fn resolved_settings_list_and_read_back(
        key in prop::sample::select(all().iter().map(|s| s.key).collect::<Vec<_>>()),
        text in prop_oneof!["[a-z0-9*,{}]{0,8}", "true|false", "[0-9]{1,3}", "xml|never|1kib"],
    ) {
        let Ok(layer) = flags(&[(key, typed(&text))]) else { return Ok(()) };
        let first = resolve([layer]);
        let shown = first.get(key).unwrap();
        let again = resolve([flags(&[(key, typed(&shown.shown))]).unwrap()]);
        prop_assert_eq!(first.settings(), again.settings());
        let (table, name) = key.split_once('.').unwrap();
        let file = user(&format!("[{table}]\n{name} = {}", shown.toml)).unwrap();
        prop_assert_eq!(resolve([file]).get(key).unwrap().toml, shown.toml);
    }
}

const OWN_MODELS: &str = "[[models]]\nname = \"house\"\nlike = \"gpt-4o\"\nwindow = 32000\ninput_price = 0.5\n\n[[models]]\nname = \"other\"\n";

#[test]
fn users_describe_models() {
    let layer = Layer::from_toml(&FileOrigin::user("infiniloom.toml"), OWN_MODELS).unwrap();
    let resolved = resolve([layer]);
    let [house, other] = resolved.models() else {
        panic!("two models are described");
    };
    assert_eq!(
        (&*house.name, house.like.as_deref()),
        ("house", Some("gpt-4o"))
    );
    assert_eq!(
        (house.window, house.input_price.as_deref()),
        (Some(32_000), Some("0.5"))
    );
    assert_eq!(other.name, "other");
}

#[test]
fn repository_file_cannot_describe_models() {
    let file = FileOrigin::repository("infiniloom.toml");
    let problems = Layer::from_toml(&file, OWN_MODELS).unwrap_err();
    let [Problem::UserOnly { key: "models", .. }] = &problems[..] else {
        panic!("{problems:?}");
    };
}

#[test]
fn descriptions_of_models_are_checked() {
    let user = FileOrigin::user("infiniloom.toml");
    for (text, expected) in [
        (
            "models = 1\n",
            "infiniloom.toml:1:1: `models`: expected tables, [[models]], found 1",
        ),
        (
            "[[models]]\nwindow = -1\n",
            "infiniloom.toml:2:1: `models`: expected a number of tokens, found -1",
        ),
        (
            "[[models]]\ncolour = \"red\"\n",
            "infiniloom.toml:2:1: unknown setting `models.colour`",
        ),
    ] {
        let problems = Layer::from_toml(&user, text).unwrap_err();
        assert_eq!(problems[0].to_string(), expected);
    }
}
