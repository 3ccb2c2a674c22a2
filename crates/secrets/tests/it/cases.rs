//! Planted secrets and harmless look-alikes in forty kinds of files. `tests/cases` has one file
//! per kind: `=== path` starts a document, `⟦…⟧` marks a secret and `⟨…⟩` a look-alike. The marks
//! are not part of the document.

use std::fmt::Write as _;
use std::ops::Range;

use loom_secrets::Scanner;

macro_rules! kinds {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../cases/", $name, ".txt")))),*]
    };
}

const KINDS: &[(&str, &str)] = kinds!(
    "ansible" "appliances" "auth_files" "build_files" "ci" "cloud" "code" "commands" "compose"
    "connection_strings" "database_clients" "dockerfile" "documents" "dotenv" "extents"
    "fragments" "helm" "http" "ini" "json" "kubernetes" "manifests" "php" "properties" "prose"
    "raw_strings" "remarks" "server_conf" "shell" "sql" "systemd" "tables" "tasks"
    "terraform" "toml" "urls" "weak_names" "xml" "yaml"
);

/// Maximum number of missed secrets and of false findings.
const MOST_MISSED: usize = 3;
const MOST_FALSE: usize = 1;

/// A document and its marked spans.
pub(crate) struct Document<'a> {
    path: &'a str,
    text: String,
    secrets: Vec<Range<usize>>,
    harmless: Vec<Range<usize>>,
}

pub(crate) fn documents(all: &str) -> Vec<Document<'_>> {
    let all = all.strip_prefix("=== ").unwrap_or(all);
    all.split("\n=== ").map(document).collect()
}

fn document(part: &str) -> Document<'_> {
    let (path, body) = part.split_once('\n').unwrap_or((part, ""));
    let mut document = Document {
        path,
        text: String::new(),
        secrets: Vec::new(),
        harmless: Vec::new(),
    };
    let mut open = 0;
    for c in body.chars() {
        let at = document.text.len();
        match c {
            '⟦' | '⟨' => open = at,
            '⟧' => document.secrets.push(open..at),
            '⟩' => document.harmless.push(open..at),
            _ => document.text.push(c),
        }
    }
    document
}

/// Errors of a scan of one kind of files.
#[derive(Default)]
pub(crate) struct Outcome {
    secrets: usize,
    harmless: usize,
    pub(crate) missed: Vec<String>,
    pub(crate) wrong: Vec<String>,
}

pub(crate) fn scan(document: &Document<'_>, outcome: &mut Outcome) {
    let Document { path, text, .. } = document;
    let findings = Scanner::new().scan_file(path, text);
    let is_found = |at: usize| findings.iter().any(|one| one.span.contains(&at));
    let touches = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    outcome.secrets += document.secrets.len();
    outcome.harmless += document.harmless.len();
    for secret in &document.secrets {
        let bytes = text.as_bytes();
        let is_space = |at: usize| bytes[at].is_ascii_whitespace() || bytes[at] == b'\\';
        if !secret.clone().all(|at| is_space(at) || is_found(at)) {
            outcome
                .missed
                .push(format!("{path}: {}", &text[secret.clone()]));
        }
    }
    for finding in &findings {
        let is_wrong = document
            .harmless
            .iter()
            .any(|one| touches(one, &finding.span));
        let is_stray = !document
            .secrets
            .iter()
            .any(|one| touches(one, &finding.span));
        if is_wrong || is_stray {
            let found = &text[finding.span.clone()];
            outcome.wrong.push(format!("{path}: {found} ({finding:?})"));
        }
    }
}

/// Prints the errors of each kind of files; `--no-capture` shows them all.
#[test]
fn planted_secrets_and_look_alikes() {
    let mut table = String::new();
    let mut total = Outcome::default();
    for (kind, all) in KINDS {
        let mut outcome = Outcome::default();
        for document in documents(all) {
            scan(&document, &mut outcome);
        }
        let Outcome {
            secrets,
            harmless,
            missed,
            wrong,
        } = outcome;
        assert!(secrets >= 10 && harmless >= 10, "{kind} has too few cases");
        let (lost, false_ones) = (missed.len(), wrong.len());
        let _ = writeln!(
            table,
            "{kind}: {lost} of {secrets} missed, {false_ones} false of {harmless}"
        );
        for one in &missed {
            let _ = writeln!(table, "  missed {one}");
        }
        for one in &wrong {
            let _ = writeln!(table, "  false {one}");
        }
        total.secrets += secrets;
        total.harmless += harmless;
        total.missed.extend(missed);
        total.wrong.extend(wrong);
    }
    let (missed, wrong) = (total.missed.len(), total.wrong.len());
    println!(
        "{table}all: {missed} of {} missed, {wrong} false of {}",
        total.secrets, total.harmless
    );
    assert!(missed <= MOST_MISSED && wrong <= MOST_FALSE, "{table}");
}
