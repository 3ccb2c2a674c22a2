//! Precise references in a query: files by path, locations by stack frame, definitions by name.

use std::collections::BTreeMap;

use loom_program::DefinitionId;
use loom_syntax::SymbolKind;

use super::corpus::Corpus;
use super::query::{Named, ParsedQuery, PathCue};
use super::signals::{Signal, Signals};

/// A name that more definitions share is not a reference.
const MOST_SHARED: usize = 40;

/// Share of a named type's score that its members get.
const MEMBERS: f64 = 0.3;

/// Weight of further names in a file, relative to the most certain one.
const OTHERS: f64 = 0.25;

/// Definitions that a query names, with their certainty: the start of call edges.
pub(super) type Seeds = Vec<(DefinitionId, f64)>;

pub(super) fn score(asked: &ParsedQuery, corpus: &Corpus, signals: &mut Signals) -> Seeds {
    paths(asked, corpus, signals);
    let mut seeds = frames(asked, corpus, signals);
    seeds.extend(names(asked, corpus, signals));
    seeds
}

/// Returns the files that a path can mean, with their shares.
pub(super) fn files_of(cue: &PathCue, corpus: &Corpus) -> Vec<(u32, f64)> {
    let Some(name) = cue.parts.last() else {
        return Vec::new();
    };
    let Some(files) = corpus.by_name.get(&name.to_lowercase()) else {
        return Vec::new();
    };
    let matched = |file: u32| {
        let path = corpus.files[file as usize].path.display().into_owned();
        let theirs = path.rsplit('/');
        let ours = cue.parts.iter().rev();
        theirs
            .zip(ours)
            .take_while(|(a, b)| a.eq_ignore_ascii_case(b))
            .count()
    };
    let most = files.iter().map(|file| matched(*file)).max().unwrap_or(0);
    let best: Vec<u32> = files
        .iter()
        .copied()
        .filter(|file| matched(*file) == most)
        .collect();
    // A user's own `test.py` is not a file of the repository because it has the same name.
    let sure = match (most, cue.parts.len()) {
        (1, 1) => 0.8,
        (1, _) => 0.3,
        _ => 1.0,
    };
    let share = sure / best.len() as f64;
    best.into_iter().map(|file| (file, share)).collect()
}

fn paths(asked: &ParsedQuery, corpus: &Corpus, signals: &mut Signals) {
    for cue in &asked.paths {
        let certainty = if cue.is_by_person { 1.0 } else { 0.4 };
        for (file, share) in files_of(cue, corpus) {
            signals.add_file(file, Signal::Path, certainty * share);
            if let Some(part) = cue.line.and_then(|line| corpus.part_at(file, line as u32)) {
                signals.add_part(part, Signal::Path, certainty * share);
            }
        }
    }
}

fn frames(asked: &ParsedQuery, corpus: &Corpus, signals: &mut Signals) -> Seeds {
    let mut seeds = Vec::new();
    // The innermost frame counts most, each caller less.
    let mut weight = 1.0;
    for frame in &asked.frames {
        let files = files_of(&frame.path, corpus);
        let files: Vec<_> = files
            .into_iter()
            .filter(|(_, share)| *share >= 0.3)
            .collect();
        if files.is_empty() {
            continue;
        }
        for (file, share) in files {
            signals.add_file(file, Signal::Frame, weight * share);
            let by_name = frame.function.as_deref().and_then(|name| {
                let program = corpus.files[file as usize].program?;
                let named = corpus.program.named(name).iter().copied();
                named
                    .filter(|id| corpus.program.definition(*id).file == program)
                    .min_by_key(|id| {
                        // If several definitions have that name, take the closest to the line.
                        let part = corpus
                            .part_of(*id)
                            .map_or(0, |part| corpus.parts[part as usize].first);
                        frame.line.map_or(0, |line| part.abs_diff(line as u32))
                    })
            });
            let part = match by_name {
                Some(id) => corpus.part_of(id),
                None => frame
                    .line
                    .and_then(|line| corpus.part_at(file, line as u32)),
            };
            if let Some(part) = part {
                signals.add_part(part, Signal::Frame, weight * share);
                let id = by_name.or_else(|| corpus.definition_of(part));
                seeds.extend(id.map(|id| (id, 0.6 * weight * share)));
            }
        }
        weight *= 0.7;
    }
    seeds
}

fn names(asked: &ParsedQuery, corpus: &Corpus, signals: &mut Signals) -> Seeds {
    let mut seeds = Vec::new();
    // The most certain name of each file, and the sum of all.
    let mut by_file: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for named in &asked.names {
        module(named, corpus, signals);
        let (found, sure) = definitions(named, corpus);
        if found.is_empty() || found.len() > MOST_SHARED {
            continue;
        }
        let each = named.weight * sure / (found.len() as f64).sqrt();
        let mut last = None;
        for id in found {
            let Some(part) = corpus.part_of(id) else {
                continue;
            };
            let share = each * worth(corpus.program.definition(id).kind);
            signals.add_part(part, Signal::Definition, share);
            let file = corpus.parts[part as usize].file;
            if last != Some(file) {
                let (best, sum) = by_file.entry(file).or_default();
                *best = best.max(share);
                *sum += share;
            }
            last = Some(file);
            members(id, share * MEMBERS, corpus, signals);
            seeds.push((id, each));
        }
    }
    for (file, (best, sum)) in by_file {
        signals.add_file(file, Signal::Definition, best + OTHERS * (sum - best));
    }
    seeds
}

/// Returns the weight of a definition kind for locating a fix: code counts more than a declaration.
fn worth(kind: SymbolKind) -> f64 {
    match kind {
        kind if kind.is_function() => 1.0,
        SymbolKind::Class | SymbolKind::Struct | SymbolKind::Impl | SymbolKind::Macro => 0.7,
        _ => 0.4,
    }
}

/// A query that names a type usually means one of its members.
fn members(id: DefinitionId, share: f64, corpus: &Corpus, signals: &mut Signals) {
    let definition = corpus.program.definition(id);
    if !definition.kind.is_type() {
        return;
    }
    let head = corpus.part_of(id);
    let mut last = head;
    for other in corpus.program.of_file(definition.file) {
        let is_member = corpus.program.parent(other) == Some(id);
        let part = corpus.part_of(other).filter(|_| is_member);
        if let Some(part) = part.filter(|part| Some(*part) != last && Some(*part) != head) {
            signals.add_part(part, Signal::Definition, share);
            last = Some(part);
        }
    }
}

/// Returns the definitions that a name can mean, with their certainty.
fn definitions(named: &Named, corpus: &Corpus) -> (Vec<DefinitionId>, f64) {
    let program = &corpus.program;
    let all = program.named(&named.name).iter().copied();
    let mut found: Vec<DefinitionId> = all.filter(|id| !program.definition(*id).is_test).collect();
    let is_common =
        named.name.len() <= 3 || named.name.chars().all(char::is_lowercase) && named.name.len() < 6;
    let sure = if is_common && named.before.is_empty() {
        0.5
    } else {
        1.0
    };
    if let Some(before) = named.before.last() {
        let fits = |id: &DefinitionId| {
            let owner = program.owner(*id) == Some(before);
            let path = program
                .path(program.definition(*id).file)
                .display()
                .into_owned();
            let stem = path
                .rsplit('/')
                .next()
                .and_then(|name| name.split('.').next());
            owner || stem == Some(before) || path.rsplit('/').nth(1) == Some(before)
        };
        let fitting: Vec<_> = found.iter().copied().filter(fits).collect();
        if !fitting.is_empty() {
            return (fitting, 1.3);
        }
        // A member of something unknown, most likely of a value.
        return (
            found,
            if found_few(named, corpus) {
                sure * 0.6
            } else {
                0.2
            },
        );
    }
    found.sort_unstable();
    (found, sure)
}

fn found_few(named: &Named, corpus: &Corpus) -> bool {
    corpus.program.named(&named.name).len() <= 4
}

/// Resolves a dotted name as a module: `pkg.sub.name` is `pkg/sub/name.py` or a name in
/// `pkg/sub.py`.
fn module(named: &Named, corpus: &Corpus, signals: &mut Signals) {
    if named.before.is_empty() {
        return;
    }
    let mut parts: Vec<&str> = named.before.iter().map(String::as_str).collect();
    parts.push(&named.name);
    // The first component is the package, which is the whole repository.
    for (at, stem) in parts.iter().enumerate().skip(1).rev() {
        let folder = parts[at - 1];
        let mut found = Vec::new();
        for ending in [
            "py", "js", "ts", "rs", "go", "rb", "java", "php", "kt", "c", "cpp", "cs",
        ] {
            for file in corpus
                .by_name
                .get(&format!("{}.{ending}", stem.to_lowercase()))
                .into_iter()
                .flatten()
            {
                let path = corpus.files[*file as usize].path.display().into_owned();
                if path.rsplit('/').nth(1) == Some(folder) {
                    found.push(*file);
                }
            }
        }
        if !found.is_empty() && found.len() <= 3 {
            let share = 0.6 * named.weight / found.len() as f64;
            found
                .iter()
                .for_each(|file| signals.add_file(*file, Signal::Path, share));
            return;
        }
    }
}
