//! Files that a caller names for a context: by paths of the root, of the directory that the
//! query is about, or of the directory of the caller.

use std::path::Path;

use loom_host::{ContextRepository, Source};

use crate::{ErrorProblem, Result};

/// Resolver of paths to files.
pub(super) struct NamedFiles<'n> {
    pub(super) source: &'n Source,
    pub(super) repository: &'n ContextRepository,
    /// The directory that the query is about, with a final slash.
    pub(super) below: &'n str,
    /// The directory of the caller.
    pub(super) directory: Option<&'n Path>,
}

impl NamedFiles<'_> {
    /// Returns the path of a file in the source, or `typed` itself if the file does not exist.
    pub(super) fn hot(&self, typed: &str) -> String {
        self.file(typed).unwrap_or_else(|| typed.to_owned())
    }

    /// Returns the pins with the paths of their files in the source.
    ///
    /// # Errors
    /// If a required pin names neither a file, nor lines of a file, nor a definition.
    pub(super) fn pins(&self, typed: &[String], is_optional: bool) -> Result<Vec<String>> {
        let (mut pins, mut problems) = (Vec::new(), Vec::new());
        for typed in typed {
            let pin = self.pin(typed);
            match is_optional || self.repository.has_pin(&pin) {
                true => pins.push(pin),
                false => problems.push(ErrorProblem {
                    message: format!("pin {typed}: nothing of that name is here"),
                    hint: Some(
                        "a pin is a file, FILE:FIRST-LAST with lines that it has, or the name of \
                         a definition"
                            .to_owned(),
                    ),
                }),
            }
        }
        super::check(problems)?;
        Ok(pins)
    }

    fn pin(&self, typed: &str) -> String {
        if let Some(file) = self.file(typed) {
            return file;
        }
        let lines = typed.rsplit_once(':').and_then(|(path, lines)| {
            let file = self.file(path)?;
            Some(format!("{file}:{lines}"))
        });
        lines.unwrap_or_else(|| typed.to_owned())
    }

    fn file(&self, typed: &str) -> Option<String> {
        let plain = typed.trim_start_matches("./").to_owned();
        let below = format!("{}{plain}", self.below);
        let Some(here) = self.directory else {
            // Paths start at the root.
            let mut ways = [plain, below].into_iter();
            return ways.find(|way| self.repository.has_file(way));
        };
        let named = |path: &Path| {
            let path = self.source.named(path, here)?;
            Some(path.display().into_owned())
        };
        let full = here.join(typed).canonicalize().ok();
        let ways = [
            named(Path::new(typed)),
            full.and_then(|path| named(&path)),
            Some(below),
            Some(plain),
        ];
        let mut ways = ways.into_iter().flatten();
        ways.find(|way| self.repository.has_file(way))
    }
}
