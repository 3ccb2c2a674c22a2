//! Search beside ripgrep over the same trees: whether the answers are the same, how
//! long they take in one process and as commands, and what the index costs.
//!
//! `cargo xtask bench search TREE... [--queries N] [--seed N] [--rg PROGRAM]
//! [--ours PROGRAM] [--scratch DIR]`. The index is made anew in the scratch folder.

mod peer;
mod queries;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use loom_host::{
    CacheOptions, Cancel, Detail, IndexUse, NoProgress, PackOptions, Packer, Query, QueryOptions,
    SearchOptions, Searcher, SecretsMode, SecretsOptions, cache_folder,
};

use crate::peer::Peer;
use crate::queries::{Asked, Draw};

struct Options {
    trees: Vec<PathBuf>,
    queries: usize,
    seed: u64,
    rg: String,
    ours: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = options()?;
    for tree in &options.trees {
        measure(tree, &options).with_context(|| format!("{}", tree.display()))?;
    }
    Ok(())
}

fn options() -> Result<Options> {
    let mut options = Options {
        trees: Vec::new(),
        queries: 500,
        seed: 1,
        rg: "rg".to_owned(),
        ours: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} takes a value"));
        match arg.as_str() {
            "--queries" => options.queries = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--rg" => options.rg = value()?,
            "--ours" => options.ours = Some(value()?.into()),
            flag if flag.starts_with('-') => bail!("no option {flag}"),
            tree => options.trees.push(std::fs::canonicalize(tree)?),
        }
    }
    if std::env::var_os("XDG_CACHE_HOME").is_none() {
        bail!("set XDG_CACHE_HOME to an empty folder: the index is made there");
    }
    Ok(options)
}

/// What one query took and gave.
struct Row {
    asked: Asked,
    files: usize,
    ours: f64,
    peer: f64,
    has_grams: bool,
    is_same: bool,
}

fn measure(tree: &Path, options: &Options) -> Result<()> {
    println!(
        "\n## {}",
        tree.file_name().unwrap_or_default().to_string_lossy()
    );
    let folder = cache_folder().context("no cache folder")?;
    let pack = PackOptions {
        cache: Some(CacheOptions::new(Some(folder))),
        secrets: SecretsOptions::new(SecretsMode::Off),
        ..PackOptions::default()
    };
    let packer = Packer::open(&[tree], pack)?;
    let cancel = Cancel::new();
    let start = Instant::now();
    let searcher = Searcher::open(&packer, IndexUse::Update, &NoProgress, &cancel)?;
    let took = start.elapsed().as_secs_f64();
    if let Some(built) = searcher.built() {
        let share = 100.0 * built.size as f64 / built.text.max(1) as f64;
        println!(
            "index: {} contents in {took:.2} s, {} bytes for {} bytes of text, {share:.1} %",
            built.indexed, built.size, built.text
        );
    }
    let start = Instant::now();
    let searcher = Searcher::open(&packer, IndexUse::Auto, &NoProgress, &cancel)?;
    println!(
        "freshness and opening: {:.1} ms",
        1e3 * start.elapsed().as_secs_f64()
    );
    let files = texts(&searcher)?;
    let peer = Peer::new(&options.rg, tree, &files)?;
    let mut draw = Draw::new(options.seed, tree, &files);
    let mut rows = Vec::new();
    for _ in 0..options.queries {
        let asked = draw.query();
        rows.push(ask(&searcher, &peer, asked)?);
    }
    report(&rows);
    if let Some(ours) = &options.ours {
        peer::commands(
            ours,
            tree,
            &rows
                .iter()
                .map(|row| &row.asked)
                .take(40)
                .collect::<Vec<_>>(),
        )?;
    }
    Ok(())
}

/// The paths of all files that are text.
fn texts(searcher: &Searcher<'_>) -> Result<Vec<String>> {
    let query = Query::parse("path:/./", &QueryOptions::default())?;
    let mut files = Vec::new();
    let options = search_options(Detail::Paths);
    searcher.search(&query, &options, &Cancel::new(), |file| {
        files.extend(file.path.as_str().map(str::to_owned));
        ControlFlow::Continue(())
    })?;
    Ok(files)
}

fn search_options(detail: Detail) -> SearchOptions {
    SearchOptions {
        detail,
        symbols: false,
        limit: None,
    }
}

fn ask(searcher: &Searcher<'_>, peer: &Peer, asked: Asked) -> Result<Row> {
    let query = asked.query()?;
    let mut best = f64::MAX;
    let mut found = BTreeSet::new();
    let mut read = 0;
    for _ in 0..3 {
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
        best = best.min(start.elapsed().as_secs_f64());
        read = met.map_or(0, |met| met.read);
        found = files
            .iter()
            .flat_map(|file| {
                let path = file.path.as_str().unwrap_or_default().to_owned();
                file.lines.iter().map(move |line| (path.clone(), line.line))
            })
            .collect();
    }
    let (expected, time) = peer.ask(&asked)?;
    let is_same = found == expected;
    if !is_same {
        let more: Vec<_> = found.difference(&expected).take(3).collect();
        let fewer: Vec<_> = expected.difference(&found).take(3).collect();
        println!("DIFFERENT {asked:?}: only ours {more:?}, only the peer's {fewer:?}");
    }
    let files: BTreeSet<&String> = found.iter().map(|(path, _)| path).collect();
    Ok(Row {
        files: files.len(),
        has_grams: read < searcher.len(),
        asked,
        ours: best,
        peer: time,
        is_same,
    })
}

fn report(rows: &[Row]) {
    let same = rows.iter().filter(|row| row.is_same).count();
    println!("{same} of {} answers are the peer's", rows.len());
    let narrow: Vec<&Row> = rows
        .iter()
        .filter(|row| (1..200).contains(&row.files))
        .collect();
    let broad: Vec<&Row> = rows
        .iter()
        .filter(|row| row.files >= 200 || !row.has_grams)
        .collect();
    for (name, rows) in [
        ("under 200 files", narrow),
        ("broad or without grams", broad),
    ] {
        if rows.is_empty() {
            continue;
        }
        let of = |time: fn(&Row) -> f64| {
            let mut times: Vec<f64> = rows.iter().map(|row| time(row)).collect();
            times.sort_by(f64::total_cmp);
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
            (1e3 * at(0.5), 1e3 * at(0.99))
        };
        let (ours, peer, ratio) = (
            of(|row| row.ours),
            of(|row| row.peer),
            of(|row| row.peer / row.ours),
        );
        println!(
            "{name}: {} queries, ours p50 {:.2} ms, p99 {:.2} ms; ripgrep p50 {:.1} ms, p99 {:.1} ms; \
             p50 against p50 {:.1} times, median of ratios {:.1}",
            rows.len(),
            ours.0,
            ours.1,
            peer.0,
            peer.1,
            peer.0 / ours.0,
            ratio.0 / 1e3
        );
    }
}
