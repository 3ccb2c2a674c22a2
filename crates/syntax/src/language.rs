//! Detects the language of a file by its name, its extension, or the program in its first line.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use loom_base::RepoPath;

use crate::table::{Entry, LANGUAGES};

/// Language of a file.
#[derive(Clone, Copy)]
pub struct Language(&'static Entry);

impl Language {
    /// Detects the language of a file: by its whole name, then by its extension, then by the `#!`
    /// line that `text` may start with.
    pub fn detect(path: &RepoPath, text: &str) -> Option<Self> {
        Self::of_path(path).or_else(|| Self::of_shebang(text))
    }

    /// Returns every language with a name, ordered by identifier.
    pub fn all() -> impl Iterator<Item = Self> {
        LANGUAGES.iter().map(Self)
    }

    /// Returns the language with that identifier, such as `rust`.
    pub fn from_id(id: &str) -> Option<Self> {
        find(|entry| entry.id == id)
    }

    /// Returns the identifier that Markdown fences and programs use: lower case, no spaces.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns the name for people.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    fn of_path(path: &RepoPath) -> Option<Self> {
        let name = String::from_utf8_lossy(path.file_name());
        let by_name = INDEX.names.get(&*name).copied();
        by_name.or_else(|| Self::of_extension(&name))
    }

    /// Returns the language of the longest known extension of the name.
    fn of_extension(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let mut rest = lower.as_str();
        while let Some((_, extension)) = rest.split_once('.') {
            if let Some(language) = INDEX.extensions.get(extension) {
                return Some(*language);
            }
            rest = extension;
        }
        None
    }

    fn of_shebang(text: &str) -> Option<Self> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let mut words = line
            .split_whitespace()
            .filter(|word| !word.starts_with('-'));
        let first = words.next()?.rsplit('/').next()?;
        let program = match first {
            "env" => words.find(|word| !word.contains('='))?,
            first => first,
        };
        let program = program.rsplit('/').next()?;
        let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        find(|entry| entry.programs.contains(&bare) || entry.programs.contains(&program))
    }
}

/// Lookup of languages by file name and extension.
struct LanguageIndex {
    names: HashMap<&'static str, Language>,
    extensions: HashMap<&'static str, Language>,
}

static INDEX: LazyLock<LanguageIndex> = LazyLock::new(|| {
    let by = |words: fn(&Entry) -> &'static [&'static str]| {
        // If two languages have a word, it belongs to the first one.
        let words = Language::all()
            .flat_map(|language| words(language.0).iter().map(move |word| (*word, language)));
        let mut known = HashMap::new();
        for (word, language) in words {
            known.entry(word).or_insert(language);
        }
        known
    };
    LanguageIndex {
        names: by(|entry| entry.names),
        extensions: by(|entry| entry.extensions),
    }
});

fn find(is_wanted: impl Fn(&Entry) -> bool) -> Option<Language> {
    LANGUAGES
        .iter()
        .find(|entry| is_wanted(entry))
        .map(Language)
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, id: &str) {
        let path = RepoPath::new(name).unwrap();
        let found = Language::detect(&path, text).map_or("", Language::id);
        assert_eq!(found, id, "{name}");
    }

    #[test]
    fn language_is_detected_by_name_extension_or_program() {
        check("src/main.rs", "", "rust");
        check("a/Makefile", "", "makefile");
        check("Dockerfile", "", "dockerfile");
        check("x.d.ts", "", "typescript");
        check("App.TSX", "", "tsx");
        check("CMakeLists.txt", "", "cmake");
        check("notes.txt", "", "text");
        check("a.b.py", "", "python");
        check("run", "#!/bin/sh -e\n", "bash");
        check("run", "#!/usr/bin/env -S node --x\n", "javascript");
        check("run", "#!/usr/bin/python3.11\n", "python");
        check("run", "#!/usr/bin/env A=b ruby\n", "ruby");
        check("LICENSE", "Copyright", "text");
        check("data.unknown", "x", "");
        check("run", "#!", "");
    }

    #[test]
    fn the_table_is_unambiguous() {
        for pick in [
            |e: &Entry| e.names,
            |e: &Entry| e.extensions,
            |e: &Entry| e.programs,
        ] {
            let mut all: Vec<_> = LANGUAGES.iter().flat_map(pick).collect();
            let before = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), before);
        }
        assert!(
            LANGUAGES
                .iter()
                .all(|entry| Language::from_id(entry.id).unwrap().id() == entry.id)
        );
    }
}
