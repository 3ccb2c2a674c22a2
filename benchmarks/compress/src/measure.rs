//! One project at every level: tokens, what the grammar still reads, which symbols
//! survive, and the time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use loom_syntax::{
    Compression, Depth, FindingKind, Level, Limits, Structure, Visibility, compress, extract,
};
use loom_tokens::Vocabulary;

use crate::corpus::Source;

/// What one level does to a project.
#[derive(Clone, Default)]
pub(crate) struct Figures {
    pub(crate) tokens: usize,
    /// Files that the grammar read as a whole before, and after.
    pub(crate) parsed_before: usize,
    pub(crate) parsed_after: usize,
    /// Symbols that are there before, and after; of aggressive and extreme the public
    /// ones outside functions.
    pub(crate) symbols_before: usize,
    pub(crate) symbols_after: usize,
    /// Files that are larger than at the level before.
    pub(crate) grown: usize,
    /// Files that differ from the level before.
    pub(crate) differ: usize,
    pub(crate) seconds: f64,
    pub(crate) bytes: usize,
}

const LIMITS: Limits = Limits {
    bytes: 8_000_000,
    line: 100_000,
    brackets: 2_000,
    depth: 10_000,
    steps_per_byte: 16,
    read_per_byte: 64,
    allocated_per_byte: 1_000,
    memory_per_byte: 300,
    memory: u64::MAX,
    all: true,
};

/// Tokens of each file at each level, by place.
pub(crate) struct Measured {
    pub(crate) levels: Vec<Figures>,
    pub(crate) tokens: Vec<[usize; 5]>,
}

/// Measures a project. `tell` is told of every file that does not keep a promise.
pub(crate) fn measure(sources: &[Source], tell: &(dyn Fn(&str) + Sync)) -> Measured {
    let sums = Mutex::new(vec![Figures::default(); 5]);
    let tokens = Mutex::new(vec![[0; 5]; sources.len()]);
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut own = vec![Figures::default(); 5];
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(at) else { break };
            let counted = one(source, &mut own, tell);
            if let Ok(mut tokens) = tokens.lock() {
                tokens[at] = counted;
            }
        }
        if let Ok(mut sums) = sums.lock() {
            sums.iter_mut()
                .zip(&own)
                .for_each(|(sum, own)| sum.add(own));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(worker);
        worker();
    });
    Measured {
        levels: sums.into_inner().unwrap_or_default(),
        tokens: tokens.into_inner().unwrap_or_default(),
    }
}

fn one(source: &Source, figures: &mut [Figures], tell: &(dyn Fn(&str) + Sync)) -> [usize; 5] {
    let before = source
        .language
        .map(|language| extract(language, &source.text, &Limits::default()));
    let mut counted = [0; 5];
    let mut last: Option<String> = None;
    for (at, level) in Level::ALL.into_iter().enumerate() {
        let how = Compression::at(level);
        let start = Instant::now();
        let done = compress(source.language, &source.text, &how, &LIMITS);
        figures[at].seconds += start.elapsed().as_secs_f64();
        figures[at].bytes += source.text.len();
        counted[at] = Vocabulary::O200kBase.count(&done.text);
        figures[at].tokens += counted[at];
        if at > 0 && counted[at] > counted[at - 1] {
            figures[at].grown += 1;
            tell(&format!(
                "grown {level} {} {} > {}",
                source.path,
                counted[at],
                counted[at - 1]
            ));
        }
        figures[at].differ += usize::from(last.as_ref().is_some_and(|last| *last != done.text));
        if let (Some(language), Some(before)) = (source.language, &before)
            && level != Level::Extreme
        {
            let after = extract(language, &done.text, &LIMITS);
            compare(&mut figures[at], level, before, &after, &source.path, tell);
        }
        last = Some(done.text);
    }
    counted
}

fn compare(
    figures: &mut Figures,
    level: Level,
    before: &Structure,
    after: &Structure,
    path: &str,
    tell: &(dyn Fn(&str) + Sync),
) {
    if is_clean(before) {
        figures.parsed_before += 1;
        figures.parsed_after += usize::from(is_clean(after));
        if !is_clean(after) {
            tell(&format!("broken {level} {path}"));
        }
    }
    if before.depth != Depth::Grammar {
        return;
    }
    let is_counted =
        |structure: &Structure, at: usize| level <= Level::Balanced || is_public(structure, at);
    let mut left: HashMap<&str, usize> = HashMap::new();
    for symbol in &after.symbols {
        *left.entry(&symbol.qualified).or_default() += 1;
    }
    for (at, symbol) in before.symbols.iter().enumerate() {
        if !is_counted(before, at) {
            continue;
        }
        figures.symbols_before += 1;
        match left.get_mut(symbol.qualified.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                figures.symbols_after += 1;
            }
            _ => tell(&format!(
                "lost {level} {path}:{} {} {}",
                symbol.name_line, symbol.kind, symbol.qualified
            )),
        }
    }
}

fn is_clean(structure: &Structure) -> bool {
    let is_broken = |kind: FindingKind| kind == FindingKind::Broken;
    structure.depth == Depth::Grammar
        && !structure
            .findings
            .iter()
            .any(|finding| is_broken(finding.kind))
}

/// Public, and neither in a function nor in a sample inside a document.
fn is_public(structure: &Structure, at: usize) -> bool {
    let symbol = &structure.symbols[at];
    let mut parent = symbol.parent;
    for _ in 0..64 {
        let Some(above) = parent.and_then(|above| structure.symbols.get(above)) else {
            break;
        };
        if above.kind.is_function() {
            return false;
        }
        parent = above.parent;
    }
    symbol.visibility == Visibility::Public && symbol.language.is_none()
}

impl Figures {
    pub(crate) fn add(&mut self, other: &Self) {
        self.tokens += other.tokens;
        self.parsed_before += other.parsed_before;
        self.parsed_after += other.parsed_after;
        self.symbols_before += other.symbols_before;
        self.symbols_after += other.symbols_after;
        self.grown += other.grown;
        self.differ += other.differ;
        self.seconds += other.seconds;
        self.bytes += other.bytes;
    }
}
