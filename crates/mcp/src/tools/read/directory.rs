//! The files of a directory with their numbers of lines, in place of a text.

use super::Reader;
use crate::answer::{Answer, Piece, Source};
use crate::one_line::grouped;
use crate::tool_error::ToolError;
use crate::tools::quote;

/// Maximum number of files that are read for their number of lines. Others are listed with the path.
const COUNTED: usize = 200;

impl Reader<'_> {
    /// Returns a directory as the files have it, with its last slash; empty for the top.
    pub(super) fn directory(&self, typed: &str) -> Option<String> {
        if typed.trim().is_empty() {
            return None;
        }
        let inner = self.call.below(vec![typed.to_owned()]).pop()?;
        let inner = inner.trim().trim_start_matches("./");
        let inner = inner.trim_end_matches('/');
        if inner.is_empty() || inner == "." {
            return Some(self.paths.prefix.to_owned());
        }
        let below = format!("{}{inner}", self.paths.prefix);
        let ways = [inner.to_owned(), below];
        let mut ways = ways.iter().map(|way| self.paths.known(way));
        let found = ways.find(|way| !self.paths.is_file(way) && self.paths.has(way));
        found.map(|way| format!("{way}/"))
    }

    /// Lists the files below a directory.
    pub(super) fn listed(&self, directory: &str) -> Result<Answer, ToolError> {
        let files = self.paths.files.iter();
        let files: Vec<&String> = files.filter(|path| path.starts_with(directory)).collect();
        let name = match directory {
            "" => "./".to_owned(),
            directory => quote::path(directory),
        };
        let count = grouped(files.len());
        let head = quote::named("folder", &format!("{name} ({count} files)"));
        let mut answer = Answer::new(head).more("`read` a directory inside, or raise `budget`");
        for (at, path) in files.into_iter().enumerate() {
            self.call.check()?;
            let lines = match at < COUNTED {
                true => self.text(path, infiniloom::Level::None).ok(),
                false => None,
            };
            let lines = lines.map(|info| format!(" ({} lines)", grouped(info.total_lines)));
            let shown = quote::path(path);
            let told = format!("{shown}{}", lines.unwrap_or_default());
            let piece = Piece::new(quote::file(&told));
            answer.push(piece.of(Source::file(shown)));
        }
        Ok(answer)
    }
}
