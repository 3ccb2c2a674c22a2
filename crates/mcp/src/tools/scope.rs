//! The paths that a call is restricted to: files, directories, globs, or a part of a path.

use std::collections::HashSet;

use infiniloom::{Case, Search, Snapshot};

use super::Call;
use super::place::Paths;
use crate::tool_error::ToolError;

/// The `paths` of a call.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Patterns of [`Search::within`]; none for all files.
    patterns: Vec<String>,
}

impl Scope {
    /// Reads the paths of a call as answers name them: from the top of the repository, or from a
    /// root below the top.
    pub(super) fn new(call: &Call<'_>, snapshot: &Snapshot) -> Result<Self, ToolError> {
        let typed = call.below(call.arguments.list("paths")?);
        let paths = call.paths(snapshot)?;
        let mut patterns = Vec::new();
        for path in &typed {
            let inner = path.trim().trim_start_matches("./");
            let inner = inner.trim_end_matches('/');
            if inner.is_empty() || inner == "." {
                return Ok(Self::default());
            }
            let below = format!("{}{inner}", paths.prefix);
            let ways = [inner.to_owned(), below];
            let ways = &ways[..if paths.prefix.is_empty() { 1 } else { 2 }];
            let known: Vec<String> = ways.iter().filter_map(|way| exact(&paths, way)).collect();
            match known.is_empty() {
                true => patterns.extend_from_slice(ways),
                false => patterns.extend(known),
            }
        }
        Ok(Self { patterns })
    }

    /// Returns true if no path was given.
    pub(super) fn is_everywhere(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Restricts a search.
    pub(super) fn restrict(&self, search: Search) -> Search {
        let patterns = self.patterns.iter();
        patterns.fold(search, |search, pattern| search.within(pattern))
    }

    /// Returns the files, or an error that names the paths if there are none.
    pub(super) fn files(
        &self,
        call: &Call<'_>,
        snapshot: &Snapshot,
    ) -> Result<Option<HashSet<String>>, ToolError> {
        if self.is_everywhere() {
            return Ok(None);
        }
        let all = Search::query("path:/./")
            .redacted(true)
            .symbols(false)
            .path_case(Case::Sensitive)
            .paths_only();
        let found = self.restrict(all).run_with(snapshot, &call.control())?;
        let files: HashSet<String> = found.files.into_iter().map(|file| file.path).collect();
        match files.is_empty() {
            true => {
                let typed = call.arguments.list("paths")?.join(", ");
                Err(ToolError(format!(
                    "no file is at `paths` {typed}: `map` shows what there is"
                )))
            }
            false => Ok(Some(files)),
        }
    }
}

/// Returns an expression for a path that exists: the file, or all files below the directory.
fn exact(paths: &Paths<'_>, path: &str) -> Option<String> {
    let known = paths.known(path);
    let quoted: String = known.chars().map(quoted).collect();
    match () {
        () if paths.is_file(&known) => Some(format!("/^{quoted}$/")),
        () if paths.has(&known) => Some(format!("/^{quoted}//")),
        () => None,
    }
}

/// Returns a character as an expression matches it.
fn quoted(c: char) -> String {
    match c.is_alphanumeric() || matches!(c, '/' | '_') {
        true => c.to_string(),
        false => format!("\\x{{{:x}}}", u32::from(c)),
    }
}
