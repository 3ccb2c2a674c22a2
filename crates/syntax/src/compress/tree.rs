//! Compressing with a grammar: makes a plan from the tree, carries it out, and takes a
//! gentler level where the grammar would no longer read the result.

use std::collections::HashMap;
use std::ops::Range;

use super::draft::{Check, Draft};
use super::edit::{Edit, apply, settled};
use super::extreme::extreme;
use super::look::look;
use super::plan::{Plan, is_local};
use super::space::Space;
use super::{Compressed, Compression, Level};
use crate::embedded::Region;
use crate::limits::Limits;
use crate::{Structure, embedded, parser, refuse};

/// The compressed text; `None` where the language has no grammar or the text is not
/// parsed.
pub(super) fn compressed(
    id: &'static str,
    text: &str,
    how: &Compression,
    limits: &Limits,
) -> Option<Compressed> {
    let id = readable(id, text, limits)?;
    let mut how = *how;
    loop {
        let mut read = Read::of(id, text, &[how], limits)?;
        let result = read.results(text).pop()?;
        if is_plain(&how) || result.level == Level::Extreme {
            return Some(result);
        }
        let is_sound = match read.was_clean {
            true => parser::is_clean(id, &result.text, limits),
            // Where a statement ends is a guess in such a text.
            false => {
                result.level <= Level::Balanced
                    && keeps_symbols(id, &read.structure, &result, limits)
            }
        };
        if is_sound {
            return Some(result);
        }
        // The last step changes nothing but white space.
        how.remove_comments &= how.level > Level::Minimal;
        how.level = how.level.gentler().max(Level::Minimal.min(how.level));
    }
}

/// What each of those ways would leave, read once and not checked; `None` where the
/// text is not parsed.
pub(super) fn drafts(
    id: &'static str,
    text: &str,
    ways: &[Compression],
    limits: &Limits,
) -> Option<Vec<Draft>> {
    let id = readable(id, text, limits)?;
    let mut read = Read::of(id, text, ways, limits)?;
    let was_clean = read.was_clean;
    let drafts = read.results(text).into_iter().zip(ways);
    let draft = |(compressed, how): (Compressed, &Compression)| {
        let is_plain = is_plain(how) || compressed.level == Level::Extreme;
        Draft {
            compressed: compressed.asked_of_grammar(how.level),
            how: *how,
            check: match is_plain {
                true => Check::Done,
                false if was_clean => Check::Parse(id),
                false => Check::Anew,
            },
        }
    };
    Some(drafts.map(draft).collect())
}

/// Whether nothing goes but white space and the licence.
fn is_plain(how: &Compression) -> bool {
    how.level <= Level::Minimal && !how.remove_comments
}

/// The dialect in which the text is parsed, where it is.
fn readable(id: &'static str, text: &str, limits: &Limits) -> Option<&'static str> {
    let is_parsed = parser::knows(id) && refuse::reason(id, text, limits).is_none();
    is_parsed.then(|| parser::dialect(id, text))
}

/// Whether a text that the grammar reads only in part still shows the same symbols: a
/// parser that guesses may guess otherwise when something is gone.
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

/// A text that was parsed once, and what each way of compressing asks for.
struct Read {
    id: &'static str,
    structure: Structure,
    /// Where line ends are part of a string.
    protected: Vec<Range<usize>>,
    regions: Vec<Region>,
    /// Whether the grammar reads all of it.
    was_clean: bool,
    asked: Vec<Asked>,
}

/// What one way of compressing asks for.
struct Asked {
    how: Compression,
    edits: Vec<Edit>,
    intact: Vec<Range<usize>>,
    /// One line a symbol, where that was asked for.
    short: Option<Compressed>,
}

impl Read {
    fn of(id: &'static str, text: &str, ways: &[Compression], limits: &Limits) -> Option<Self> {
        let mut read = Self::alone(id, text, ways, limits)?;
        if embedded::is_host(id) && id != "markdown" {
            read.embed(text, ways, limits);
        }
        Some(read)
    }

    /// Without the parts in other languages.
    fn alone(id: &'static str, text: &str, ways: &[Compression], limits: &Limits) -> Option<Self> {
        parser::with_tree(id, text, limits, |root, spec, structure, regions| {
            let look = look(root, spec, text, &structure, limits);
            let asked = ways.iter().map(|how| {
                let level = how.level.min(Level::Aggressive);
                let plan = Plan::new(text, id, how, level, &structure, &look).run(&look);
                let short = match how.level {
                    Level::Extreme => extreme(&plan, &look),
                    _ => None,
                };
                Asked {
                    how: *how,
                    short,
                    edits: plan.edits,
                    intact: plan.intact,
                }
            });
            Self {
                id,
                asked: asked.collect(),
                protected: look.protected,
                regions,
                was_clean: !root.has_error(),
                structure,
            }
        })
    }

    /// Adds what scripts and styles inside a page ask for.
    fn embed(&mut self, text: &str, ways: &[Compression], limits: &Limits) {
        for region in std::mem::take(&mut self.regions) {
            let span = region.span.range();
            let Some(inner) = text.get(span.clone()) else {
                continue;
            };
            if refuse::reason(region.language, inner, limits).is_some() {
                continue;
            }
            let Some(part) = Self::alone(region.language, inner, ways, limits) else {
                continue;
            };
            let moved = |range: Range<usize>| range.start + span.start..range.end + span.start;
            self.protected.retain(|range| *range != span);
            self.protected.extend(part.protected.into_iter().map(moved));
            for (asked, part) in self.asked.iter_mut().zip(part.asked) {
                asked.intact.extend(part.intact.into_iter().map(moved));
                asked.edits.extend(part.edits.into_iter().map(|edit| Edit {
                    span: moved(edit.span),
                    kept: edit.kept.into_iter().map(moved).collect(),
                    ..edit
                }));
            }
        }
        self.protected.sort_by_key(|range| range.start);
    }

    /// What is left, way by way.
    fn results(&mut self, text: &str) -> Vec<Compressed> {
        let asked = std::mem::take(&mut self.asked).into_iter();
        asked.map(|asked| self.result(text, asked)).collect()
    }

    fn result(&self, text: &str, asked: Asked) -> Compressed {
        let how = &asked.how;
        let mut space = match how.level {
            Level::None => Space::KEPT,
            _ => Space::of_grammar(self.id, text),
        };
        if how.minify_whitespace {
            space = Space::of_grammar(self.id, text).minified(self.id, text);
        }
        let edits = settled(asked.edits, &asked.intact);
        let mut result = apply(text, &edits, &self.protected, space);
        result.level = how.level.min(Level::Aggressive);
        // Names and marks take more tokens for their bytes than prose and code do.
        let is_worth_it = |short: &Compressed| short.text.len() < result.text.len() / 5 * 4;
        asked.short.filter(is_worth_it).unwrap_or(result)
    }
}
