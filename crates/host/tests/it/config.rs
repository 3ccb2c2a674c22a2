//! Settings: layers, errors of all of them at once, and their conversion into options.

use std::fs;
use std::path::Path;

use loom_host::{
    Baseline, ConfigError, ConfigFiles, Fit, Form, Format, PackOptions, RepoPath, SecretsMode,
    SecretsOptions, Source, StoreCompression, Strategy, cache_options, chunk_options,
    is_same_output, pack_options, secrets_options,
};
use loom_settings::{FileOrigin, FlagValue, Layer, Problem, Resolved, resolve, setting};
use loom_testkit::Sandbox;

use crate::fixture::{password, paths, survey};

/// Returns the layer of flags.
fn flags(values: &[(&str, &str)]) -> Result<Layer, Vec<Problem>> {
    let flag =
        |(key, value): &(&str, &str)| (setting(key).unwrap(), FlagValue::Value((*value).into()));
    Layer::from_flags(values.iter().map(flag))
}

/// Returns the settings of a user's config file.
fn user(text: &str) -> Resolved {
    let origin = FileOrigin::user("user.toml");
    resolve([Layer::from_toml(&origin, text).unwrap()])
}

fn resolved(sandbox: &Sandbox, files: &ConfigFiles, values: &[(&str, &str)]) -> Resolved {
    let source = Source::open(&[sandbox.work()]).unwrap();
    files.resolve(Some(&source), flags(values)).unwrap()
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

#[test]
fn each_layer_overrides_the_one_before() {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "../user.toml",
            "[scan]\nmax_file_size = '1kb'\n[pack]\ntop = 3\n",
        )
        .write("infiniloom.toml", "[scan]\nmax_file_size = '2kb'\n");
    let with_user = ConfigFiles {
        user: Some(sandbox.path("../user.toml")),
        none: false,
    };
    let none = ConfigFiles {
        none: true,
        ..with_user.clone()
    };
    let size = |files: &ConfigFiles, values: &[(&str, &str)]| {
        let settings = resolved(&sandbox, files, values);
        settings.settings().scan.max_file_size.bytes()
    };
    assert_eq!(size(&none, &[]), 32_000_000);
    assert_eq!(size(&with_user, &[]), 2_000);
    assert_eq!(size(&with_user, &[("scan.max_file_size", "4kb")]), 4_000);
    assert_eq!(size(&none, &[("scan.max_file_size", "4kb")]), 4_000);
    let settings = resolved(&sandbox, &with_user, &[]);
    assert_eq!(settings.settings().pack.top, 3);
    let origin = settings.origin("scan.max_file_size").unwrap().to_string();
    assert_eq!(origin, "infiniloom.toml:2:17");
}

#[test]
fn repository_layer_stands_alone_without_the_user() {
    let sandbox = Sandbox::new();
    sandbox.write("infiniloom.toml", "[pack]\ntop = 3\n");
    let source = Source::open(&[sandbox.work()]).unwrap();
    let top = |source: Option<&Source>, layer: Result<Layer, Vec<Problem>>| {
        let resolved = ConfigFiles::resolve_repository(source, layer);
        resolved.map(|resolved| resolved.settings().pack.top)
    };
    assert_eq!(top(Some(&source), flags(&[])).unwrap(), 3);
    assert_eq!(top(Some(&source), flags(&[("pack.top", "4")])).unwrap(), 4);
    assert_eq!(top(None, flags(&[])).unwrap(), 10);
    sandbox.write("infiniloom.toml", "[pack]\ntpo = 3\n");
    let both = top(Some(&source), flags(&[("pack.top", "many")]));
    assert!(matches!(both, Err(ConfigError::Problems(problems)) if problems.len() == 2));
}

#[test]
fn problems_of_all_layers_are_reported_at_once() {
    let sandbox = Sandbox::new();
    sandbox
        .write("../user.toml", "[pack]\nformt = 'xml'\n")
        .write("infiniloom.toml", "[sacn]\nx = 1\n");
    let files = ConfigFiles {
        user: Some(sandbox.path("../user.toml")),
        none: false,
    };
    let source = Source::open(&[sandbox.work()]).unwrap();
    let error = files
        .resolve(Some(&source), flags(&[("pack.top", "many")]))
        .unwrap_err();
    assert_eq!(error.to_string(), "3 problems in the settings");
    let ConfigError::Problems(problems) = error else {
        panic!("{error}");
    };
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(
        told[0].contains("user.toml:2:1: unknown setting `pack.formt`"),
        "{told:?}"
    );
    assert!(
        told[1].contains("infiniloom.toml:1:2: unknown table `sacn`"),
        "{told:?}"
    );
    assert!(told[2].contains("flag --top"), "{told:?}");
}

/// A file that the user names must exist; the usual one need not.
#[test]
fn named_config_file_that_is_missing_is_an_error() {
    let sandbox = Sandbox::new();
    for missing in ["../nowhere.toml", "../file/infiniloom.toml"] {
        sandbox.write("../file", "");
        let files = ConfigFiles {
            user: Some(sandbox.path(missing)),
            none: false,
        };
        let error = files.resolve(None, flags(&[])).unwrap_err();
        assert!(matches!(error, ConfigError::Unreadable { .. }), "{error}");
        let none = ConfigFiles {
            none: true,
            ..files
        };
        assert!(none.resolve(None, flags(&[])).is_ok());
    }
}

#[test]
fn oversized_repository_file_is_ignored_with_a_warning() {
    let sandbox = Sandbox::new();
    let text = format!("[pack]\ntop = 3\n{}", "# x\n".repeat(300_000));
    sandbox.write("infiniloom.toml", &text);
    let source = Source::open(&[sandbox.work()]).unwrap();
    let read = || ConfigFiles::resolve_repository(Some(&source), flags(&[])).unwrap();
    let expected = format!(
        "ignoring the repository's settings in infiniloom.toml: it has {} bytes; the limit is 1048576",
        text.len()
    );
    assert_eq!(read().warnings(), [expected]);
    assert_eq!(read().settings().pack.top, 10);
    // A file at the limit is read.
    sandbox.write(
        "infiniloom.toml",
        text[..1 << 20].trim_end_matches(['#', ' ', 'x']),
    );
    assert!(read().warnings().is_empty());
    assert_eq!(read().settings().pack.top, 3);
}

#[test]
fn link_is_no_config_file() {
    let sandbox = Sandbox::new();
    sandbox.write("../theirs.toml", "[pack]\ntop = 3\n");
    std::os::unix::fs::symlink("../theirs.toml", sandbox.path("infiniloom.toml")).unwrap();
    let source = Source::open(&[sandbox.work()]).unwrap();
    let resolved = ConfigFiles::resolve_repository(Some(&source), flags(&[])).unwrap();
    assert_eq!(resolved.settings().pack.top, 10);
}

#[test]
fn places_name_the_files_whether_or_not_they_exist() {
    let sandbox = Sandbox::new();
    let source = Source::open(&[sandbox.work()]).unwrap();
    let user = sandbox.path("../mine.toml");
    let files = ConfigFiles {
        user: Some(user.clone()),
        none: false,
    };
    assert_eq!(
        files.places(&source),
        [user, sandbox.path("infiniloom.toml")]
    );
    let none = ConfigFiles {
        none: true,
        ..files
    };
    assert!(none.places(&source).is_empty());
}

#[test]
fn repository_may_not_decide_about_the_user() {
    for text in [
        "[privacy]\nsecrets = 'off'\n",
        "[secrets]\nallow = ['**']\n",
        "[secrets]\nconfidence = 'high'\n",
        "[secrets]\nbaseline = 'x.json'\n",
        "[pack]\nlog = 5\n",
        "[pack]\ndiff = true\n",
        "[pack]\ntemplate = 'x'\n",
        "[pack]\ninstruction_file = 'x'\n",
        "[scan]\nchanged = 'HEAD'\n",
        "[scan]\nmax_file_size = '10gb'\n",
        "[cache]\ndir = '/tmp/x'\n",
        "[pack]\noutput = '../x'\n",
        "[pack]\noutput = '/tmp/x'\n",
        "[pack]\nreport = '.git/hooks/x'\n",
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("infiniloom.toml", text);
        let source = Source::open(&[sandbox.work()]).unwrap();
        let result = ConfigFiles::resolve_repository(Some(&source), flags(&[]));
        assert!(
            matches!(result, Err(ConfigError::Problems(problems)) if problems.len() == 1),
            "{text}"
        );
    }
}

fn packing(text: &str) -> PackOptions {
    pack_options(&user(text), &[]).unwrap()
}

#[test]
fn settings_of_a_pack_become_its_options() {
    let options = packing(
        "[pack]\nformat = 'yaml'\nline_numbers = true\nlog = 3\ndiff = true\nsince = 'main'\nheader = 'for you'\n[run]\nthreads = 3\nmax_memory = '100mb'\n[scan]\nmax_file_size = '5kb'\ndefault_ignore = false\n",
    );
    assert_eq!((options.format, options.line_numbers), (Format::Yaml, true));
    assert_eq!((options.history.log, options.history.diff), (3, true));
    assert_eq!(options.history.since.as_deref(), Some("main"));
    assert_eq!(options.guidance.header(), Some("for you"));
    assert_eq!(options.threads.unwrap().get(), 3);
    assert_eq!(
        (options.max_memory, options.max_file_size),
        (100_000_000, 5_000)
    );
    assert!(!options.scan.default_ignore && options.scan.ignore_files);
    assert!(options.keeps_text);
}

/// The cache and the outputs are no part of the repository, wherever they are.
#[test]
fn outputs_and_the_cache_are_excluded() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "x\n")
        .write("out.xml", "old")
        .write("cache/x.db", "x");
    let text = format!("[cache]\ndir = '{}'\n", sandbox.path("cache").display());
    let options = pack_options(&user(&text), &[sandbox.path("out.xml")]).unwrap();
    let survey = survey(&crate::fixture::packer(
        &sandbox,
        PackOptions {
            cache: None,
            ..options
        },
    ));
    assert_eq!(paths(&survey), ["a.txt"]);
    let reasons = crate::fixture::reasons(&survey.left_out);
    assert_eq!(reasons, ["cache: cache", "out.xml: output-file"]);
}

#[test]
fn cache_settings_become_its_options() {
    let read = |text: &str| cache_options(user(text).settings());
    assert_eq!(read("[cache]\nenabled = false\n"), None);
    let options = read("[cache]\ndir = '/x/y'\nmax_size = '1mb'\ncompression = 'none'\n").unwrap();
    assert_eq!(options.folder.as_deref(), Some(Path::new("/x/y")));
    assert_eq!(options.store.limit, 1_000_000);
    assert_eq!(
        options.store.compression,
        StoreCompression::from_name("none").unwrap()
    );
    assert!(options.store.day > 20_000);
}

#[test]
fn secrets_settings_become_their_options() {
    let read = |text: &str| secrets_options(&user(text));
    let mode = |text: &str| read(text).unwrap().mode;
    assert_eq!(mode(""), SecretsMode::Redact);
    assert_eq!(mode("[privacy]\nsecrets = 'warn'\n"), SecretsMode::Warn);
    let sandbox = Sandbox::new();
    let text = format!("password: {}\n", password());
    sandbox.write("a.yaml", &text);
    let found = SecretsOptions::default().scan_text("a.yaml", &text).found;
    sandbox.write("base.json", Baseline::from_found(&found).to_json());
    let baseline = format!(
        "[secrets]\nbaseline = '{}'\n",
        sandbox.path("base.json").display()
    );
    for (text, expected) in [
        ("", 1),
        ("[secrets]\nallow = ['*.yaml']\n", 0),
        (baseline.as_str(), 0),
    ] {
        let found = read(text)
            .unwrap()
            .scan_text("a.yaml", &format!("password: {}\n", password()));
        assert_eq!(found.found.len(), expected, "{text}");
    }
    let missing = read("[secrets]\nbaseline = '/nowhere.json'\n").unwrap_err();
    assert!(missing.to_string().starts_with("user.toml:2:"), "{missing}");
    let glob = read("[secrets]\nallow = ['[']\n").unwrap_err();
    assert!(
        matches!(&glob, ConfigError::Glob { origin, .. } if origin.starts_with("user.toml:2:")),
        "{glob}"
    );
}

#[test]
fn wrong_globs_name_their_origin() {
    for text in [
        "[scan]\nexclude = ['[']\n",
        "[scan]\ninclude = ['[']\n",
        "[[compress]]\nmatch = '['\nlevel = 'minimal'\n",
        "[[transform]]\npattern = '['\naction = 'exclude'\n",
    ] {
        let error = pack_options(&user(text), &[]).unwrap_err();
        assert!(
            matches!(&error, ConfigError::Glob { origin, .. } if origin.starts_with("user.toml:")),
            "{text}: {error}"
        );
    }
}

#[test]
fn chunk_settings_become_their_options() {
    let options = chunk_options(&user(
        "[chunk]\ntokens = 200\noverlap = 10\nstrategy = 'fixed'\n",
    ))
    .unwrap();
    assert_eq!((options.tokens(), options.overlap()), (200, 10));
    assert_eq!(options.strategy(), Strategy::from_name("fixed").unwrap());
    for (text, origin) in [
        ("[chunk]\ntokens = 9\n", "user.toml:2:10: "),
        ("[chunk]\ntokens = 100\noverlap = 100\n", "user.toml:3:11: "),
    ] {
        let error = chunk_options(&user(text)).unwrap_err().to_string();
        assert!(error.starts_with(origin), "{error}");
    }
}

#[test]
fn templates_and_instructions_are_read_from_files() {
    let sandbox = Sandbox::new();
    sandbox
        .write("t", "{% for f in files %}{{ f.path }}{% endfor %}")
        .write("broken", "{% for %}")
        .write("i", "be brief\n")
        .write("large", "x".repeat((1 << 20) + 1))
        .write("binary", "\0\u{1}\0\0");
    let read = |key: &str, name: &str| {
        let file = sandbox.path(name);
        pack_options(
            &user(&format!("[pack]\n{key} = '{}'\n", file.display())),
            &[],
        )
    };
    assert!(read("template", "t").unwrap().template.is_some());
    let options = read("instruction_file", "i").unwrap();
    assert_eq!(
        options.guidance.instructions().map(str::trim),
        Some("be brief")
    );
    assert!(matches!(
        read("template", "broken"),
        Err(ConfigError::Template(_))
    ));
    for name in ["large", "binary", "nowhere"] {
        let error = read("instruction_file", name).unwrap_err();
        assert!(
            matches!(&error, ConfigError::UserText { origin, .. } if origin.starts_with("user.toml:2:")),
            "{name}: {error}"
        );
    }
}

fn form(options: &PackOptions, name: &str) -> String {
    match options.shorten.form_of(&path(name)) {
        Ok(Form::Whole) => "whole".to_owned(),
        Ok(Form::Compressed(how)) => how.level.name().to_owned(),
        Ok(Form::Transformed(which)) => which.name().to_owned(),
        Err(rule) => format!("excluded by {}", rule.pattern),
    }
}

#[test]
fn rules_choose_the_form_by_path() {
    let options = packing(
        "[pack]\ncompress = 'minimal'\n[[compress]]\nmatch = 'src/**'\nlevel = 'aggressive'\n[[compress]]\nmatch = 'src/core/**'\nlevel = 'none'\n[[transform]]\npattern = '*.lock'\naction = 'exclude'\n[[transform]]\npattern = 'keep.lock'\naction = 'include'\n",
    );
    for (name, expected) in [
        ("a.py", "minimal"),
        ("src/a.py", "aggressive"),
        ("src/core/a.py", "whole"),
        ("a.lock", "excluded by *.lock"),
        ("keep.lock", "whole"),
    ] {
        assert_eq!(form(&options, name), expected, "{name}");
    }
    assert_eq!(
        packing("[pack]\nfit = 'compress'\nbudget = 10\n")
            .shorten
            .fit,
        Fit::Compress
    );
}

/// A flag for the level overrides the rules of config files; one that includes a file overrides
/// the rules of a repository, but not those of the user.
#[test]
fn flags_override_rules() {
    let rules = "[[compress]]\nmatch = 'a.py'\nlevel = 'aggressive'\n[[transform]]\npattern = '*.csv'\naction = 'exclude'\n";
    let with = |origin: FileOrigin, values: &[(&str, &str)]| {
        let layers = [
            Layer::from_toml(&origin, rules).unwrap(),
            flags(values).unwrap(),
        ];
        pack_options(&resolve(layers), &[]).unwrap()
    };
    let [theirs, mine] = [
        FileOrigin::repository("infiniloom.toml"),
        FileOrigin::user("user.toml"),
    ];
    assert_eq!(form(&with(theirs.clone(), &[]), "a.py"), "aggressive");
    assert_eq!(
        form(
            &with(theirs.clone(), &[("pack.compress", "minimal")]),
            "a.py"
        ),
        "minimal"
    );
    assert_eq!(
        form(&with(theirs.clone(), &[]), "x.csv"),
        "excluded by *.csv"
    );
    let include = [("scan.include", "*.csv")];
    assert_eq!(form(&with(theirs, &include), "x.csv"), "whole");
    assert_eq!(form(&with(mine, &include), "x.csv"), "excluded by *.csv");
}

#[test]
fn settings_without_an_effect_are_noted() {
    let notes = |text: &str| packing(text).notes.len();
    for (text, expected) in [
        ("", 0),
        ("[pack]\nfit = 'compress'\n", 1),
        ("[pack]\nfit = 'compress'\nbudget = 100\n", 0),
        ("[pack]\nfit = 'compress'\nmax_tokens_per_file = 100\n", 0),
        ("[pack]\npreserve = ['comments']\n", 1),
        ("[pack]\npreserve = ['comments']\ncompress = 'minimal'\n", 0),
        (
            "[pack]\npreserve = ['comments']\nfit = 'compress'\nbudget = 9\n",
            0,
        ),
        ("[pack]\npreserve = ['comments']\nfit = 'compress'\n", 2),
        (
            "[pack]\npreserve = ['comments']\n[[compress]]\nmatch = '*'\nlevel = 'minimal'\n",
            0,
        ),
    ] {
        assert_eq!(notes(text), expected, "{text}");
    }
}

#[test]
fn outputs_are_the_same_if_they_lead_to_one_file() {
    let sandbox = Sandbox::new();
    sandbox.write("a.xml", "").write("sub/x", "");
    std::os::unix::fs::symlink("a.xml", sandbox.path("link.xml")).unwrap();
    let same = |one: &str, other: &str| is_same_output(&sandbox.path(one), &sandbox.path(other));
    assert!(same("a.xml", "sub/../a.xml") && same("a.xml", "link.xml"));
    assert!(same("new.xml", "sub/../new.xml"));
    assert!(!same("a.xml", "b.xml") && !same("a.xml", "sub/a.xml"));
    let null = Path::new("/dev/null");
    assert!(!is_same_output(null, null));
    fs::remove_file(sandbox.path("a.xml")).unwrap();
}
