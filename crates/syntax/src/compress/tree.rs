//! Compression with a grammar: plans edits from the tree, applies them, and uses a weaker level if
//! the grammar could not parse the result.

use std::collections::HashMap;
use std::ops::Range;

use super::draft::{Check, Draft};
use super::edit::{Edit, apply, settled};
use super::extreme::extreme;
use super::plan::{Plan, is_local};
use super::space::Space;
use super::tree_facts;
use super::{Compressed, Compression, Level};
use crate::embedded::Region;
use crate::limits::Limits;
use crate::{Structure, embedded, parser, refuse};

/// Compresses the text; returns `None` if the language has no grammar or the text is not parsed.
pub(super) fn compressed(
    id: &'static str,
    text: &str,
    how: &Compression,
    limits: &Limits,
) -> Option<Compressed> {
    let id = readable(id, text, limits)?;
    let mut how = *how;
    loop {
        let mut read = Read::new(id, text, &[how], limits)?;
        let result = read.results(text).pop()?;
        if is_plain(&how) || result.level == Level::Extreme {
            return Some(result);
        }
        let is_sound = match read.was_clean {
            true => parser::is_clean(id, &result.text, limits),
            // The ends of statements are guesses in such a text.
            false => {
                result.level <= Level::Balanced
                    && keeps_symbols(id, &read.structure, &result, limits)
            }
        };
        if is_sound {
            return Some(result);
        }
        // The last step changes only white space.
        how.remove_comments &= how.level > Level::Minimal;
        how.level = how.level.gentler().max(Level::Minimal.min(how.level));
    }
}

/// Returns the unchecked results for each of these options from a single parse; `None` if the text
/// is not parsed.
pub(super) fn drafts(
    id: &'static str,
    text: &str,
    ways: &[Compression],
    limits: &Limits,
) -> Option<Vec<Draft>> {
    let id = readable(id, text, limits)?;
    let mut read = Read::new(id, text, ways, limits)?;
    let was_clean = read.was_clean;
    let drafts = read.results(text).into_iter().zip(ways);
    let draft = |(compressed, how): (Compressed, &Compression)| {
        let is_plain = is_plain(how) || compressed.level == Level::Extreme;
        Draft {
            compressed: compressed.requested_with_grammar(how.level),
            how: *how,
            check: match is_plain {
                true => Check::Done,
                false if was_clean => Check::Parse(id),
                false => Check::Again,
            },
        }
    };
    Some(drafts.map(draft).collect())
}

/// Returns whether only white space and the licence are elided.
fn is_plain(how: &Compression) -> bool {
    how.level <= Level::Minimal && !how.remove_comments
}

/// Returns the dialect in which the text is parsed, if it is.
fn readable(id: &'static str, text: &str, limits: &Limits) -> Option<&'static str> {
    let is_parsed = parser::knows(id) && refuse::reason(id, text, limits).is_none();
    is_parsed.then(|| parser::dialect(id, text))
}

/// Returns whether a text that the grammar parses only partly still has the same symbols. A parser
/// that recovers from errors may guess differently after an edit.
fn keeps_symbols(
    id: &'static str,
    before: &Structure,
    result: &Compressed,
    limits: &Limits,
) -> bool {
    let after = parser::structure(id, &result.text, limits).unwrap_or_default();
    let mut left: HashMap<&str, usize> = HashMap::new();
    for symbol in &after.symbols {
        *left.entry(&symbol.qualified).or_default() += 1;
    }
    let mut symbols = before.symbols.iter().enumerate();
    symbols.all(|(at, symbol)| {
        let is_promised = result.level <= Level::Balanced || !is_local(before, at);
        let count = left.entry(&symbol.qualified).or_default();
        let is_there = *count > 0;
        *count = count.saturating_sub(1);
        is_there || !is_promised
    })
}

/// Parsed text, with the planned edits of each compression.
struct Read {
    id: &'static str,
    structure: Structure,
    /// Ranges in which newlines are part of a string.
    protected: Vec<Range<usize>>,
    regions: Vec<Region>,
    /// True if the grammar parses all of it.
    was_clean: bool,
    planned: Vec<PlannedEdits>,
}

/// Edits of one compression.
struct PlannedEdits {
    how: Compression,
    edits: Vec<Edit>,
    intact: Vec<Range<usize>>,
    /// Text with one line per symbol, if requested.
    short: Option<Compressed>,
}

impl Read {
    fn new(id: &'static str, text: &str, ways: &[Compression], limits: &Limits) -> Option<Self> {
        let mut read = Self::without_embedded(id, text, ways, limits)?;
        if embedded::is_host(id) && id != "markdown" {
            read.embed(text, ways, limits);
        }
        Some(read)
    }

    /// Parses without the parts in other languages.
    fn without_embedded(
        id: &'static str,
        text: &str,
        ways: &[Compression],
        limits: &Limits,
    ) -> Option<Self> {
        parser::with_tree(id, text, limits, |root, spec, structure, regions| {
            let facts = tree_facts::collect(root, spec, text, &structure, limits);
            let planned = ways.iter().map(|how| {
                let level = how.level.min(Level::Aggressive);
                let plan = Plan::new(text, id, how, level, &structure, &facts).run(&facts);
                let short = match how.level {
                    Level::Extreme => extreme(&plan, &facts),
                    _ => None,
                };
                PlannedEdits {
                    how: *how,
                    short,
                    edits: plan.edits,
                    intact: plan.intact,
                }
            });
            Self {
                id,
                planned: planned.collect(),
                protected: facts.protected,
                regions,
                was_clean: !root.has_error(),
                structure,
            }
        })
    }

    /// Adds the edits of scripts and styles inside a page.
    fn embed(&mut self, text: &str, ways: &[Compression], limits: &Limits) {
        for region in std::mem::take(&mut self.regions) {
            let span = region.span.range();
            let Some(inner) = text.get(span.clone()) else {
                continue;
            };
            if refuse::reason(region.language, inner, limits).is_some() {
                continue;
            }
            let Some(part) = Self::without_embedded(region.language, inner, ways, limits) else {
                continue;
            };
            let moved = |range: Range<usize>| range.start + span.start..range.end + span.start;
            self.protected.retain(|range| *range != span);
            self.protected.extend(part.protected.into_iter().map(moved));
            for (planned, part) in self.planned.iter_mut().zip(part.planned) {
                planned.intact.extend(part.intact.into_iter().map(moved));
                planned
                    .edits
                    .extend(part.edits.into_iter().map(|edit| Edit {
                        span: moved(edit.span),
                        kept: edit.kept.into_iter().map(moved).collect(),
                        ..edit
                    }));
            }
        }
        self.protected.sort_by_key(|range| range.start);
    }

    /// Returns the result of each compression.
    fn results(&mut self, text: &str) -> Vec<Compressed> {
        let planned = std::mem::take(&mut self.planned).into_iter();
        planned.map(|planned| self.result(text, planned)).collect()
    }

    fn result(&self, text: &str, planned: PlannedEdits) -> Compressed {
        let how = &planned.how;
        let mut space = match how.level {
            Level::None => Space::KEPT,
            _ => Space::of_grammar(self.id, text),
        };
        if how.minify_whitespace {
            space = Space::of_grammar(self.id, text).minified(self.id, text);
        }
        let edits = settled(planned.edits, &planned.intact);
        let mut result = apply(text, &edits, &self.protected, space);
        result.level = how.level.min(Level::Aggressive);
        // Names and markers take more tokens per byte than prose and code.
        let is_worth_it = |short: &Compressed| short.text.len() < result.text.len() / 5 * 4;
        planned.short.filter(is_worth_it).unwrap_or(result)
    }
}
