//! The user's interests as weights of files and symbols: files in focus, mentioned names, and a
//! query in words.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_program::{DefinitionId, FileId};

use super::linked::SymbolGraph;
use super::words::{mentions, words};

/// Purpose of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Files or directories that are being edited.
    pub files: Vec<RepoPath>,
    /// Names of symbols or files under discussion.
    pub mentions: Vec<String>,
    /// A query in words.
    pub query: Option<String>,
}

/// Relevance of each file and definition for a focus.
#[derive(Clone, Debug, Default)]
pub struct Interest {
    /// Relevance of each file, at most 1; empty without a focus.
    pub files: Vec<f64>,
    /// Relevance of mentioned definitions.
    pub definitions: HashMap<DefinitionId, f64>,
}

/// BM25 parameters of the word search: file length, and repeated words.
const LENGTH: f64 = 0.6;
const REPEATED: f64 = 1.2;

/// Weight of a mention, relative to the best word match. A path or a focus is chosen on purpose
/// and names one file; a mentioned name can have several definitions.
const MENTION: f64 = 1.0;
const PATH: f64 = 2.0;
const FOCUS: f64 = 2.0;
/// Weight of a symbol in a focused file, relative to a mentioned one.
const FOCUS_SYMBOL: f64 = 0.3;
/// Weight of the best word match: above one mention, because a name in a sentence is often a word,
/// and below a path.
const WORDS: f64 = 1.2;

/// A name with more definitions is not a mention of any of them.
const MOST_NAMED: usize = 40;

impl Focus {
    /// Returns true if the focus is empty.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.mentions.is_empty() && self.query.is_none()
    }

    /// Returns true if a mention matches a name or a path.
    pub fn knows(&self, linked: &SymbolGraph, mention: &str) -> bool {
        let mut interest = Interest {
            files: vec![0.0; linked.files.len()],
            definitions: HashMap::new(),
        };
        interest.mention(linked, mention);
        interest.files.iter().any(|interest| *interest > 0.0)
    }

    /// Computes the relevance for the files of a repository.
    pub fn interest(&self, linked: &SymbolGraph) -> Interest {
        if self.is_empty() {
            return Interest::default();
        }
        let mut interest = Interest {
            files: vec![0.0; linked.files.len()],
            definitions: HashMap::new(),
        };
        for (at, file) in linked.files.iter().enumerate() {
            if self.files.iter().any(|focus| file.path.starts_with(focus)) {
                interest.files[at] += FOCUS;
                let symbols = file.symbols.iter();
                let ids = symbols.filter_map(|symbol| linked.definition(at, symbol));
                interest
                    .definitions
                    .extend(ids.map(|id| (id, FOCUS_SYMBOL)));
            }
        }
        let query = self.query.as_deref().unwrap_or_default();
        let in_query = mentions(query);
        let all = self.mentions.iter().chain(&in_query);
        for mention in all {
            interest.mention(linked, mention);
        }
        if !query.is_empty() {
            let found = by_words(linked, query);
            let best = found.iter().copied().fold(0.0, f64::max);
            for (at, score) in found.into_iter().enumerate() {
                if best > 0.0 {
                    interest.files[at] += WORDS * score / best;
                }
            }
            interest.name_words(linked, query);
        }
        let best = interest.files.iter().copied().fold(0.0, f64::max);
        if best > 0.0 {
            interest.files.iter_mut().for_each(|one| *one /= best);
        }
        interest
    }
}

impl Interest {
    /// Adds the relevance of a mentioned name or path.
    fn mention(&mut self, linked: &SymbolGraph, mention: &str) {
        self.mention_path(linked, mention);
        let program = &linked.program;
        let last = mention
            .rsplit(|c: char| !is_name(c))
            .find(|part| !part.is_empty());
        let Some(name) = last else { return };
        let before = mention[..mention.len() - name.len()].trim_end_matches(|c: char| !is_name(c));
        let owner = before
            .rsplit(|c: char| !is_name(c))
            .next()
            .unwrap_or_default();
        let named: Vec<DefinitionId> = program
            .named(name)
            .iter()
            .copied()
            .filter(|id| !program.definition(*id).is_test)
            .collect();
        let of_owner = |id: &&DefinitionId| program.owner(**id) == Some(owner);
        let with_owner: Vec<DefinitionId> = named.iter().filter(of_owner).copied().collect();
        let found = if with_owner.is_empty() {
            named
        } else {
            with_owner
        };
        if found.is_empty() || found.len() > MOST_NAMED {
            return;
        }
        let share = MENTION / (found.len() as f64).sqrt();
        for id in found {
            let file = program.definition(id).file.0 as usize;
            self.files[file] += share;
            let one = self.definitions.entry(id).or_default();
            *one = one.max(share);
        }
    }

    fn mention_path(&mut self, linked: &SymbolGraph, mention: &str) {
        let is_path = mention.contains(['/', '.', '\\']);
        if !is_path {
            return;
        }
        let path = mention.replace('\\', "/");
        let path = path.trim_start_matches("./").trim_start_matches('/');
        // `a.b.c` may be a module: `a/b/c`, in a file of any extension.
        let module = path.replace('.', "/");
        let ends = |whole: &str, end: &str| {
            whole == end
                || whole
                    .strip_suffix(end)
                    .is_some_and(|rest| rest.ends_with('/'))
        };
        let mut found: Vec<usize> = Vec::new();
        for (at, file) in linked.files.iter().enumerate() {
            let text = file.path.display();
            let stem = text.rsplit_once('.').map_or(&*text, |(stem, _)| stem);
            if ends(&text, path)
                || (path.contains('.') && module.contains('/') && ends(stem, &module))
            {
                found.push(at);
            }
        }
        if found.len() <= MOST_NAMED {
            let share = PATH / (found.len().max(1) as f64).sqrt();
            found.iter().for_each(|at| self.files[*at] += share);
        }
    }

    /// Adds symbols whose names contain several words of the query.
    fn name_words(&mut self, linked: &SymbolGraph, query: &str) {
        let asked: std::collections::HashSet<String> = words(query).into_iter().collect();
        for (at, file) in linked.files.iter().enumerate() {
            if self.files[at] <= 0.0 {
                continue;
            }
            for symbol in &file.symbols {
                let own = words(&symbol.name);
                let hits = own.iter().filter(|word| asked.contains(*word)).count();
                if hits > 0 && hits * 2 > own.len() {
                    let share = 0.5 * hits as f64 / own.len() as f64;
                    if let Some(id) = linked.definition(at, symbol) {
                        let one = self.definitions.entry(id).or_default();
                        *one = one.max(share);
                    }
                }
            }
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Scores the names in each file for the words of a query: path names count most, then definitions,
/// then references.
fn by_words(linked: &SymbolGraph, query: &str) -> Vec<f64> {
    let asked = asked_words(query);
    let program = &linked.program;
    // The query words in each name.
    let named: Vec<Vec<usize>> = program.names().map(|name| hits(&asked, name)).collect();
    let mut counts: Vec<HashMap<usize, f64>> = Vec::with_capacity(linked.files.len());
    let mut lengths: Vec<f64> = Vec::with_capacity(linked.files.len());
    for (at, file) in linked.files.iter().enumerate() {
        let mut count: HashMap<usize, f64> = HashMap::new();
        let mut length = 0.0;
        let id = FileId(u32::try_from(at).unwrap_or(u32::MAX));
        let mut add = |words: &[usize], weight: f64| {
            for word in words {
                *count.entry(*word).or_default() += weight;
            }
        };
        add(&hits(&asked, &file.path.display()), 4.0);
        for definition in program.of_file(id) {
            add(&named[program.name_number(definition) as usize], 2.0);
            length += 2.0;
        }
        for one in program.uses(id) {
            add(
                &named[one.name_number() as usize],
                f64::from(one.count()).sqrt(),
            );
            length += 1.0;
        }
        for doc in file
            .symbols
            .iter()
            .filter_map(|symbol| symbol.doc.as_deref())
        {
            add(&hits(&asked, doc), 1.0);
        }
        counts.push(count);
        lengths.push(length);
    }
    scores(linked, &asked, &counts, &lengths)
}

fn scores(
    linked: &SymbolGraph,
    asked: &[(String, f64)],
    counts: &[HashMap<usize, f64>],
    lengths: &[f64],
) -> Vec<f64> {
    let total = counts.len().max(1) as f64;
    let average = (lengths.iter().sum::<f64>() / total).max(1.0);
    let rare: Vec<f64> = (0..asked.len())
        .map(|word| {
            let with = counts
                .iter()
                .filter(|count| count.contains_key(&word))
                .count() as f64;
            (1.0 + (total - with + 0.5) / (with + 0.5)).ln()
        })
        .collect();
    let mut scores = Vec::with_capacity(counts.len());
    for (at, (count, length)) in counts.iter().zip(lengths).enumerate() {
        let norm = REPEATED * (1.0 - LENGTH + LENGTH * length / average);
        // Sorted, so that sums are reproducible.
        let mut found: Vec<(&usize, &f64)> = count.iter().collect();
        found.sort_by_key(|(word, _)| **word);
        let score: f64 = found
            .into_iter()
            .map(|(word, times)| asked[*word].1 * rare[*word] * times / (times + norm))
            .sum();
        let quiet = if linked.is_test(at) { 0.4 } else { 1.0 };
        scores.push(score * quiet);
    }
    scores
}

/// Returns the words of a query with their weights: words of the first line count more, and
/// repetition counts less than proportionally.
fn asked_words(query: &str) -> Vec<(String, f64)> {
    let mut counts: HashMap<String, f64> = HashMap::new();
    for (at, line) in query.lines().enumerate() {
        let weight = if at == 0 { 3.0 } else { 1.0 };
        for word in words(line) {
            if word.len() > 2 && !COMMON.contains(&word.as_str()) {
                *counts.entry(word).or_default() += weight;
            }
        }
    }
    let mut asked: Vec<(String, f64)> = counts
        .into_iter()
        .map(|(word, count)| (word, count / (count + 2.0)))
        .collect();
    asked.sort_by(|one, other| one.0.cmp(&other.0));
    asked
}

fn hits(asked: &[(String, f64)], name: &str) -> Vec<usize> {
    let own = words(name);
    let place = |word: &String| asked.binary_search_by(|(one, _)| one.cmp(word)).ok();
    own.iter().filter_map(place).collect()
}

/// Words of plain language and of issue templates, which say nothing about code.
const COMMON: &[&str] = &[
    "the",
    "and",
    "for",
    "that",
    "this",
    "with",
    "not",
    "are",
    "but",
    "was",
    "have",
    "has",
    "from",
    "when",
    "what",
    "which",
    "would",
    "should",
    "could",
    "can",
    "will",
    "there",
    "their",
    "then",
    "than",
    "been",
    "being",
    "into",
    "only",
    "also",
    "does",
    "did",
    "doing",
    "done",
    "any",
    "all",
    "some",
    "such",
    "our",
    "you",
    "your",
    "they",
    "them",
    "its",
    "itself",
    "here",
    "how",
    "why",
    "who",
    "where",
    "just",
    "like",
    "use",
    "used",
    "using",
    "get",
    "got",
    "one",
    "two",
    "more",
    "most",
    "other",
    "same",
    "see",
    "seems",
    "please",
    "thanks",
    "hello",
    "issue",
    "bug",
    "expected",
    "actual",
    "behavior",
    "behaviour",
    "steps",
    "reproduce",
    "version",
    "following",
    "example",
    "code",
    "file",
    "line",
    "lines",
    "error",
    "description",
    "python",
    "java",
    "https",
    "http",
    "com",
    "github",
    "www",
    "org",
    "because",
    "after",
    "before",
    "while",
    "without",
    "between",
    "about",
    "currently",
    "however",
    "case",
    "cases",
    "way",
    "make",
    "made",
    "need",
    "needs",
    "want",
    "feature",
    "request",
    "problem",
    "solution",
    "think",
    "were",
    "had",
    "may",
    "might",
    "must",
];
