//! Finds files by name or path for navigation.

use std::path::Path;

use loom_lookup::{Code, Keep};
use loom_search::{Candidates, Expr, Pattern, Query};
use loom_syntax::Language;

use super::searcher::{IndexState, Searcher};
use crate::RepoPath;

impl Searcher {
    /// Returns the numbers of files that may use a name, ordered by path.
    pub(crate) fn naming(&self, name: &str) -> Vec<usize> {
        let query = Query {
            expr: Expr::Symbol(Pattern::literal(name)),
        };
        let found = self.candidates(&Candidates::new(&query));
        found.into_iter().map(|number| number as usize).collect()
    }

    /// Returns the numbers of files that may define a name, ordered by path.
    pub(crate) fn defining(&self, name: &str) -> Vec<usize> {
        let of = |segment| loom_search::defining(segment, name);
        let flags: Option<Vec<Vec<bool>>> = self.index.segments().map(of).collect();
        let naming = self.naming(name).into_iter();
        let Some(flags) = flags else {
            return naming.collect();
        };
        let may_define = |number: &usize| match self.known[*number] {
            IndexState::Indexed(place) if self.is_clean(*number) => {
                flags[place.segment as usize][place.content as usize]
            }
            IndexState::Indexed(_) | IndexState::Nothing => true,
            IndexState::NoText => false,
        };
        naming.filter(may_define).collect()
    }

    /// Returns the number of the file at a path that the user typed.
    pub(crate) fn number(&self, typed: &str) -> Option<usize> {
        let wanted = typed.trim_start_matches("./");
        let exact = |path: &RepoPath| path.as_bytes() == wanted.as_bytes();
        if let Some(number) = self.files.iter().position(|file| exact(&file.path)) {
            return Some(number);
        }
        // Users type names with unprintable bytes as Infiniloom displays them.
        let shown = |path: &RepoPath| path.display() == wanted;
        if let Some(number) = self.files.iter().position(|file| shown(&file.path)) {
            return Some(number);
        }
        let full = std::path::absolute(Path::new(typed)).ok()?;
        let roots: Vec<&Path> = self.packer.source.roots().collect();
        let below = roots.iter().find_map(|root| full.strip_prefix(root).ok())?;
        let below = below.to_str()?;
        let is_it = |path: &RepoPath| path.as_str() == Some(below);
        self.files.iter().position(|file| is_it(&file.path))
    }

    /// Returns true if the file at a path that the user typed can be searched.
    pub fn has_text(&self, typed: &str) -> bool {
        let number = self.number(typed);
        number.is_some_and(|number| self.text(number, Keep::No).is_some())
    }

    /// Returns the number of the file at a path of the source.
    pub(crate) fn number_of(&self, path: &RepoPath) -> Option<usize> {
        let at = self.files.binary_search_by(|file| file.path.cmp(path));
        // Files with redacted paths are not sorted by path.
        at.ok()
            .or_else(|| self.files.iter().position(|file| file.path == *path))
    }

    /// Returns a file with its text and secrets for navigation.
    pub(crate) fn code(&self, number: usize) -> Option<Code> {
        let found = self.files.get(number)?;
        let kept = self.read(number)?;
        Some(Code {
            path: found.path.clone(),
            language: Language::detect(&found.path, &kept.text),
            findings: self.findings(number, &kept),
            text: kept.text.as_ref().to_owned(),
            hides: self.packer.options.secrets.mode.hides(),
        })
    }
}
