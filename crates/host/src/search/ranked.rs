//! Answers a question with the most relevant files and the most relevant lines of each.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use loom_base::ContentHash;
use loom_lookup::{Keep, RankOptions, RankedHit, best_part, lines_of, names_for_others};
use loom_search::{Evidence, Live, Question, Ranked, Ranking, Scored, blend, rank};
use loom_secrets::Finding;
use loom_syntax::{Language, Symbol};

use super::searcher::{AHEAD, IndexState, Searcher};
use crate::ordered::ordered;
use crate::{Cancel, PackError, RepoPath};

/// Number of top files that are read to find the relevant lines.
const READ: usize = 40;
/// Number of top files for which the uses of their definitions are counted.
const WEIGHED: usize = 20;

impl Searcher {
    /// Returns the files that answer `question` best. It skips files that are not indexed: open the
    /// searcher with [`IndexUse::Update`](super::IndexUse).
    pub fn rank(&self, question: &str, options: &RankOptions) -> Vec<RankedHit> {
        let ranked = self.rank_among(question, options, |_| true, &Cancel::new());
        ranked.unwrap_or_default()
    }

    /// Ranks the files whose path `is_wanted` selects.
    ///
    /// # Errors
    /// If the caller cancels.
    pub fn rank_among(
        &self,
        question: &str,
        options: &RankOptions,
        is_wanted: impl Fn(&RepoPath) -> bool,
        cancel: &Cancel,
    ) -> Result<Vec<RankedHit>, PackError> {
        let question = Question::new(question);
        let (mut live, mut numbers) = (Vec::new(), Vec::new());
        let shown: Vec<_> = self.files.iter().map(|file| file.path.display()).collect();
        for (number, known) in self.known.iter().enumerate() {
            if let IndexState::Indexed(place) = *known
                && is_wanted(&self.files[number].path)
            {
                live.push(Live {
                    path: &shown[number],
                    segment: place.segment as usize,
                    content: place.content as usize,
                });
                numbers.push(number);
            }
        }
        let segments: Vec<_> = self.index.segments().collect();
        // A damaged index is found and rebuilt when it is opened next.
        let ranked = rank(
            &question,
            &segments,
            &live,
            options.ranking,
            &options.weights,
        );
        let ranked = ranked.unwrap_or_default();
        let mut hits = self.with_parts(&question, &ranked, &numbers, options, cancel);
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        hits.truncate(options.limit);
        Ok(hits)
    }

    fn with_parts(
        &self,
        question: &Question,
        ranked: &Ranked,
        numbers: &[usize],
        options: &RankOptions,
        cancel: &Cancel,
    ) -> Vec<RankedHit> {
        let wanted = self.to_read(question, ranked, numbers, options);
        let mut read: Vec<(RankedHit, Evidence)> = Vec::with_capacity(wanted.len());
        let work = |at: usize| {
            let scored = &ranked.files[wanted[at]];
            let number = numbers[scored.file];
            let (hit, symbols, mut evidence) = self.hit(question, ranked, scored, number);
            evidence.rank = wanted[at];
            if at < WEIGHED {
                evidence.importance = self.importance(&symbols);
            }
            (hit, evidence)
        };
        let threads = self.packer.options.thread_count();
        ordered(
            wanted.len(),
            threads,
            AHEAD,
            |_| 1,
            work,
            |_, one| {
                read.push(one);
                match cancel.is_cancelled() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        let (mut hits, evidence): (Vec<RankedHit>, Vec<Evidence>) = read.into_iter().unzip();
        if options.ranking != Ranking::CodeAware {
            return hits;
        }
        let scores = blend(question, ranked, &evidence, options.part);
        for (hit, score) in hits.iter_mut().zip(scores) {
            hit.score = score;
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits
    }

    /// Returns the ranks of the files to read: the first ones, and those that define a name of the
    /// question.
    fn to_read(
        &self,
        question: &Question,
        ranked: &Ranked,
        numbers: &[usize],
        options: &RankOptions,
    ) -> Vec<usize> {
        let first = options.limit.max(READ).min(ranked.files.len());
        let mut wanted: Vec<usize> = (0..first).collect();
        if options.ranking != Ranking::CodeAware || first == ranked.files.len() {
            return wanted;
        }
        let names = question.names().iter();
        let defining: HashSet<usize> = names.flat_map(|name| self.defining(&name.text)).collect();
        let rest = (first..ranked.files.len())
            .filter(|rank| defining.contains(&numbers[ranked.files[*rank].file]));
        wanted.extend(rest.take(READ));
        wanted
    }

    /// Returns a file with its most relevant lines, and other evidence for its relevance.
    fn hit(
        &self,
        question: &Question,
        ranked: &Ranked,
        scored: &Scored,
        number: usize,
    ) -> (RankedHit, Arc<[Symbol]>, Evidence) {
        let found = &self.files[number];
        let mut hit = RankedHit {
            path: found.path.clone(),
            score: scored.score,
            start_line: 1,
            end_line: 1,
            symbol: None,
            has_secret: false,
        };
        let mut evidence = Evidence::default();
        let Some(file) = self.text(number, Keep::Yes) else {
            return (hit, Arc::default(), evidence);
        };
        let findings = self.findings(number, &file);
        let secrets = lines_of(&findings, &file.text);
        // The rank must not depend on a secret that is hidden.
        let file = self.without(&findings, file);
        let symbols = self.symbols_of(number, &file.text, &findings);
        let best = best_part(question, ranked, &found.path, &file.text, &symbols);
        evidence = best.evidence;
        if let Some(lines) = best.lines {
            (hit.start_line, hit.end_line) = (*lines.start(), *lines.end());
            hit.symbol = best.symbol.map(|at| symbols[at].qualified.clone());
        }
        let shown = hit.start_line..=hit.end_line;
        hit.has_secret = secrets.iter().any(|line| shown.contains(line));
        (hit, symbols, evidence)
    }

    /// Returns the symbols of a shown text. Those of a text without secrets are cached.
    fn symbols_of(&self, number: usize, text: &str, findings: &[Finding]) -> Arc<[Symbol]> {
        let Some(language) = Language::detect(&self.files[number].path, text) else {
            return Arc::default();
        };
        let packer = &self.packer;
        let make = || {
            let limits = packer.options.parse_limits();
            packer.extract(language, text, &limits).symbols
        };
        match findings.is_empty() {
            true => {
                let hash = ContentHash::from_bytes(*blake3::hash(text.as_bytes()).as_bytes());
                self.symbols.get((hash, language.id()), make)
            }
            false => make().into(),
        }
    }

    /// Returns the importance of a file: the number of files that use its most frequent public
    /// name, on a logarithmic scale from 0 to 1.
    fn importance(&self, symbols: &[Symbol]) -> f64 {
        let names = names_for_others(symbols).into_iter();
        let most = names.map(|name| self.naming(name).len()).max().unwrap_or(0);
        (1.0 + most as f64).ln() / (2.0 + self.files.len() as f64).ln()
    }
}
