//! Chooses the contents of a map for a budget: signatures of the most important symbols, then names
//! of as many files and symbols as fit, by value per token.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use loom_syntax::SymbolKind;

use super::best_first::BestFirst;
use super::candidate::Candidate;
use super::document::{FileEntry, KeySymbol, Level, Line, MapDocument};
use super::drawn::{Drawn, edges};
use super::extract::Extract;
use super::key::{MOST_KEY_SYMBOLS, key_symbols};
use super::linked::SymbolGraph;
use super::rank::Importance;
use crate::FileRole;

/// Share of signatures in the budget for files.
const SIGNATURES: f64 = 0.45;
/// Share of key symbols and of the graph in the whole budget. Both are small, because each key
/// symbol and edge only points to a file; the signatures of files need the rest. `MOST_EDGES`
/// limits the graph of a large budget to what a reader follows.
const KEY_SYMBOLS: f64 = 0.1;
const GRAPH: f64 = 0.06;
const MOST_EDGES: usize = 60;
/// The choice ends after this number of signatures that do not fit.
const MOST_MISSED: usize = 300;
/// Fewer tokens are not enough for a section.
const LEAST_GRAPH: f64 = 40.0;

/// Chooses contents for any budget.
pub(super) struct Chooser<'a> {
    linked: &'a SymbolGraph,
    extract: Extract,
    importance: &'a Importance,
    /// Files, the most important first.
    order: Vec<usize>,
    /// Showable symbols of each file, the most important first.
    symbols: Vec<Vec<usize>>,
    /// Candidates for a signature, the most important first.
    lines: BestFirst,
    key: Vec<(usize, usize)>,
    edges: Vec<(usize, usize)>,
}

/// Budget of a choice, in tokens.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    /// Shared by all parts.
    pub(super) all: f64,
    /// Additional budget for names, and for signatures if all files are named.
    pub(super) more: f64,
    /// Additional budget for names of symbols in shown files.
    pub(super) names: f64,
    /// Additional budget for key symbols.
    pub(super) key: f64,
}

/// A choice; `is_whole` is true if it shows everything.
pub(super) struct Choice {
    pub(super) document: MapDocument,
    pub(super) is_whole: bool,
}

impl<'a> Chooser<'a> {
    pub(super) fn new(
        linked: &'a SymbolGraph,
        importance: &'a Importance,
        extract: Extract,
        drawn: Drawn,
    ) -> Self {
        let mut order: Vec<usize> = (0..linked.files.len()).collect();
        let by = |one: &usize, other: &usize| {
            let scores = (importance.files[*other], importance.files[*one]);
            scores.0.total_cmp(&scores.1).then(one.cmp(other))
        };
        order.sort_by(by);
        let symbols: Vec<Vec<usize>> = (0..linked.files.len())
            .map(|at| ordered_symbols(linked, at, importance, &extract))
            .collect();
        let all: Vec<(usize, usize)> = symbols
            .iter()
            .enumerate()
            .flat_map(|(file, symbols)| symbols.iter().map(move |symbol| (file, *symbol)))
            .collect();
        let is_ballast = |one: &(usize, usize)| linked.files[one.0].kind == FileRole::Ballast;
        let own: Vec<(usize, usize)> = all.iter().filter(|one| !is_ballast(one)).copied().collect();
        let key = |one: &(usize, usize)| importance.key[one.0][one.1];
        let by_key = |one: &(usize, usize), other: &(usize, usize)| {
            key(other).total_cmp(&key(one)).then(one.cmp(other))
        };
        let by_use = BestFirst::new(own, by_key);
        let key = key_symbols(linked, by_use.iter(by_key));
        let lines = BestFirst::new(all, by_line(linked, importance));
        let edges = edges(linked, importance, &order, drawn);
        Self {
            linked,
            extract,
            importance,
            order,
            symbols,
            lines,
            key,
            edges,
        }
    }

    /// Returns the candidates for a signature, the most important first.
    fn lines(&self) -> impl Iterator<Item = &(usize, usize)> {
        self.lines.iter(by_line(self.linked, self.importance))
    }

    /// Estimates the tokens of the name of a file.
    fn name_cost(&self, file: usize) -> f64 {
        let name = self.linked.files[file].path.display();
        let own = name.rsplit('/').next().unwrap_or(&name);
        // Other files share most of its directory.
        cost(own) + 2.0 + cost(&name) * 0.25
    }

    /// Chooses contents for an estimated number of tokens.
    pub(super) fn choose(&self, room: Room, base: &MapDocument) -> Choice {
        let mut document = base.clone();
        let is_graph_alone = !self.extract.has_symbols();
        let mut graph = match (self.extract.imports, is_graph_alone) {
            (false, _) => 0.0,
            (true, false) => GRAPH,
            (true, true) => 0.9,
        };
        document.key_symbols = self.chosen_key(room.all * KEY_SYMBOLS + room.key);
        if room.all * graph > LEAST_GRAPH || is_graph_alone {
            let most = if is_graph_alone {
                usize::MAX
            } else {
                MOST_EDGES
            };
            document.edges = self.chosen_edges(room.all * graph, most);
        }
        if document.edges.is_empty() {
            graph = 0.0;
        }
        let rest = room.all * (1.0 - KEY_SYMBOLS - graph);
        let mut shown = ChosenItems::default();
        let used = self.chosen_lines(rest * SIGNATURES, &mut shown);
        let left = self.chosen_names(rest - used + room.more, &mut shown, true);
        // If all files are named, more symbols get a signature.
        let left = left - self.chosen_lines(left, &mut shown);
        self.chosen_names(left + room.names, &mut shown, false);
        self.enter(&shown, &mut document);
        let is_whole = self.is_whole(&document, &shown);
        Choice { document, is_whole }
    }

    /// Chooses contents of a diagram.
    pub(super) fn choose_graph(&self, room: Room, base: &MapDocument) -> Choice {
        if self.edges.is_empty() {
            return self.choose(room, base);
        }
        let mut document = base.clone();
        document.edges = self.chosen_edges(room.all + room.more, usize::MAX);
        let is_whole = document.edges.len() == self.edges.len();
        Choice { document, is_whole }
    }

    /// Returns true if a choice shows everything.
    fn is_whole(&self, document: &MapDocument, shown: &ChosenItems) -> bool {
        let edges = match (self.extract.imports, self.extract.has_symbols()) {
            (false, _) => 0,
            (true, true) => self.edges.len().min(MOST_EDGES),
            (true, false) => self.edges.len(),
        };
        shown.files.len() == self.order.len()
            && document.key_symbols.len() == self.key.len()
            && document.edges.len() == edges
            && self.lines.all().all(|line| shown.lines.contains(line))
    }

    /// Returns the names of the key symbols, functions with brackets.
    pub(super) fn first_symbols(&self, count: usize) -> Vec<String> {
        let name = |(file, at): &(usize, usize)| {
            let symbol = &self.linked.files[*file].symbols[*at];
            let brackets = if symbol.kind.is_function() { "()" } else { "" };
            format!("{}{brackets}", symbol.name)
        };
        self.key.iter().take(count).map(name).collect()
    }

    fn chosen_key(&self, room: f64) -> Vec<KeySymbol> {
        let mut left = room;
        let mut chosen = Vec::new();
        for &(file, at) in self.key.iter().take(MOST_KEY_SYMBOLS) {
            let symbol = &self.linked.files[file].symbols[at];
            let path = self.linked.files[file].path.display().into_owned();
            let owner = self
                .linked
                .definition(file, symbol)
                .and_then(|id| self.linked.program.owner(id));
            let name = match owner {
                Some(owner) => format!("{owner}.{}", symbol.name),
                None => symbol.name.to_string(),
            };
            left -= cost(&name) + cost(&path) + 14.0;
            if left < 0.0 && !chosen.is_empty() {
                break;
            }
            chosen.push(KeySymbol {
                name,
                kind: symbol.kind,
                path,
                line: symbol.line,
            });
        }
        chosen
    }

    fn chosen_edges(&self, room: f64, most: usize) -> Vec<(String, String)> {
        let mut left = room;
        let mut chosen = Vec::new();
        let mut named: HashSet<usize> = HashSet::new();
        let path = |at: usize| self.linked.files[at].path.display().into_owned();
        for &(from, to) in self.edges.iter().take(most) {
            let new = [from, to].into_iter().filter(|end| !named.contains(end));
            let takes = new.map(|end| cost(&path(end)) + 3.0).sum::<f64>() + 5.0;
            if takes > left {
                // A shorter one after it may fit.
                if left < 8.0 {
                    break;
                }
                continue;
            }
            left -= takes;
            named.extend([from, to]);
            chosen.push((path(from), path(to)));
        }
        chosen
    }

    /// Chooses signatures in the order of importance, with those of the surrounding types.
    fn chosen_lines(&self, room: f64, shown: &mut ChosenItems) -> f64 {
        let (mut used, mut missed) = (0.0, 0);
        for &(file, at) in self.lines() {
            let symbols = &self.linked.files[file].symbols;
            let mut cost_of = 0.0;
            let mut open = Some(at);
            let mut added = Vec::new();
            while let Some(one) = open {
                if shown.lines.contains(&(file, one)) {
                    break;
                }
                let symbol = &symbols[one];
                cost_of += cost(&symbol.signature) + f64::from(symbol.depth) + 1.0;
                added.push(one);
                open = symbol.parent.map(|parent| parent as usize);
            }
            if shown.files.get(&file) != Some(&true) {
                cost_of += cost(&self.linked.files[file].path.display()) + 14.0;
            }
            if used + cost_of > room {
                // A long signature leaves the budget to shorter ones after it.
                missed += 1;
                if used > room * 0.9 || missed > MOST_MISSED {
                    break;
                }
                continue;
            }
            used += cost_of;
            shown.files.insert(file, true);
            shown.lines.extend(added.into_iter().map(|one| (file, one)));
        }
        used
    }

    /// Chooses names of files and symbols, the highest value per token first. Returns the rest of
    /// the budget.
    fn chosen_names(&self, room: f64, shown: &mut ChosenItems, takes_files: bool) -> f64 {
        let mut queue: BinaryHeap<Candidate> = BinaryHeap::new();
        let mut values: HashMap<usize, f64> = HashMap::new();
        // A file needs a minimum of tokens: files far down the order cannot fit.
        let most = (room.max(0.0) as usize).saturating_add(64);
        for (rank, &file) in self.order.iter().enumerate().take(most) {
            let value = 1.0 / (rank as f64 + 12.0);
            let value = value * self.interest(file);
            values.insert(file, value);
            match shown.files.contains_key(&file) {
                true => self.push_name(file, 0, value, shown, &mut queue),
                false if takes_files => {
                    queue.push(Candidate::new(value, self.name_cost(file), file, None));
                }
                false => {}
            }
        }
        let mut left = room;
        while let Some(candidate) = queue.pop() {
            if candidate.cost > left {
                if left < 4.0 {
                    break;
                }
                continue;
            }
            left -= candidate.cost;
            let next = match candidate.symbol {
                None => {
                    shown.files.insert(candidate.file, false);
                    0
                }
                Some(rank) => {
                    let symbol = self.symbols[candidate.file][rank];
                    shown.names.insert((candidate.file, symbol));
                    rank + 1
                }
            };
            let value = values.get(&candidate.file).copied().unwrap_or(0.0);
            self.push_name(candidate.file, next, value, shown, &mut queue);
        }
        left
    }

    /// Returns the value of a file: higher in focus, lower without code.
    fn interest(&self, file: usize) -> f64 {
        let kind = match self.linked.files[file].kind {
            FileRole::Source | FileRole::Introduction => 1.0,
            FileRole::Test => 0.5,
            FileRole::Support => 0.35,
            FileRole::Ballast => 0.1,
        };
        kind + self.importance.files[file]
    }

    fn push_name(
        &self,
        file: usize,
        first: usize,
        value: f64,
        shown: &ChosenItems,
        queue: &mut BinaryHeap<Candidate>,
    ) {
        let symbols = &self.symbols[file];
        let is_new = |rank: &usize| {
            let place = (file, symbols[*rank]);
            !shown.lines.contains(&place) && !shown.names.contains(&place)
        };
        let Some(rank) = (first..symbols.len()).find(is_new) else {
            return;
        };
        let symbol = &self.linked.files[file].symbols[symbols[rank]];
        let score = self.importance.symbols[file][symbols[rank]];
        let part = 0.3 / (1.0 + rank as f64 * 0.5) * (1.0 + score);
        let cost = cost(&symbol.name) + 1.0;
        queue.push(Candidate::new(value * part, cost, file, Some(rank)));
    }

    /// Adds the choice to the document, in order.
    fn enter(&self, shown: &ChosenItems, document: &mut MapDocument) {
        let mut folders: Vec<(String, Vec<FileEntry>)> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let total = shown.files.len().max(1);
        let mut seen = 0;
        for &file in &self.order {
            let Some(has_lines) = shown.files.get(&file) else {
                continue;
            };
            seen += 1;
            let level = match seen {
                _ if seen * 5 <= total || seen <= 3 => Level::High,
                _ if seen * 2 <= total => Level::Medium,
                _ => Level::Low,
            };
            let mut entry = self.entry(file, shown);
            entry.level = Some(level);
            if *has_lines {
                document.signatures.push(entry);
                continue;
            }
            let path = entry.path.clone();
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            entry.path = name.to_owned();
            let place = *places.entry(folder.to_owned()).or_insert_with(|| {
                folders.push((folder.to_owned(), Vec::new()));
                folders.len() - 1
            });
            folders[place].1.push(entry);
        }
        document.others = folders;
        document.left_out = document.files.saturating_sub(shown.files.len());
    }

    fn entry(&self, file: usize, shown: &ChosenItems) -> FileEntry {
        let of_file = &self.linked.files[file];
        let symbols = &of_file.symbols;
        let line = |(at, symbol): (usize, &super::MapSymbol)| {
            shown.lines.contains(&(file, at)).then(|| Line {
                depth: usize::from(symbol.depth),
                kind: symbol.kind,
                name: symbol.name.to_string(),
                line: symbol.line,
                text: symbol.signature.to_string(),
            })
        };
        let lines: Vec<Line> = symbols.iter().enumerate().filter_map(line).collect();
        let mut names: Vec<String> = Vec::new();
        let chosen = self.symbols[file].iter();
        let is_named = |at: &&usize| {
            let place = (file, **at);
            shown.names.contains(&place) && !shown.lines.contains(&place)
        };
        for at in chosen.filter(is_named) {
            let name = symbols[*at].name.to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        FileEntry {
            path: of_file.path.display().into_owned(),
            level: None,
            left_out: (self.symbols[file].iter())
                .filter(|at| !shown.lines.contains(&(file, **at)))
                .filter(|at| !shown.names.contains(&(file, **at)))
                .count(),
            lines,
            names,
        }
    }
}

/// Compares symbols by their priority for a signature.
fn by_line<'l>(
    linked: &'l SymbolGraph,
    importance: &'l Importance,
) -> impl Fn(&(usize, usize), &(usize, usize)) -> Ordering + 'l {
    let score = move |one: &(usize, usize)| importance.symbols[one.0][one.1];
    let is_ballast = move |one: &(usize, usize)| linked.files[one.0].kind == FileRole::Ballast;
    move |one, other| {
        let by_score = score(other).total_cmp(&score(one)).then(one.cmp(other));
        // Third-party code comes after all own code.
        is_ballast(one).cmp(&is_ballast(other)).then(by_score)
    }
}

/// The choice so far.
#[derive(Default)]
struct ChosenItems {
    /// Files; true if they have signatures.
    files: HashMap<usize, bool>,
    lines: HashSet<(usize, usize)>,
    names: HashSet<(usize, usize)>,
}

/// Estimates the tokens of a text.
pub(super) fn cost(text: &str) -> f64 {
    let bytes = text.len() as f64;
    (bytes / 3.6).max(1.0)
}

fn ordered_symbols(
    linked: &SymbolGraph,
    file: usize,
    importance: &Importance,
    extract: &Extract,
) -> Vec<usize> {
    let symbols = &linked.files[file].symbols;
    let mut order: Vec<usize> = (0..symbols.len())
        .filter(|at| extract.shows(symbols[*at].kind) && symbols[*at].kind != SymbolKind::Impl)
        .collect();
    let score = |at: &usize| importance.symbols[file][*at];
    order.sort_by(|one, other| score(other).total_cmp(&score(one)).then(one.cmp(other)));
    order
}
