//! What each level of compression saves and keeps, on real projects, beside `repomix
//! --compress` on the same files: `cargo run --release -- [--repomix PROGRAM]
//! [--results FILE] [--tell] DIR...`.

mod corpus;
mod measure;
mod repomix;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use loom_syntax::Level;
use measure::{Figures, measure};
use serde_json::{Value, json};

const USAGE: &str =
    "usage: compress-benchmark [--repomix PROGRAM] [--results FILE] [--tell] DIR...";

#[derive(Default)]
struct Options {
    trees: Vec<PathBuf>,
    repomix: Option<PathBuf>,
    results: Option<PathBuf>,
    tell: bool,
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let results = run(&options);
    if let Some(path) = &options.results {
        let text = serde_json::to_string_pretty(&results).unwrap_or_default() + "\n";
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn options() -> Option<Options> {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--repomix" => options.repomix = Some(words.next()?.into()),
            "--results" => options.results = Some(words.next()?.into()),
            "--tell" => options.tell = true,
            word if word.starts_with('-') => return None,
            tree => options.trees.push(tree.into()),
        }
    }
    (!options.trees.is_empty()).then_some(options)
}

fn run(options: &Options) -> Value {
    println!(
        "| project | files | tokens | minimal | balanced | aggressive | extreme | shared files | aggressive there | repomix there |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut sums = vec![Figures::default(); 5];
    let mut projects = Vec::new();
    for tree in &options.trees {
        let (levels, project) = project(options, tree);
        sums.iter_mut()
            .zip(&levels)
            .for_each(|(sum, one)| sum.add(one));
        projects.push(project);
    }
    println!();
    println!(
        "| level | tokens left | parse before | parse after | symbols before | symbols after | differ | grown | MB/s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let levels: Vec<Value> = Level::ALL
        .into_iter()
        .zip(&sums)
        .map(|(level, figures)| summary(level, figures, sums[0].tokens))
        .collect();
    let repomix = options.repomix.as_ref();
    let repomix = repomix.and_then(|program| repomix::version(program));
    let head = |folder: &Path| told("git", &["rev-parse", "--short=10", "HEAD"], folder);
    json!({ "date": told("date", &["-u", "+%F"], Path::new(".")), "commit": head(Path::new(".")),
        "versions": { "infiniloom": env!("CARGO_PKG_VERSION"), "repomix": repomix },
        "projects": projects, "levels": levels })
}

/// What a command says, in one line.
fn told(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let done = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output();
    let done = done.ok().filter(|done| done.status.success())?;
    Some(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

fn project(options: &Options, tree: &Path) -> (Vec<Figures>, Value) {
    let sources = corpus::load(tree);
    let tell = |line: &str| {
        if options.tell {
            eprintln!("{line}");
        }
    };
    let measured = measure(&sources, &tell);
    let whole = measured.levels[0].tokens;
    let share = |tokens: usize, of: usize| tokens as f64 / of.max(1) as f64;
    let shares: Vec<f64> = measured.levels[1..]
        .iter()
        .map(|figures| share(figures.tokens, whole))
        .collect();
    let theirs = options
        .repomix
        .as_ref()
        .and_then(|program| repomix::tokens(program, tree));
    let peer = theirs.map(|theirs| {
        let shared = sources.iter().zip(&measured.tokens);
        let shared = shared.filter_map(|(source, ours)| Some((ours, theirs.get(&source.path)?)));
        shared.fold((0, 0, [0; 5]), |(files, peer, mut sums), (ours, tokens)| {
            sums.iter_mut().zip(ours).for_each(|(sum, one)| *sum += one);
            (files + 1, peer + tokens, sums)
        })
    });
    let name = tree
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    print!("| {name} | {} | {whole} |", sources.len());
    shares
        .iter()
        .for_each(|share| print!(" {} |", percent(*share)));
    match &peer {
        Some((files, peer, ours)) => println!(
            " {files} | {} | {} |",
            percent(share(ours[3], ours[0])),
            percent(share(*peer, ours[0]))
        ),
        None => println!(" - | - | - |"),
    }
    let peer = peer.map(|(files, tokens, ours)| {
        json!({ "files": files, "repomix": tokens, "none": ours[0], "minimal": ours[1],
            "balanced": ours[2], "aggressive": ours[3], "extreme": ours[4] })
    });
    let value = json!({ "name": name, "commit": told("git", &["rev-parse", "--short=10", "HEAD"], tree),
        "files": sources.len(), "tokens": whole, "left": shares, "shared": peer });
    (measured.levels, value)
}

fn summary(level: Level, figures: &Figures, whole: usize) -> Value {
    let speed = figures.bytes as f64 / 1e6 / figures.seconds.max(1e-9);
    println!(
        "| {level} | {:.1} % | {} | {} | {} | {} | {} | {} | {speed:.1} |",
        figures.tokens as f64 * 100.0 / whole.max(1) as f64,
        figures.parsed_before,
        figures.parsed_after,
        figures.symbols_before,
        figures.symbols_after,
        figures.differ,
        figures.grown,
    );
    json!({
        "level": level.name(), "tokens": figures.tokens,
        "parse_before": figures.parsed_before, "parse_after": figures.parsed_after,
        "symbols_before": figures.symbols_before, "symbols_after": figures.symbols_after,
        "differ": figures.differ, "grown": figures.grown,
        "mb_per_second_per_thread": (speed * 10.0).round() / 10.0,
    })
}
