//! Compressing with a grammar: makes a plan from the tree, carries it out, and takes a
//! gentler level where the grammar would no longer read the result.

use std::collections::HashMap;
use std::ops::Range;

use super::edit::{Edit, apply, settled};
use super::extreme::extreme;
use super::look::look;
use super::plan::{Plan, is_local};
use super::space::Space;
use super::{Compressed, Compression, Level};
use crate::embedded::Region;
use crate::limits::Limits;
use crate::{Structure, parser, refuse};

/// The compressed text; `None` where the language has no grammar or the text is not
/// parsed.
pub(super) fn compressed(
    id: &'static str,
    text: &str,
    how: &Compression,
    limits: &Limits,
) -> Option<Compressed> {
    if !parser::knows(id) || refuse::reason(id, text, limits).is_some() {
        return None;
    }
    let id = parser::dialect(id, text);
    let mut how = *how;
    loop {
        let attempt = attempt(id, text, &how, limits)?;
        let is_plain = how.level <= Level::Minimal && !how.remove_comments;
        if is_plain || attempt.result.level == Level::Extreme {
            return Some(attempt.result);
        }
        let is_sound = match attempt.was_clean {
            true => parser::is_clean(id, &attempt.result.text, limits),
            // Where a statement ends is a guess in such a text.
            false => {
                attempt.result.level <= Level::Balanced
                    && keeps_symbols(id, text, &attempt.result, limits)
            }
        };
        if is_sound {
            return Some(attempt.result);
        }
        // The last step changes nothing but white space.
        how.remove_comments &= how.level > Level::Minimal;
        how.level = how.level.gentler().max(Level::Minimal.min(how.level));
    }
}

/// Whether a text that the grammar reads only in part still shows the same symbols: a
/// parser that guesses may guess otherwise when something is gone.
fn keeps_symbols(id: &'static str, text: &str, result: &Compressed, limits: &Limits) -> bool {
    let find = |text: &str| parser::structure(id, text, limits).unwrap_or_default();
    let (before, after) = (find(text), find(&result.text));
    let mut left: HashMap<&str, usize> = HashMap::new();
    for symbol in &after.symbols {
        *left.entry(&symbol.qualified).or_default() += 1;
    }
    let mut symbols = before.symbols.iter().enumerate();
    symbols.all(|(at, symbol)| {
        let is_promised = result.level <= Level::Balanced || !is_local(&before, at);
        let left = left.get_mut(symbol.qualified.as_str());
        let is_there = left.is_some_and(|left| {
            *left = left.saturating_sub(1);
            true
        });
        is_there || !is_promised
    })
}

struct Attempt {
    result: Compressed,
    /// Whether the grammar read the text before.
    was_clean: bool,
}

fn attempt(id: &'static str, text: &str, how: &Compression, limits: &Limits) -> Option<Attempt> {
    let is_host = matches!(id, "markdown" | "html" | "vue" | "svelte");
    let whole = is_host
        .then(|| parser::structure(id, text, limits))
        .flatten();
    let mut found = gather(id, text, how, limits, whole.as_ref())?;
    let short = found.short.take();
    if is_host && id != "markdown" {
        found.embed(text, how, limits);
    }
    let mut space = match how.level {
        Level::None => Space::KEPT,
        _ => Space::of_grammar(id, text),
    };
    if how.minify_whitespace {
        space = Space::of_grammar(id, text).minified(id, text);
    }
    let edits = settled(found.edits, &found.intact);
    let mut result = apply(text, &edits, &found.protected, space);
    result.level = how.level.min(Level::Aggressive);
    // Names and marks take more tokens for their bytes than prose and code do.
    if let Some(short) = short.filter(|short| short.text.len() < result.text.len() / 5 * 4) {
        result = short;
    }
    Some(Attempt {
        result,
        was_clean: found.was_clean,
    })
}

/// What one tree asks for.
struct Found {
    edits: Vec<Edit>,
    intact: Vec<Range<usize>>,
    protected: Vec<Range<usize>>,
    regions: Vec<Region>,
    /// One line a symbol, where that was asked for.
    short: Option<Compressed>,
    was_clean: bool,
}

fn gather(
    id: &'static str,
    text: &str,
    how: &Compression,
    limits: &Limits,
    whole: Option<&Structure>,
) -> Option<Found> {
    parser::with_tree(id, text, limits, |root, spec, structure, regions| {
        let structure = whole.unwrap_or(&structure);
        let look = look(root, spec, structure, limits);
        let level = how.level.min(Level::Aggressive);
        let plan = Plan::new(text, id, how, level, structure).run(&look);
        let short = match how.level {
            Level::Extreme => extreme(&plan),
            _ => None,
        };
        Found {
            short,
            edits: plan.edits,
            intact: plan.intact,
            protected: look.protected,
            regions,
            was_clean: !root.has_error(),
        }
    })
}

impl Found {
    /// Adds what scripts and styles inside a page ask for.
    fn embed(&mut self, text: &str, how: &Compression, limits: &Limits) {
        for region in std::mem::take(&mut self.regions) {
            let span = region.span.range();
            let Some(inner) = text.get(span.clone()) else {
                continue;
            };
            if refuse::reason(region.language, inner, limits).is_some() {
                continue;
            }
            let Some(part) = gather(region.language, inner, how, limits, None) else {
                continue;
            };
            let moved = |range: Range<usize>| range.start + span.start..range.end + span.start;
            self.protected.retain(|range| *range != span);
            self.protected.extend(part.protected.into_iter().map(moved));
            self.intact.extend(part.intact.into_iter().map(moved));
            self.edits.extend(part.edits.into_iter().map(|edit| Edit {
                span: moved(edit.span),
                kept: edit.kept.into_iter().map(moved).collect(),
                ..edit
            }));
        }
        self.protected.sort_by_key(|range| range.start);
    }
}
