//! Finds definitions by name in the syntax of files.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use loom_syntax::{ReferenceKind, Symbol, SymbolKind, Visibility};

use super::aside::is_aside;
use super::file::CodeFile;
use super::navigator::{KEPT, Navigator};
use super::target::{Target, names};
use super::types::{CodePlace, Definition};
use crate::CodeFiles;

/// Maximum number of definitions for a range of lines.
const DEFINED: usize = 500;

impl<F: CodeFiles> Navigator<F> {
    /// Returns the definitions that the target can refer to.
    pub(super) fn definitions_of(&self, target: &Target) -> Vec<Definition> {
        match target {
            Target::Name(names) => self.by_typed_name(names),
            Target::Place { path, line, column } => self.at_place(path, *line, *column),
        }
    }

    /// Returns the definitions that begin in these lines of a file, in order. If none begins there,
    /// returns only the innermost one around the first line.
    pub fn defined_in(&self, path: &str, lines: &RangeInclusive<usize>) -> Vec<Definition> {
        let number = self.files.number_typed(path);
        let Some(file) = number.and_then(|number| self.file(number)) else {
            return Vec::new();
        };
        let symbols = &file.structure.symbols;
        let meets =
            |one: &&Symbol| one.lines.first <= *lines.end() && *lines.start() <= one.lines.last;
        let begins = |one: &Definition| lines.contains(&one.place.line);
        let met = symbols.iter().filter(meets).take(DEFINED);
        let within: Vec<Definition> = met.map(|one| file.definition(one)).filter(begins).collect();
        if !within.is_empty() {
            return within;
        }
        let is_around = |one: &&Symbol| (one.lines.first..=one.lines.last).contains(lines.start());
        let around = symbols.iter().filter(is_around);
        let inner = around.min_by_key(|one| one.lines.last - one.lines.first);
        inner.map(|one| file.definition(one)).into_iter().collect()
    }

    /// Finds a name as typed in a call. A `!` may belong to the name of a Ruby method, or follow
    /// the name of a Rust macro.
    fn by_typed_name(&self, wanted: &[String]) -> Vec<Definition> {
        let found = self.by_name(wanted);
        let bare = wanted.last().and_then(|name| name.strip_suffix('!'));
        match bare.filter(|_| found.is_empty()) {
            Some(bare) => {
                let mut wanted = wanted.to_vec();
                wanted.pop();
                wanted.push(bare.to_owned());
                self.by_name(&wanted)
            }
            None => found,
        }
    }

    /// Returns the definitions of the last of the `wanted` names whose enclosing names match the
    /// others.
    pub(super) fn by_name(&self, wanted: &[String]) -> Vec<Definition> {
        let Some(name) = wanted.last() else {
            return Vec::new();
        };
        let mut numbers = self.files.defining(name);
        let is_many = numbers.len() > KEPT;
        if is_many {
            self.put_first(wanted, &mut numbers);
        }
        let read = |at: usize| match is_many {
            true => self.file_of_many(numbers[at]),
            false => self.file(numbers[at]),
        };
        let mut found = Vec::new();
        self.files.in_order(numbers.len(), read, |file| {
            let Some(file) = file else {
                return;
            };
            let symbols = file.structure.symbols.iter();
            let named = symbols.filter(|one| one.name == *name);
            let fitting = named.filter(|one| fits(one, wanted, &file.path.display()));
            found.extend(fitting.map(|one| file.definition(one)));
        });
        found.sort_by_cached_key(|one| (by_path(one, wanted), order(one)));
        found
    }

    /// Sorts files that contain the owner of the name first, and tests and the like last, because
    /// the time may not suffice for all.
    pub fn put_first(&self, wanted: &[String], numbers: &mut [usize]) {
        let owner = wanted.len().checked_sub(2).map(|at| &wanted[at]);
        let naming = owner.map(|owner| self.files.naming(owner));
        let with_owner: HashSet<usize> = naming.into_iter().flatten().collect();
        numbers.sort_by_cached_key(|number| (!with_owner.contains(number), self.is_aside(*number)));
    }

    /// Returns the definition at a position, or the definitions that the name there can refer to.
    fn at_place(&self, path: &str, line: usize, column: usize) -> Vec<Definition> {
        let Some(number) = self.files.number_typed(path) else {
            return Vec::new();
        };
        let Some(file) = self.file(number) else {
            return Vec::new();
        };
        let Some(at) = file.offset(line, column) else {
            return Vec::new();
        };
        let symbols = &file.structure.symbols;
        let is_there = |one: &&Symbol| one.name_span.start <= at && at <= one.name_span.end;
        if let Some(symbol) = symbols.iter().find(is_there) {
            return vec![file.definition(symbol)];
        }
        let Some(name) = file.identifier(at) else {
            return Vec::new();
        };
        if let Some(local) = file.local_at(name, at) {
            return vec![local];
        }
        let qualifier = file
            .structure
            .references
            .iter()
            .find(|one| one.span.start <= at && at <= one.span.end)
            .and_then(|one| one.qualifier.clone());
        let locals = file.structure.imports.iter().flat_map(|one| &one.locals);
        let is_default = |(one, local): &(String, String)| one == "default" && local == name;
        if locals.clone().any(is_default) {
            let found = self.imported_default(&file, name);
            if !found.is_empty() {
                return found;
            }
        }
        // The definition of an imported alias has the original name.
        let original = locals
            .filter(|(original, local)| {
                local == name && !matches!(original.as_str(), "*" | "default")
            })
            .map(|(original, _)| original.as_str())
            .next();
        let name = original.unwrap_or(name);
        let mut found = self.by_name(&[name.to_owned()]);
        let here = file.place(at);
        let owners = qualifier.map(|text| names(&text)).unwrap_or_default();
        let meant = self.meant_at(name, &found, &file.identifier_place(at));
        found.sort_by_cached_key(|one| {
            let doubt = meant.iter().find(|(place, _)| *place == one.place);
            let doubt = doubt.map_or(2, |(_, certainty)| *certainty as u8);
            (doubt, nearness(one, &here, &owners), order(one))
        });
        found
    }
}

impl<F: CodeFiles> Navigator<F> {
    /// Returns the default export that a file imports under its own name for it.
    fn imported_default(&self, file: &CodeFile, name: &str) -> Vec<Definition> {
        let program = self.link_file(file);
        let Some(id) = program.file(&file.path) else {
            return Vec::new();
        };
        let scope = program.scope(id);
        let meaning = scope.meaning_of(name, None, None, Some(ReferenceKind::Call));
        let targets = meaning.targets.iter().filter(|_| meaning.by.is_certain());
        let found = targets.filter_map(|(id, _)| self.linked_definition(&program, *id));
        found.collect()
    }
}

/// Returns true if the names around a symbol end with the typed ones. A name can also be that of a
/// directory or file: `shop.Shop` in `src/shop.py`.
fn fits(symbol: &Symbol, wanted: &[String], path: &str) -> bool {
    let own = names(&symbol.qualified);
    let around = &wanted[..wanted.len() - 1];
    let own_around = &own[..own.len().saturating_sub(1)];
    let mut left = own_around.iter().rev();
    let stem = |part: &str| part.split('.').next().unwrap_or(part).to_owned();
    let mut folders: Vec<String> = path.split('/').map(stem).collect();
    for name in around.iter().rev() {
        match left.next() {
            Some(own) if own == name => {}
            // A file name can replace an enclosing type that the parser did not recognize.
            Some(_) if folders.last() == Some(name) => {}
            Some(_) => return false,
            None => {
                let Some(at) = folders.iter().rposition(|folder| folder == name) else {
                    return false;
                };
                folders.truncate(at);
            }
        }
    }
    true
}

/// Returns how many of the typed names match only a directory or file. For `Shop.Shop`, a member of
/// a class `Shop` comes before the class in `Shop.java`.
fn by_path(one: &Definition, wanted: &[String]) -> usize {
    let own = names(&one.qualified);
    let pairs = own.iter().rev().zip(wanted.iter().rev());
    wanted.len() - pairs.take_while(|(own, wanted)| own == wanted).count()
}

/// Sort key, best first: code before tests and documents, definitions before declarations, types
/// before functions, public before private, then by path.
pub(super) fn order(one: &Definition) -> (u8, bool, u8, u8, String, usize) {
    let kind = match one.kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Union
        | SymbolKind::Type => 0,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => 1,
        SymbolKind::Constructor => 3,
        SymbolKind::Impl => 5,
        SymbolKind::Section | SymbolKind::Key | SymbolKind::Element | SymbolKind::Selector => 6,
        _ => 2,
    };
    let visibility = match one.visibility {
        Visibility::Public => 0,
        Visibility::Private => 2,
        _ => 1,
    };
    let path = one.place.path.display().into_owned();
    // A symbol in a document is a quote; its definition is elsewhere.
    let is_quoted = matches!(one.place.language, "markdown" | "html");
    let is_aside = one.is_test || is_aside(&path);
    (
        if is_quoted { 2 } else { u8::from(is_aside) },
        one.is_declaration,
        kind,
        visibility,
        path,
        one.place.line,
    )
}

/// Sort key for the distance of a definition from a use of its name; smaller is nearer.
fn nearness(one: &Definition, here: &CodePlace, owners: &[String]) -> (bool, bool, bool, usize) {
    let around = names(&one.qualified);
    let is_owner = |owner: &String| around[..around.len().saturating_sub(1)].contains(owner);
    let is_owned = owners.last().is_some_and(is_owner);
    let is_here = one.place.path == here.path;
    let shared = here
        .path
        .components()
        .zip(one.place.path.components())
        .take_while(|(a, b)| a == b)
        .count();
    let is_language = one.place.language == here.language;
    (!is_language, !is_owned, !is_here, usize::MAX - shared)
}
