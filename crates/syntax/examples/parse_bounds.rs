//! Measures the use of the parse budget: over the files below directories, or over repeated short
//! fragments in every grammar. `cargo xtask suite fragments` runs the latter.
//!
//! ```text
//! parse_bounds files DIRECTORY...
//! parse_bounds fragments COUNT BYTES SEED [LANGUAGE...]
//! ```
//!
//! The variable `LOOM_FRAGMENT_BYTES` replaces BYTES, for a shorter run of the suite.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "an example that reads files, a clock and its arguments, and prints"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use loom_base::RepoPath;
use loom_syntax::{FindingKind, Language, Limits, ParseCost, extract, has_grammar, parse_cost};

#[path = "../tests/it/fragments.rs"]
mod fragments;

fn main() {
    let mut arguments = env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    match mode.as_str() {
        "files" => files(&rest),
        "fragments" => repeated_fragments(&rest),
        _ => println!("parse_bounds files DIRECTORY... | fragments COUNT BYTES SEED [LANGUAGE...]"),
    }
}

/// Totals of one language's files, or of the fragments in one grammar.
#[derive(Default)]
struct Totals {
    texts: usize,
    bytes: usize,
    left: usize,
    /// Largest used shares of the budget: memory, allocations, reads and steps.
    shares: [f64; 4],
    slowest: f64,
    examples: Vec<String>,
}

impl Totals {
    fn add(&mut self, language: Language, text: &str, name: &str) {
        let limits = Limits {
            all: true,
            ..Limits::default()
        };
        let start = Instant::now();
        let result = parse_cost(language, text, &limits);
        extract(language, text, &limits);
        let seconds = start.elapsed().as_secs_f64();
        self.texts += 1;
        self.bytes += text.len();
        let is_left = matches!(
            result,
            Err((FindingKind::TooManySteps | FindingKind::TooMuchMemory, _))
        );
        let (Ok(used) | Err((_, used))) = result;
        for (most, share) in self.shares.iter_mut().zip(shares(&used, text.len())) {
            *most = most.max(share);
        }
        if is_left {
            self.left += 1;
            self.examples
                .push(format!("{name} {} bytes {used:?}", text.len()));
        }
        if seconds > self.slowest {
            self.slowest = seconds;
            self.examples
                .push(format!("{name} {} bytes took {seconds:.3} s", text.len()));
        }
    }

    fn print(&self, id: &str) {
        let [memory, allocated, read, steps] = self.shares.map(|share| 100.0 * share);
        println!(
            "{id:<12} {:>6} texts {:>6.1} MB, {:>4} left; most of memory {memory:>5.1} %, \
             allocated {allocated:>5.1} %, read {read:>5.1} %, steps {steps:>5.1} %; slowest {:.3} s",
            self.texts,
            self.bytes as f64 / 1e6,
            self.left,
            self.slowest,
        );
        let shown = self.examples.len().saturating_sub(6);
        for example in &self.examples[shown..] {
            if self.left > 0 || self.slowest > 1.0 {
                println!("    {example}");
            }
        }
    }
}

fn shares(used: &ParseCost, bytes: usize) -> [f64; 4] {
    let budget = Limits::default().budget(bytes);
    [
        (used.memory, budget.memory),
        (used.allocated, budget.allocated),
        (used.read, budget.read),
        (used.steps, budget.steps),
    ]
    .map(|(used, of)| used as f64 / of as f64)
}

fn files(directories: &[String]) {
    let mut seen: BTreeMap<&str, Totals> = BTreeMap::new();
    let mut open: Vec<PathBuf> = directories.iter().map(PathBuf::from).collect();
    while let Some(path) = open.pop() {
        if path.is_symlink() {
            continue;
        }
        if let Ok(entries) = fs::read_dir(&path) {
            let mut inner: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            inner.sort();
            open.extend(inner);
            continue;
        }
        let Some((language, text)) = read(&path) else {
            continue;
        };
        let one = seen.entry(language.id()).or_default();
        one.add(language, &text, &path.display().to_string());
    }
    for (id, one) in &seen {
        one.print(id);
    }
}

fn read(path: &Path) -> Option<(Language, String)> {
    let name = path.file_name()?.to_str()?;
    let text = fs::read_to_string(path).ok()?;
    let language = Language::detect(&RepoPath::new(name).ok()?, &text)?;
    has_grammar(language).then_some((language, text))
}

fn repeated_fragments(arguments: &[String]) {
    let number = |at: usize, default: u64| {
        let text = arguments.get(at);
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (count, seed) = (number(0, 60), number(2, 1));
    let bytes = env::var("LOOM_FRAGMENT_BYTES").ok();
    let bytes = bytes.and_then(|bytes| bytes.parse().ok());
    let bytes = bytes.unwrap_or_else(|| number(1, 30_000));
    let only = arguments.get(3..).unwrap_or_default();
    let (mut texts, mut largest) = (0, 0.0_f64);
    for language in Language::all().filter(|language| has_grammar(*language)) {
        if !only.is_empty() && !only.iter().any(|id| id == language.id()) {
            continue;
        }
        let mut seen = Totals::default();
        for at in 0..count {
            let fragment = fragments::fragment(seed.wrapping_mul(1_000_003).wrapping_add(at));
            let text = fragments::repeated(&fragment, usize::try_from(bytes).unwrap_or(0));
            seen.add(language, &text, &format!("{fragment:?}"));
        }
        seen.print(language.id());
        texts += seen.texts;
        largest = seen.shares.iter().copied().fold(largest, f64::max);
    }
    println!("figure: fragments = {texts}");
    println!("figure: bytes_of_a_text = {bytes}");
    println!("figure: largest_share = {largest:.3}");
    // One read or step beyond the budget may be counted before the parse ends.
    assert!(largest < 1.1, "a parse used {largest:.3} of its budget");
}
