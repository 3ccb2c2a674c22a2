//! Imports that wait until all files are read and they can be resolved. They are stored encoded,
//! because a decoded list of imports takes much more memory.

use loom_base::codec::{Reader, Writer};
use loom_base::{Column, ColumnBuilder, ColumnLost, RepoPath, Scratch};
use loom_program::{ProgramBuilder, Resolution, Resolver};
use loom_syntax::{Import, Language};

/// Number of files resolved per batch. A resolved import of a package lists the paths of all its
/// files, so a batch bounds that memory.
const TOGETHER: usize = 256;

/// Threads that the caller lends.
pub trait Threads {
    /// Calls `work` for each number below `count`. Returns the results in order.
    fn map<R: Send>(&self, count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R>;
}

/// Imports of files, in the order of the files.
pub struct PendingImports<'a> {
    files: Vec<PendingFile>,
    bytes: ColumnBuilder<'a, u8>,
}

struct PendingFile {
    path: RepoPath,
    language: Language,
    /// End of its imports in `bytes`.
    end: usize,
}

impl<'a> PendingImports<'a> {
    /// Creates an empty list that stores the imports in a scratch space.
    pub fn new(scratch: &'a dyn Scratch) -> Self {
        Self {
            files: Vec::new(),
            bytes: ColumnBuilder::new(scratch),
        }
    }

    /// Adds the imports of the next file.
    pub fn add(&mut self, path: RepoPath, language: Language, imports: &[Import]) {
        let mut out = Writer::new();
        out.size(imports.len());
        for import in imports {
            import.write(&mut out);
        }
        self.bytes.extend_from_slice(&out.finish());
        self.files.push(PendingFile {
            path,
            language,
            end: self.bytes.len(),
        });
    }

    /// Resolves all imports and adds them to the program.
    ///
    /// # Errors
    /// If the scratch space lost imports.
    pub fn resolve(
        self,
        resolver: &Resolver,
        builder: &mut ProgramBuilder<'_>,
        threads: &impl Threads,
    ) -> Result<(), ColumnLost> {
        let (files, bytes) = (self.files, self.bytes.finish()?);
        for start in (0..files.len()).step_by(TOGETHER) {
            let some = &files[start..files.len().min(start + TOGETHER)];
            let resolved: Vec<Option<Vec<(Import, Resolution)>>> = threads.map(some.len(), |at| {
                let file = &some[at];
                let resolve = |import: Import| {
                    let meaning = resolver.resolve(&file.path, file.language, &import);
                    (import, meaning)
                };
                let imports = imports_of(&files, start + at, &bytes)?;
                Some(imports.into_iter().map(resolve).collect())
            });
            for (file, imports) in some.iter().zip(resolved) {
                builder.add_imports(&file.path, &imports.ok_or(ColumnLost)?);
            }
        }
        Ok(())
    }
}

fn imports_of(files: &[PendingFile], at: usize, bytes: &Column<u8>) -> Option<Vec<Import>> {
    let start = at.checked_sub(1).map_or(0, |before| files[before].end);
    let mut from = Reader::new(bytes.get(start..files[at].end)?);
    from.many(Import::read)
}

#[cfg(test)]
mod tests {
    use loom_base::InMemory;
    use loom_syntax::{Limits, extract};

    use super::*;

    #[test]
    fn imports_come_back_as_they_were() {
        let python = Language::from_id("python").unwrap();
        let mut pending = PendingImports::new(&InMemory);
        let texts = [
            "import os, sys as s\nfrom .x import *\n",
            "",
            "import a.b\n",
        ];
        let imports = texts.map(|text| extract(python, text, &Limits::default()).imports);
        for (at, imports) in imports.iter().enumerate() {
            let path = RepoPath::new(format!("{at}.py")).unwrap();
            pending.add(path, python, imports);
        }
        let bytes = pending.bytes.finish().unwrap();
        for (at, imports) in imports.iter().enumerate() {
            assert_eq!(&imports_of(&pending.files, at, &bytes).unwrap(), imports);
        }
    }
}
