//! Encoding of windows in rounds: one pass from left to right merges all pairs of the lowest rank.
//! A merge never creates a pair of a lower rank than its own, because both halves of a token have
//! lower ids, so each rank is processed once.
//!
//! Equal neighbours are stored as one run. Only long tokens need wide windows, and those are nearly
//! always rows of one character: blanks, rules. After few rounds, few runs remain of such text.

use std::mem;

use super::Merges;
use super::merges::NEVER;
use super::row::Run;

/// Steps per byte after which another method is faster.
const PATIENCE: usize = 24;

/// Adjacent equal parts.
#[derive(Clone, Copy)]
struct Parts {
    run: Run,
    /// Rank of one part with the next, if there are two.
    inside: u32,
    /// Rank of the last part with the part after the run.
    behind: u32,
}

/// Window that is being encoded; its memory is reused.
pub(crate) struct Rounds<'a> {
    merges: &'a Merges,
    parts: Vec<Parts>,
    /// Parts at the start of the last round.
    before: Vec<Parts>,
    /// Lowest rank of all.
    lowest: u32,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(merges: &'a Merges) -> Self {
        Self {
            merges,
            parts: Vec::new(),
            before: Vec::new(),
            lowest: NEVER,
        }
    }

    /// Returns the tokens of `window`, or `None` if that takes too many steps.
    pub(crate) fn encode(&mut self, window: &[u8]) -> Option<Vec<Run>> {
        self.split(window);
        let mut steps = 0;
        while self.lowest != NEVER {
            steps += self.parts.len();
            if steps > PATIENCE * window.len() {
                return None;
            }
            self.merge();
        }
        Some(self.parts.iter().map(|parts| parts.run).collect())
    }

    fn split(&mut self, window: &[u8]) {
        self.parts.clear();
        self.lowest = NEVER;
        let mut before = None;
        for bytes in window.chunk_by(|a, b| a == b) {
            let byte = bytes[0];
            let behind = before.map(|before| self.merges.byte_pair(before, byte));
            let run = Run::new(self.merges.byte(byte), bytes.len());
            self.push(run, self.merges.byte_pair(byte, byte), behind);
            before = Some(byte);
        }
    }

    /// Runs one round.
    fn merge(&mut self) {
        let made = mem::replace(&mut self.lowest, NEVER);
        let inside = self.merges.pair(made, made);
        mem::swap(&mut self.parts, &mut self.before);
        self.parts.clear();
        let before = mem::take(&mut self.before);
        // The number of parts of a run that merged with the part before it, and the rank of two
        // adjacent parts that did not merge.
        let (mut taken, mut seam) = (0, None);
        for old in &before {
            let Run { id, count } = old.run;
            let count = count - mem::take(&mut taken);
            let known = seam.take();
            if count > 1 && old.inside == made {
                self.push(Run::new(made, count / 2), inside, None);
                if count % 2 == 1 {
                    self.push(Run::new(id, 1), old.inside, None);
                    seam = Some(old.behind);
                }
            } else if count > 0 && old.behind == made {
                if count > 1 {
                    self.push(Run::new(id, count - 1), old.inside, known);
                }
                self.push(Run::new(made, 1), inside, None);
                taken = 1;
            } else if count > 0 {
                self.push(Run::new(id, count), old.inside, known);
                seam = Some(old.behind);
            }
        }
        self.before = before;
    }

    /// Appends a run. The last argument is the rank of the part before the run with its first part,
    /// if known.
    #[inline(always)]
    fn push(&mut self, run: Run, inside: u32, behind: Option<u32>) {
        let mut parts = Parts {
            run,
            inside,
            behind: NEVER,
        };
        match self.parts.last_mut() {
            Some(last) if last.run.id == run.id => {
                last.run.count += run.count;
                parts.run.count = last.run.count;
            }
            Some(last) => {
                last.behind = behind.unwrap_or_else(|| self.merges.pair(last.run.id, run.id));
                self.lowest = self.lowest.min(last.behind);
                self.parts.push(parts);
            }
            None => self.parts.push(parts),
        }
        if parts.run.count > 1 {
            self.lowest = self.lowest.min(inside);
        }
    }
}
