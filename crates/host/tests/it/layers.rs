//! The stored layer of a context: other choices, other files and damage never give a wrong answer.

use std::fs;
use std::path::PathBuf;

use loom_host::{
    Cancel, ContextBuilder, ContextRequest, ContextWeights, FilterKind, Format, PackOptions, Run,
    ScanOptions, SecretsMode, SecretsOptions, ShortenOptions, verify_search_index,
};
use loom_testkit::Sandbox;

use crate::fixture::{cache, files_below, filters, holds, packer, password};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("src/client.py", "from src.backoff import wait_for\n\n\nclass Client:\n    \"\"\"Sends requests.\"\"\"\n\n    def retry(self, request):\n        wait_for(3)\n        return self.send(request)\n")
        .write("src/backoff.py", "def wait_for(attempt):\n    return 2 ** attempt\n")
        .write("src/keys.py", format!("PASSWORD = '{}'\n\n\ndef keys_of(user):\n    return PASSWORD\n", password()))
        .write("docs/notes.md", "# Retry\n\nNotes about keys.\n");
    sandbox
}

fn answers(sandbox: &Sandbox, options: &PackOptions, is_cached: bool) -> Vec<String> {
    let options = PackOptions {
        cache: is_cached.then(|| cache(&sandbox.path("../cache"))),
        ..options.clone()
    };
    let packer = packer(sandbox, options);
    let repository = ContextBuilder::new(&packer, &Run::new(), &Cancel::new())
        .build()
        .unwrap();
    let ask = |query: &str| {
        let request = ContextRequest {
            query: query.to_owned(),
            budget: 1_500,
            format: Format::Xml,
            below: String::new(),
            weights: ContextWeights::default(),
            hot: Vec::new(),
            previous: Vec::new(),
            pins: Vec::new(),
            embedder: None,
            top: None,
            threshold: f64::NEG_INFINITY,
        };
        let answer = repository
            .answer(&packer, &request, &Run::new(), &Cancel::new())
            .unwrap();
        answer.fitted.context.text().to_owned()
    };
    [
        "why does `Client.retry` wait",
        "wait_for",
        "keys_of",
        "notes",
    ]
    .map(ask)
    .to_vec()
}

fn stored(sandbox: &Sandbox) -> Vec<PathBuf> {
    let mut files = files_below(&sandbox.path("../cache"));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "context"));
    files
}

/// Answers from the stored layer and from the files, and compares.
#[track_caller]
fn same(sandbox: &Sandbox, options: &PackOptions) -> Vec<String> {
    let fresh = answers(sandbox, options, false);
    for _ in 0..2 {
        assert_eq!(answers(sandbox, options, true), fresh);
    }
    fresh
}

fn mode(mode: SecretsMode) -> PackOptions {
    PackOptions {
        secrets: SecretsOptions::new(mode),
        ..PackOptions::default()
    }
}

#[test]
fn layer_of_other_choices_is_not_used() {
    let sandbox = sandbox();
    let usual = PackOptions::default();
    let csv = filters(FilterKind::Include, &["src/keys.py"]).remove(0);
    let choices = [
        usual.clone(),
        mode(SecretsMode::Warn),
        mode(SecretsMode::Off),
        PackOptions {
            max_file_size: 60,
            ..usual.clone()
        },
        PackOptions {
            scan: ScanOptions {
                filters: filters(FilterKind::Exclude, &["docs/**"]),
                ..ScanOptions::default()
            },
            ..usual.clone()
        },
        PackOptions {
            shorten: ShortenOptions::default().exclude(csv, "src/keys.py"),
            ..usual.clone()
        },
        PackOptions {
            secrets: SecretsOptions::default()
                .allowing(&["src/keys.py".to_owned()])
                .unwrap(),
            ..usual.clone()
        },
    ];
    let mut seen: Vec<Vec<String>> = Vec::new();
    for options in &choices {
        let found = same(&sandbox, options);
        // The next choice finds the layer of this one.
        assert_eq!(stored(&sandbox).len(), 1);
        seen.push(found);
    }
    assert_eq!(same(&sandbox, &usual), seen[0]);
    assert!(seen[1][2].contains(&password()) && !seen[0][2].contains(&password()));
    assert!(seen[6][2].contains(&password()));
}

/// A secret of a file that the scan does not list decides about names and summaries.
#[test]
fn new_secret_of_an_ignored_file_makes_a_new_layer() {
    let sandbox = sandbox();
    let word = ["Kq7w", "Zx3v", "Tn9b"].concat();
    sandbox
        .write(".gitignore", ".env\n")
        .write(
            "src/backoff.py",
            format!(
                "\"\"\"Waits with {word} for it.\"\"\"\n\n\ndef wait_for(attempt):\n    return 1\n"
            ),
        )
        .git(&["init", "-q"]);
    assert!(same(&sandbox, &PackOptions::default())[1].contains(&word));
    sandbox.write(".env", format!("DB_PASSWORD={word}\n"));
    assert!(!same(&sandbox, &PackOptions::default())[1].contains(&word));
    assert!(!holds(&sandbox.path("../cache"), &word));
}

#[test]
fn layer_moves_with_no_other_repository() {
    let (one, other) = (sandbox(), sandbox());
    other.write(
        "src/backoff.py",
        "def wait_for(attempt):\n    return 'other'\n",
    );
    let first = same(&one, &PackOptions::default());
    same(&other, &PackOptions::default());
    fs::copy(&stored(&one)[0], &stored(&other)[0]).unwrap();
    let told = answers(&other, &PackOptions::default(), true);
    assert_eq!(told, answers(&other, &PackOptions::default(), false));
    assert_ne!(told, first);
}

#[test]
fn verification_finds_every_damaged_byte_of_a_layer() {
    let sandbox = sandbox();
    let expected = same(&sandbox, &PackOptions::default());
    let folder = sandbox.path("../cache");
    let file = stored(&sandbox).remove(0);
    let whole = fs::read(&file).unwrap();
    assert_eq!(verify_search_index(&folder).unwrap().wrong, 0);
    // The first 80 bytes are the key of the layer, which another run replaces.
    for at in (80..whole.len()).step_by(whole.len() / 23) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(&file, damaged).unwrap();
        assert_eq!(verify_search_index(&folder).unwrap().wrong, 1, "{at}");
        assert!(!file.exists());
        fs::write(&file, &whole).unwrap();
    }
    fs::write(&file, [&whole[..], b"more"].concat()).unwrap();
    assert_eq!(answers(&sandbox, &PackOptions::default(), true), expected);
}

/// Of a baseline, the layer would not know which secrets it allows.
#[test]
fn baseline_and_unreadable_files_have_no_layer() {
    let sandbox = sandbox();
    let baseline = loom_host::Baseline::from_found(&[]);
    let options = PackOptions {
        secrets: SecretsOptions::default().with_baseline(&baseline),
        ..PackOptions::default()
    };
    same(&sandbox, &options);
    assert!(stored(&sandbox).is_empty());
}
