//! From the files of a scan to files that are linked. What a file holds comes from
//! `structures` alone.

use std::ops::ControlFlow;

use loom_engine::map::{Linked, MapFile, flows};
use loom_source::FoundFile;
use loom_syntax::{FileId, Import, Language, ProgramBuilder, Resolution};

use super::Threads;
use crate::{Cancel, PackError, Packer, Run, StructureOptions};

/// Files that are linked.
pub(super) struct Gathered {
    pub(super) linked: Linked,
    pub(super) total: (usize, usize),
}

/// Files whose imports are followed at a time: an import of a package has the paths of all
/// its files until it is added.
pub(crate) const RESOLVED_TOGETHER: usize = 256;

impl Packer {
    pub(super) fn gather_map(
        &self,
        found: &[FoundFile],
        options: &StructureOptions,
        (run, cancel): (&Run, &Cancel),
    ) -> Result<Gathered, PackError> {
        let mut resolver = self.resolver_noting(found, &run.unread);
        let mut builder = ProgramBuilder::default();
        let mut files: Vec<MapFile> = Vec::new();
        let mut imports: Vec<(Language, Vec<Import>)> = Vec::new();
        let mut total = (0, 0);
        self.structures_of(found, options, (run, cancel), |file| {
            total = (total.0 + 1, total.1 + file.lines);
            if let Some(language) = file.language {
                resolver.add_file(&file.path, language, &file.structure);
                builder.add_file(&file.path, language, &file.structure);
                let structure = &file.structure;
                let one = MapFile::new(file.path, file.language, file.lines, structure);
                files.push(one);
                imports.push((language, file.structure.imports));
            }
            ControlFlow::Continue(())
        })?;
        run.unread.warn(resolver.limits_met());
        let threads = Threads(self.options.thread_count());
        for start in (0..files.len()).step_by(RESOLVED_TOGETHER) {
            let count = RESOLVED_TOGETHER.min(files.len() - start);
            let resolved: Vec<Vec<(Import, Resolution)>> = threads.map(count, |at| {
                let at = start + at;
                let (language, imports) = &imports[at];
                let resolve = |import: &Import| {
                    let meaning = resolver.resolve(&files[at].path, *language, import);
                    (import.clone(), meaning)
                };
                imports.iter().map(resolve).collect()
            });
            for (file, imports) in files[start..].iter().zip(&resolved) {
                builder.add_imports(&file.path, imports);
            }
        }
        drop(imports);
        let program = builder.finish();
        let flows = threads.map(files.len(), |at| {
            flows(&program, FileId(u32::try_from(at).unwrap_or(u32::MAX)))
        });
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        Ok(Gathered {
            linked: Linked::new(program, files, flows),
            total,
        })
    }
}
