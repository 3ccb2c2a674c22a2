//! Scores contents for a question.

use std::collections::HashMap;

use super::place::{PathTerms, is_aside, is_no_code, is_thin, stem_words};
use super::{Question, Ranking, Weights};
use crate::segment::{BODY, Counts, Damaged, FIELDS, SYMBOLS, Segment};

/// Number of words, a few lines, that count as one occurrence for the rarity of a word.
const PART_WORDS: f64 = 30.0;

/// Maximum uses of a word that count in a file of code; more say nothing new.
const MOST_USES: u16 = 15;

/// A file of the current snapshot: its path, and its contents in the index.
#[derive(Clone, Copy, Debug)]
pub struct Live<'a> {
    /// Its path.
    pub path: &'a str,
    /// Index of the segment.
    pub segment: usize,
    /// Index of the contents in the segment.
    pub content: usize,
}

/// A file with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// Index among the live files.
    pub file: usize,
    /// The score; higher is better.
    pub score: f64,
}

/// Ranked files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranked {
    /// Files that contain a word of the question, the best first; ties keep the order of the files.
    pub files: Vec<Scored>,
    /// Weight of each term of the question, by its rarity.
    pub(crate) rarities: Vec<f64>,
    /// Components of the scores of `files`.
    pub(super) made_of: Vec<MadeOf>,
}

/// Components of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MadeOf {
    /// Score of the words in the text.
    words: f64,
    /// Share of the question's words in the name of the file.
    named: f64,
    /// Factor for the kind of file.
    standing: f64,
}

impl Ranked {
    pub(super) fn words(&self, rank: usize) -> f64 {
        self.made_of.get(rank).map_or(0.0, |one| one.words)
    }

    pub(super) fn named(&self, rank: usize) -> f64 {
        self.made_of.get(rank).map_or(0.0, |one| one.named)
    }

    pub(super) fn standing(&self, rank: usize) -> f64 {
        self.made_of.get(rank).map_or(1.0, |one| one.standing)
    }
}

/// Ranks the live files for a question.
///
/// # Errors
/// If a segment is damaged.
pub fn rank<B: AsRef<[u8]>>(
    question: &Question,
    segments: &[&Segment<B>],
    live: &[Live<'_>],
    ranking: Ranking,
    weights: &Weights,
) -> Result<Ranked, Damaged> {
    let mut files = Files::new(segments, live);
    let mut scores = vec![0.0; live.len()];
    let mut named = vec![0.0; live.len()];
    let mut rarities = Vec::with_capacity(question.terms.len());
    let most = question.terms.iter().map(|(_, count)| *count).max();
    for (term, count) in &question.terms {
        files.count(term, ranking)?;
        // A repeated word counts more, but less than proportionally.
        let louder = 1.0 + f64::from(*count).ln() / f64::from(most.unwrap_or(1)).ln().max(1.0);
        let rarity = files.rarity(ranking);
        rarities.push(rarity);
        for file in &files.with_term {
            let one = files.term_score(*file, ranking, weights);
            scores[*file] += louder * rarity * one;
            if files.in_path[*file].0 {
                named[*file] += rarity;
            }
        }
    }
    let all: f64 = rarities.iter().sum();
    let most = scores.iter().copied().fold(1e-9, f64::max);
    let mut ordered: Vec<(Scored, MadeOf)> = Vec::new();
    for (file, words) in scores
        .into_iter()
        .enumerate()
        .filter(|(_, score)| *score > 0.0)
    {
        let mut made_of = MadeOf {
            words,
            named: 0.0,
            standing: 1.0,
        };
        let mut score = words;
        if ranking == Ranking::CodeAware {
            made_of.standing = files.standing(file, weights);
            made_of.named =
                weights.named * files.covered(file, question) * (named[file] / all).sqrt();
            score = (words / most + made_of.named) * made_of.standing;
        }
        ordered.push((Scored { file, score }, made_of));
    }
    ordered.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    let (files, made_of) = ordered.into_iter().unzip();
    Ok(Ranked {
        files,
        rarities,
        made_of,
    })
}

/// The live files, with the counts of one term at a time.
struct Files<'a, B> {
    segments: &'a [&'a Segment<B>],
    live: &'a [Live<'a>],
    /// Files by contents: copies share theirs.
    by_content: HashMap<(usize, u32), Vec<usize>>,
    /// Mean number of words in each field.
    means: [f64; FIELDS],
    /// Paths in lower case.
    paths: Vec<String>,
    with_term: Vec<usize>,
    counts: Vec<Counts>,
    /// True if the term is in the stem, and true if it is in a directory.
    in_path: Vec<(bool, bool)>,
}

impl<'a, B: AsRef<[u8]>> Files<'a, B> {
    fn new(segments: &'a [&'a Segment<B>], live: &'a [Live<'a>]) -> Self {
        let mut by_content: HashMap<(usize, u32), Vec<usize>> = HashMap::new();
        let mut sums = [0.0; FIELDS];
        for (file, one) in live.iter().enumerate() {
            let key = (one.segment, one.content as u32);
            by_content.entry(key).or_default().push(file);
            let words = words_of(segments, one);
            for (sum, words) in sums.iter_mut().zip(words) {
                *sum += words;
            }
        }
        let count = live.len().max(1) as f64;
        Self {
            segments,
            live,
            by_content,
            means: sums.map(|sum| (sum / count).max(1.0)),
            paths: live.iter().map(|one| one.path.to_lowercase()).collect(),
            with_term: Vec::new(),
            counts: vec![[0; FIELDS]; live.len()],
            in_path: vec![(false, false); live.len()],
        }
    }

    /// Counts a term in all files.
    fn count(&mut self, term: &str, ranking: Ranking) -> Result<(), Damaged> {
        for file in self.with_term.drain(..) {
            self.counts[file] = [0; FIELDS];
            self.in_path[file] = (false, false);
        }
        for (number, segment) in self.segments.iter().enumerate() {
            for (content, counts) in segment.term(term)? {
                for file in self
                    .by_content
                    .get(&(number, content))
                    .into_iter()
                    .flatten()
                {
                    self.counts[*file] = counts;
                    self.with_term.push(*file);
                }
            }
        }
        if ranking == Ranking::CodeAware {
            self.look_at_paths(term);
        }
        self.with_term.sort_unstable();
        self.with_term.dedup();
        Ok(())
    }

    fn look_at_paths(&mut self, term: &str) {
        // A stem may have lost or changed its last letter; only ASCII words are stemmed.
        let start = match term.is_ascii() {
            true => &term[..term.len().saturating_sub(1).max(term.len().min(2))],
            false => term,
        };
        for (file, path) in self.paths.iter().enumerate() {
            if !path.contains(start) {
                continue;
            }
            let terms = PathTerms::of(self.live[file].path);
            let has = |terms: &[String]| terms.iter().any(|one| one == term);
            let found = (has(&terms.stem), has(&terms.folders));
            if found != (false, false) {
                self.in_path[file] = found;
                self.with_term.push(file);
            }
        }
    }

    /// Returns the rarity of a term: higher if fewer files contain it. For code, if fewer functions
    /// do: in a project of ten files, every file contains most words.
    fn rarity(&self, ranking: Ranking) -> f64 {
        let (mut all, mut with) = (self.live.len() as f64, self.with_term.len() as f64);
        if ranking == Ranking::CodeAware {
            let counts = self.with_term.iter().map(|file| self.counts[*file][BODY]);
            let uses: f64 = counts
                .map(|count| f64::from(count.clamp(1, MOST_USES)))
                .sum();
            all = (all * self.means[BODY] / PART_WORDS).max(all);
            with = uses.min(all);
        }
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    /// Returns the factor for the kind of file.
    fn standing(&self, file: usize, weights: &Weights) -> f64 {
        let path = self.live[file].path;
        let mut standing = 1.0;
        if is_aside(path) {
            standing *= weights.aside;
        }
        if is_no_code(path) {
            standing *= weights.no_code;
        }
        let symbols = words_of(self.segments, &self.live[file])[SYMBOLS];
        if is_thin(path) && symbols < self.means[SYMBOLS] / 2.0 {
            standing *= f64::midpoint(1.0, weights.aside);
        }
        standing
    }

    /// Returns the share of the words in a file's name that the question contains.
    fn covered(&self, file: usize, question: &Question) -> f64 {
        let words = stem_words(self.live[file].path);
        let is_in_query = |word: &&String| question.terms().any(|term| term == word.as_str());
        words.iter().filter(is_in_query).count() as f64 / words.len().max(1) as f64
    }

    fn term_score(&self, file: usize, ranking: Ranking, weights: &Weights) -> f64 {
        let counts = self.counts[file].map(f64::from);
        let words = words_of(self.segments, &self.live[file]);
        match ranking {
            Ranking::Bm25 => {
                let (k, b) = (1.2, 0.75);
                let length = 1.0 - b + b * words[BODY] / self.means[BODY];
                counts[BODY] * (k + 1.0) / (counts[BODY] + k * length)
            }
            Ranking::TfIdf => {
                let length = words[BODY].max(1.0).sqrt();
                (1.0 + counts[BODY]).ln() / length
            }
            Ranking::CodeAware => {
                let counts = counts.map(|count| count.min(f64::from(MOST_USES)));
                let mut together = 0.0;
                for field in 0..FIELDS {
                    let b = weights.lengths[field];
                    let length = 1.0 - b + b * words[field] / self.means[field];
                    together += weights.fields[field] * counts[field] / length;
                }
                let (in_stem, in_folder) = self.in_path[file];
                together += if in_stem { weights.stem } else { 0.0 };
                together += if in_folder { weights.folder } else { 0.0 };
                together / (weights.saturation + together)
            }
        }
    }
}

fn words_of<B: AsRef<[u8]>>(segments: &[&Segment<B>], live: &Live<'_>) -> [f64; FIELDS] {
    let segment = segments.get(live.segment);
    let words = segment.map_or([0; FIELDS], |segment| segment.word_counts(live.content));
    words.map(f64::from)
}

#[cfg(test)]
mod tests {
    use loom_base::ContentHash;

    use super::*;
    use crate::{Contents, SegmentBuilder};

    /// Returns the scores of texts for a question.
    fn scores(question: &str, texts: &[&str], ranking: Ranking) -> Vec<f64> {
        let mut builder = SegmentBuilder::default();
        for (number, text) in texts.iter().enumerate() {
            builder.add(&Contents {
                hash: ContentHash::from_bytes([number as u8; 32]),
                text,
                seen_as: 0,
                is_always: false,
                symbols: &[],
                comments: &[],
            });
        }
        let segment = Segment::open(builder.finish()).unwrap();
        let live = (0..texts.len()).map(|content| Live {
            path: "a.rs",
            segment: 0,
            content,
        });
        let live: Vec<Live<'_>> = live.collect();
        let question = Question::new(question);
        let ranked = rank(&question, &[&segment], &live, ranking, &Weights::default()).unwrap();
        let mut scores = vec![0.0; texts.len()];
        for one in ranked.files {
            scores[one.file] = one.score;
        }
        scores
    }

    /// Textbook definitions, calculated by hand.
    #[test]
    fn bm25_and_tfidf_match_their_definitions() {
        let many = "word ".repeat(30);
        let texts = ["word alpha alpha", &many, "beta beta beta", "beta"];
        let rarity = (1.0_f64 + (4.0 - 2.0 + 0.5) / (2.0 + 0.5)).ln();
        let mean = (3.0 + 30.0 + 3.0 + 1.0) / 4.0;
        let bm25 = |count: f64, words: f64| {
            let length = 1.0 - 0.75 + 0.75 * words / mean;
            rarity * count * 2.2 / (count + 1.2 * length)
        };
        let tfidf = |count: f64, words: f64| rarity * (1.0 + count).ln() / words.sqrt();
        let near = |found: Vec<f64>, expected: [f64; 4]| {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        };
        near(
            scores("word", &texts, Ranking::Bm25),
            [bm25(1.0, 3.0), bm25(30.0, 30.0), 0.0, 0.0],
        );
        near(
            scores("word", &texts, Ranking::TfIdf),
            [tfidf(1.0, 3.0), tfidf(30.0, 30.0), 0.0, 0.0],
        );
    }

    fn order(question: &str, ranking: Ranking) -> Vec<&'static str> {
        let files = [
            (
                "src/cookies.rs",
                "fn parse_cookie() {} // reads cookies",
                "parse_cookie",
            ),
            (
                "src/other.rs",
                "fn other() { cookie(); cookie(); cookie(); cookie() }",
                "other",
            ),
            (
                "tests/cookies_test.rs",
                "fn parse_cookie() { cookie(); cookie() }",
                "parse_cookie",
            ),
            ("src/none.rs", "fn none() {}", "none"),
        ];
        let mut builder = SegmentBuilder::default();
        for (number, (_, text, symbol)) in files.iter().enumerate() {
            builder.add(&Contents {
                hash: ContentHash::from_bytes([number as u8; 32]),
                text,
                seen_as: 0,
                is_always: false,
                symbols: &[(*symbol).to_owned()],
                comments: &[],
            });
        }
        let segment = Segment::open(builder.finish()).unwrap();
        let live: Vec<_> = files
            .iter()
            .enumerate()
            .map(|(content, (path, ..))| Live {
                path,
                segment: 0,
                content,
            })
            .collect();
        let question = Question::new(question);
        let ranked = rank(&question, &[&segment], &live, ranking, &Weights::default()).unwrap();
        ranked.files.iter().map(|one| files[one.file].0).collect()
    }

    #[test]
    fn names_and_paths_count() {
        let found = order("how are cookies parsed", Ranking::CodeAware);
        assert_eq!(
            found,
            ["src/cookies.rs", "tests/cookies_test.rs", "src/other.rs"]
        );
        assert_eq!(order("cookie", Ranking::Bm25)[0], "src/other.rs");
        assert_eq!(order("cookie", Ranking::TfIdf).len(), 3);
        assert!(order("the", Ranking::CodeAware).is_empty());
    }
}
