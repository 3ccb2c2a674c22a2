//! Search beside ripgrep and codesearch over the same trees: whether the answers are
//! ripgrep's, how long they take in one process and as commands, and what the index costs.
//!
//! `cargo xtask bench search TREE... [--queries N] [--seed N] [--rg PROGRAM]
//! [--ours PROGRAM] [--codesearch FOLDER] [--results FILE] [--cold]`. Texts are read ahead, as
//! servers do; with `--cold` each is read by the first query that needs it.
//! `XDG_CACHE_HOME` names an empty folder: the index is made there. `--ours` is a release build of the command,
//! `--codesearch` the folder of `cindex` and `csearch`. What was measured is written to
//! `--results`.

mod codesearch;
mod peer;
mod queries;
mod report;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use loom_host::{
    CacheOptions, Cancel, Detail, IndexUse, NoProgress, PackOptions, Packer, Query, QueryOptions,
    SearchOptions, SearchText, Searcher, SecretsMode, SecretsOptions, cache_folder,
};

use crate::peer::Peer;
use crate::queries::{Asked, Draw};
use crate::report::{Report, Row};

struct Options {
    trees: Vec<PathBuf>,
    queries: usize,
    seed: u64,
    rg: String,
    ours: Option<PathBuf>,
    codesearch: Option<PathBuf>,
    results: Option<PathBuf>,
    is_cold: bool,
}

fn main() -> Result<()> {
    let options = options()?;
    let mut rows = Vec::new();
    for tree in &options.trees {
        let report = measure(tree, &options).with_context(|| format!("{}", tree.display()))?;
        rows.push(report.json());
    }
    match &options.results {
        Some(path) => {
            let text = format!("{{\"rows\":[{}]}}\n", rows.join(","));
            Ok(std::fs::write(path, text)?)
        }
        None => Ok(()),
    }
}

fn options() -> Result<Options> {
    let mut options = Options {
        trees: Vec::new(),
        queries: 500,
        seed: 1,
        rg: "rg".to_owned(),
        ours: None,
        codesearch: None,
        results: None,
        is_cold: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} takes a value"));
        match arg.as_str() {
            "--queries" => options.queries = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--rg" => options.rg = value()?,
            "--ours" => options.ours = Some(value()?.into()),
            "--codesearch" => options.codesearch = Some(value()?.into()),
            "--cold" => options.is_cold = true,
            "--results" => options.results = Some(value()?.into()),
            flag if flag.starts_with('-') => bail!("no option {flag}"),
            tree => options.trees.push(std::fs::canonicalize(tree)?),
        }
    }
    if std::env::var_os("XDG_CACHE_HOME").is_none() {
        bail!("set XDG_CACHE_HOME to an empty folder: the index is made there");
    }
    Ok(options)
}

fn measure(tree: &Path, options: &Options) -> Result<Report> {
    let name = tree.file_name().unwrap_or_default().to_string_lossy();
    println!("\n## {name}");
    let mut report = Report::new(&name, options.queries, options.seed);
    let folder = cache_folder().context("no cache folder")?;
    let pack = PackOptions {
        cache: Some(CacheOptions::new(Some(folder))),
        secrets: SecretsOptions::new(SecretsMode::Off),
        ..PackOptions::default()
    };
    let packer = Arc::new(Packer::open(&[tree], pack)?);
    let cancel = Cancel::new();
    let start = Instant::now();
    let searcher = Searcher::open(Arc::clone(&packer), IndexUse::Update, &NoProgress, &cancel)?;
    report.built(searcher.built(), start.elapsed());
    // The first look after an update writes what it learnt; the others are as usual.
    let mut fresh = f64::MAX;
    let mut searcher = searcher;
    for _ in 0..4 {
        let start = Instant::now();
        searcher = Searcher::open(Arc::clone(&packer), IndexUse::Auto, &NoProgress, &cancel)?;
        fresh = fresh.min(start.elapsed().as_secs_f64());
    }
    report.number("freshness_and_opening_ms", 1e3 * fresh);
    let files = texts(&searcher)?;
    if !options.is_cold {
        let start = Instant::now();
        searcher.warm(usize::MAX, threads(), &cancel);
        report.number("reading_ahead_s", start.elapsed().as_secs_f64());
    }
    let peer = Peer::new(&options.rg, tree, &files)?;
    let mut draw = Draw::new(options.seed, tree, &files);
    let mut rows = Vec::new();
    for _ in 0..options.queries {
        let asked = draw.query();
        rows.push(ask(&searcher, &peer, asked)?);
    }
    report.rows(&rows);
    let narrow: Vec<&Asked> = rows
        .iter()
        .filter(|row| row.is_narrow())
        .map(|row| &row.asked)
        .take(40)
        .collect();
    if let Some(ours) = &options.ours {
        commands(ours, tree, &narrow, &mut report)?;
    }
    if let Some(folder) = &options.codesearch {
        codesearch::measure(folder, tree, &files, &narrow, &mut report)?;
    }
    Ok(report)
}

/// The paths of all files that are text.
fn texts(searcher: &Searcher) -> Result<Vec<String>> {
    let query = Query::parse("path:/./", &QueryOptions::default())?;
    let mut files = Vec::new();
    let options = search_options(Detail::Paths);
    searcher.search(&query, &options, &Cancel::new(), |file| {
        files.extend(file.path.as_str().map(str::to_owned));
        ControlFlow::Continue(())
    })?;
    Ok(files)
}

/// How long commands take, beside one that finds nothing.
fn commands(ours: &Path, tree: &Path, asked: &[&Asked], report: &mut Report) -> Result<()> {
    let turns = asked.len();
    // In turns, so that a change in the load of the machine meets both.
    let mut nothing = peer::nothing(ours, tree, turns)?;
    let times = peer::commands(ours, tree, asked)?;
    nothing.extend(peer::nothing(ours, tree, turns)?);
    nothing.sort_by(f64::total_cmp);
    for (name, times) in [("command", &times), ("command_without_match", &nothing)] {
        report.number(&format!("{name}_p50_ms"), at(times, 50));
        report.number(&format!("{name}_p90_ms"), at(times, 90));
    }
    Ok(())
}

/// The time that so many in a hundred do not exceed.
fn at(times: &[f64], percent: usize) -> f64 {
    let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(place).copied().unwrap_or(f64::NAN)
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn search_options(detail: Detail) -> SearchOptions {
    SearchOptions {
        detail,
        symbols: false,
        limit: None,
        per_file: None,
        search_text: SearchText::Raw,
    }
}

fn ask(searcher: &Searcher, peer: &Peer, asked: Asked) -> Result<Row> {
    let query = asked.query()?;
    // The peer first, so that the files lie in memory for both.
    let (expected, peer) = peer.ask(&asked)?;
    let (mut first, mut again) = (0.0, f64::MAX);
    let (mut found, mut read) = (BTreeSet::new(), 0);
    for turn in 0..3 {
        let mut files = Vec::new();
        let start = Instant::now();
        let detail = Detail::Lines {
            before: 0,
            after: 0,
        };
        let met = searcher.search(&query, &search_options(detail), &Cancel::new(), |file| {
            files.push(file);
            ControlFlow::Continue(())
        });
        let took = start.elapsed().as_secs_f64();
        let met = met?;
        if turn > 0 {
            // The matches of an earlier query are remembered.
            again = took.min(again);
            continue;
        }
        first = took;
        read = met.read;
        found = files
            .iter()
            .flat_map(|file| {
                let path = file.path.as_str().unwrap_or_default().to_owned();
                file.lines.iter().map(move |line| (path.clone(), line.line))
            })
            .collect();
    }
    let is_same = found == expected;
    if !is_same {
        let more: Vec<_> = found.difference(&expected).take(3).collect();
        let fewer: Vec<_> = expected.difference(&found).take(3).collect();
        println!("DIFFERENT {asked:?}: only ours {more:?}, only the peer's {fewer:?}");
    }
    let files: BTreeSet<&String> = found.iter().map(|(path, _)| path).collect();
    Ok(Row {
        files: files.len(),
        reads_all: read >= searcher.len(),
        asked,
        first,
        again,
        peer,
        is_same,
    })
}
