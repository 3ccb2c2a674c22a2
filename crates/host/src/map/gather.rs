//! Links the files of a scan for a map. `structures` provides the contents of each file.

use std::ops::ControlFlow;

use loom_engine::map::{MapFile, SymbolGraph, flows};
use loom_lookup::{PendingImports, Unparsed};
use loom_program::{FileId, ProgramBuilder};
use loom_source::FoundFile;

use super::{MapBuilder, Threads};
use crate::imports::import_resolver;
use crate::scratch::ScratchFiles;
use crate::structures::StructureRun;
use crate::{PackError, StructureOptions};

/// The linked files.
pub(super) struct Gathered {
    pub(super) linked: SymbolGraph,
    pub(super) total: (usize, usize),
}

impl MapBuilder<'_> {
    /// Links the files.
    pub(super) fn gather(
        self,
        found: &[FoundFile],
        options: &StructureOptions,
    ) -> Result<Gathered, PackError> {
        let (packer, run, cancel) = (self.packer, self.run, self.cancel);
        let mut resolver = import_resolver(&packer.source, found, &run.unread);
        let scratch = ScratchFiles::new(&packer.options);
        let mut builder = ProgramBuilder::new(&scratch);
        let mut files: Vec<MapFile> = Vec::new();
        let mut imports = PendingImports::new(&scratch);
        let (mut total, mut unparsed) = ((0, 0), Unparsed::default());
        let structures = StructureRun::new(packer, options, run, cancel);
        structures.of(found, |file| {
            total = (total.0 + 1, total.1 + file.lines);
            unparsed.note(&file);
            if let Some(language) = file.language {
                resolver.add_file(&file.path, language, &file.structure);
                builder.add_file(&file.path, language, &file.structure);
                let structure = &file.structure;
                imports.add(file.path.clone(), language, &structure.imports);
                let one = MapFile::new(file.path, file.language, file.lines, structure);
                files.push(one);
            }
            ControlFlow::Continue(())
        })?;
        run.unread.warn(resolver.limits_met());
        run.unread.warn(unparsed.warning());
        let threads = Threads(packer.options.thread_count());
        let lost = |error| scratch.lost(error);
        let resolved = imports.resolve(&resolver, &mut builder, &threads);
        let program = resolved.and_then(|()| builder.finish()).map_err(lost)?;
        run.unread.warn(scratch.warning());
        let flows = threads.map(files.len(), |at| {
            flows(&program, FileId(u32::try_from(at).unwrap_or(u32::MAX)))
        });
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        Ok(Gathered {
            linked: SymbolGraph::new(program, files, flows),
            total,
        })
    }
}
