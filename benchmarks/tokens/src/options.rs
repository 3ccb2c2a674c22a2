//! The command line.

use std::path::PathBuf;

use loom_tokens::Vocabulary;

use crate::results;

pub const USAGE: &str = "\
usage: tokens-benchmark [OPTION...] DIR...

Counts the UTF-8 files below each DIR with every engine, interleaved in one
process, and prints MB per second of processor time and the ratio to tiktoken-rs.
  --vocabulary NAME     o200k_base (default) or cl100k_base; any for --growth
  --per-language MB     at most that much of each language (default 14)
  --rounds N            best of N rounds (default 5)
  --engine NAME         only this one beside tiktoken-rs; may be repeated
  --exact               every vocabulary against tiktoken-rs, file by file
  --growth              10 and 20 MB of one kind of text; no DIR
  --callgrind           instructions for each byte instead of times; needs valgrind
  --all                 speed, growth, exactness and instructions
  --results FILE        where the figures go (default benchmarks/results/tokens.json)
  --no-results          write no figures

Warm is the best pass over everything after one unmeasured pass. Cold is the
first pass of a new process, best of the rounds, without the engine's start.";

/// What to do.
#[derive(Clone)]
pub enum Mode {
    /// Every engine, in time.
    Speed,
    /// Every vocabulary, in tokens.
    Exact,
    /// All that is measured.
    All,
    /// One cold pass with this engine, in a child process.
    Cold(String),
    /// So many passes with this engine, in a child process under valgrind.
    Passes(String, usize),
    /// Every engine, in instructions.
    Callgrind,
    /// Long text of one kind.
    Growth,
}

#[derive(Clone)]
pub struct Options {
    pub mode: Mode,
    pub vocabulary: Vocabulary,
    pub per_language: usize,
    pub rounds: usize,
    pub threads: usize,
    pub engines: Vec<String>,
    pub directories: Vec<PathBuf>,
    /// Where the figures go.
    pub results: Option<PathBuf>,
}

impl Options {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            mode: Mode::Speed,
            vocabulary: Vocabulary::O200kBase,
            per_language: 14_000_000,
            rounds: 5,
            threads: 1,
            engines: Vec::new(),
            directories: Vec::new(),
            results: Some(results::default_path()),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--vocabulary" => {
                    let name = value()?;
                    let found = Vocabulary::from_name(&name);
                    options.vocabulary = found.ok_or(format!("no vocabulary {name}"))?;
                }
                "--per-language" => {
                    options.per_language = (number(&value()?)? * 1e6) as usize;
                }
                "--rounds" => options.rounds = number(&value()?)? as usize,
                "--threads" => options.threads = number(&value()?)? as usize,
                "--engine" => options.engines.push(value()?),
                "--exact" => options.mode = Mode::Exact,
                "--all" => options.mode = Mode::All,
                "--results" => options.results = Some(value()?.into()),
                "--no-results" => options.results = None,
                "--growth" => options.mode = Mode::Growth,
                "--callgrind" => options.mode = Mode::Callgrind,
                "--cold" => options.mode = Mode::Cold(value()?),
                "--passes" => {
                    options.mode = Mode::Passes(value()?, number(&value()?)? as usize);
                }
                "--help" => return Err(String::new()),
                _ if argument.starts_with('-') => return Err(format!("unknown {argument}")),
                _ => options.directories.push(argument.into()),
            }
        }
        let peers_know = matches!(
            options.vocabulary,
            Vocabulary::O200kBase | Vocabulary::Cl100kBase
        );
        if !peers_know && !matches!(options.mode, Mode::Growth | Mode::Exact) {
            return Err("not all engines have that vocabulary".to_owned());
        }
        if options.directories.is_empty() && !matches!(options.mode, Mode::Growth) {
            return Err("no directory given".to_owned());
        }
        Ok(options)
    }

    /// Whether the engine of that name takes part.
    pub fn includes(&self, name: &str) -> bool {
        self.engines.is_empty() || name == "tiktoken-rs" || self.engines.iter().any(|e| e == name)
    }

    /// The arguments that make a child process read the same corpus.
    pub fn to_arguments(&self) -> Vec<String> {
        let mut arguments = vec![
            "--vocabulary".to_owned(),
            self.vocabulary.name().to_owned(),
            "--per-language".to_owned(),
            (self.per_language as f64 / 1e6).to_string(),
        ];
        let directories = self.directories.iter();
        arguments.extend(directories.map(|path| path.to_string_lossy().into_owned()));
        arguments
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}
