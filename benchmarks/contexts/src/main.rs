//! How long contexts take: in one process that has read the tree, as a command, and from
//! nothing; beside what reading every file once takes, and beside a look at all files.
//!
//! `cargo xtask bench contexts TREE... [--questions N] [--budget TOKENS] [--ours PROGRAM]
//! [--results FILE]`. `XDG_CACHE_HOME` names an empty folder: what is remembered is kept there.
//! The questions are messages of commits of the tree, drawn evenly over its history.
//! `--ours` is a release build of the command. What was measured is written to
//! `--results`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use loom_host::{
    CacheOptions, Cancel, ContextBuilder, ContextRepository, ContextRequest, ContextWeights,
    Format, PackOptions, Packer, Run, cache_folder,
};

struct Options {
    trees: Vec<PathBuf>,
    questions: usize,
    budget: usize,
    ours: Option<PathBuf>,
    results: Option<PathBuf>,
}

/// A text that no file has: a search for it looks whether anything changed, and ends.
const NOWHERE: &str = "qzxjvqzxjvqzxjv";

fn main() -> Result<()> {
    let options = options()?;
    let mut rows = Vec::new();
    for tree in &options.trees {
        let numbers = measure(tree, &options).with_context(|| format!("{}", tree.display()))?;
        rows.push(json(tree, &numbers));
    }
    match &options.results {
        Some(path) => {
            let text = format!("{{\"rows\": [{}]}}\n", rows.join(", "));
            Ok(std::fs::write(path, text)?)
        }
        None => Ok(()),
    }
}

fn options() -> Result<Options> {
    let mut options = Options {
        trees: Vec::new(),
        questions: 200,
        budget: 50_000,
        ours: None,
        results: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} takes a value"));
        match arg.as_str() {
            "--questions" => options.questions = value()?.parse()?,
            "--budget" => options.budget = value()?.parse()?,
            "--ours" => options.ours = Some(value()?.into()),
            "--results" => options.results = Some(value()?.into()),
            flag if flag.starts_with('-') => bail!("no option {flag}"),
            tree => options.trees.push(std::fs::canonicalize(tree)?),
        }
    }
    if std::env::var_os("XDG_CACHE_HOME").is_none() {
        bail!("set XDG_CACHE_HOME to an empty folder: what is remembered is kept there");
    }
    Ok(options)
}

/// Named numbers, printed as they come.
#[derive(Default)]
struct Numbers(Vec<(String, f64)>);

impl Numbers {
    fn add(&mut self, name: &str, value: f64) {
        println!("{name}: {value:.1}");
        self.0
            .push((name.to_owned(), (value * 10.0).round() / 10.0));
    }

    /// The middle and the slowest tenth of times in milliseconds; the slowest hundredth
    /// where there are enough for it.
    fn times(&mut self, name: &str, mut times: Vec<f64>) {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        self.add(&format!("{name}_p50_ms"), at(0.5));
        self.add(&format!("{name}_p90_ms"), at(0.9));
        if times.len() >= 1000 {
            self.add(&format!("{name}_p99_ms"), at(0.99));
        }
    }
}

fn measure(tree: &Path, options: &Options) -> Result<Numbers> {
    println!(
        "\n## {}",
        tree.file_name().unwrap_or_default().to_string_lossy()
    );
    let mut numbers = Numbers::default();
    let folder = cache_folder().context("no cache folder")?;
    let pack = PackOptions {
        cache: Some(CacheOptions::new(Some(folder))),
        ..PackOptions::default()
    };
    let packer = Packer::open(&[tree], pack)?;
    let cancel = Cancel::new();
    let start = Instant::now();
    drop(ContextBuilder::new(&packer, &Run::new(), &cancel).build()?);
    numbers.add("from_nothing_s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let repository = ContextBuilder::new(&packer, &Run::new(), &cancel).build()?;
    numbers.add("read_again_ms", milliseconds(start));
    let corpus = repository.corpus();
    numbers.add("files", corpus.files.len() as f64);
    numbers.add("parts", corpus.parts.len() as f64);
    numbers.add("read_every_file_ms", read_all(tree, &repository)?);
    let questions = questions(tree, options.questions)?;
    numbers.add("questions", questions.len() as f64);
    for budget in [options.budget, 500_000] {
        let name = format!("context_{}k", budget / 1000);
        let times = ask(&packer, &repository, &questions, budget)?;
        numbers.times(&name, times);
    }
    if let Some(ours) = &options.ours {
        commands(ours, tree, &questions, options.budget, &mut numbers)?;
    }
    Ok(numbers)
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// The floor: all files that contexts are made of, read once and forgotten.
fn read_all(tree: &Path, repository: &ContextRepository) -> Result<f64> {
    let mut least = f64::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        let mut bytes = 0;
        for file in &repository.corpus().files {
            bytes += std::fs::read(tree.join(&*file.path.display())).map_or(0, |text| text.len());
        }
        least = least.min(milliseconds(start));
        if bytes == 0 {
            bail!("nothing could be read");
        }
    }
    Ok(least)
}

/// Messages of commits, evenly over the history.
fn questions(tree: &Path, count: usize) -> Result<Vec<String>> {
    let log = Command::new("git")
        .args(["log", "--no-merges", "--format=%B%x00"])
        .current_dir(tree)
        .output()
        .context("git log")?;
    let text = String::from_utf8_lossy(&log.stdout).into_owned();
    let all: Vec<&str> = text
        .split('\0')
        .map(str::trim)
        .filter(|message| message.len() > 20)
        .collect();
    if all.is_empty() {
        bail!("no commits with messages");
    }
    let step = (all.len() / count).max(1);
    let chosen = all.into_iter().step_by(step).take(count);
    Ok(chosen.map(str::to_owned).collect())
}

fn ask(
    packer: &Packer,
    repository: &ContextRepository,
    questions: &[String],
    budget: usize,
) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for question in questions {
        let request = ContextRequest {
            query: question.clone(),
            budget,
            below: String::new(),
            format: Format::Compact,
            weights: ContextWeights::default(),
            hot: Vec::new(),
            previous: Vec::new(),
            pins: Vec::new(),
            embedder: None,
            top: None,
            threshold: f64::NEG_INFINITY,
        };
        let start = Instant::now();
        let answer = repository.answer(packer, &request, &Run::new(), &Cancel::new())?;
        times.push(milliseconds(start));
        if answer.fitted.context.tokens() > budget {
            bail!("over the budget of {budget}: {question}");
        }
    }
    Ok(times)
}

fn commands(
    ours: &Path,
    tree: &Path,
    questions: &[String],
    budget: usize,
    numbers: &mut Numbers,
) -> Result<()> {
    let run = |arguments: &[&str]| -> Result<f64> {
        let start = Instant::now();
        Command::new(ours)
            .args(arguments)
            .current_dir(tree)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("the command")?;
        Ok(milliseconds(start))
    };
    let budget = budget.to_string();
    let (mut contexts, mut looks) = (Vec::new(), Vec::new());
    run(&["search", NOWHERE])?;
    for question in questions.iter().step_by((questions.len() / 30).max(1)) {
        contexts.push(run(&["context", "--budget", &budget, "--", question])?);
        looks.push(run(&["search", NOWHERE])?);
    }
    numbers.times("command", contexts);
    numbers.times("look_at_all_files", looks);
    Ok(())
}

fn json(tree: &Path, numbers: &Numbers) -> String {
    let name = tree.file_name().unwrap_or_default().to_string_lossy();
    let mut fields = vec![format!("\"tree\": \"{name}\"")];
    fields.extend(
        numbers
            .0
            .iter()
            .map(|(name, value)| format!("\"{name}\": {value}")),
    );
    format!("{{{}}}", fields.join(", "))
}
