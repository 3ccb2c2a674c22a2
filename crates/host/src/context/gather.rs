//! From the files of a source to a corpus.

use std::ops::ControlFlow;

use loom_embed::{CodeTable, Vectors};
use loom_engine::context::CorpusBuilder;
use loom_syntax::{Import, Language, ProgramBuilder, Resolution};

use super::ContextRepository;
use super::study::Study;
use crate::map::Threads;
use crate::{Cancel, PackError, Packer, RepoPath, SecretsMode, StructureOptions};

impl Packer {
    /// Reads the source for contexts.
    ///
    /// # Errors
    /// When a stop was asked for, or there are secrets and nothing may be shown then.
    pub fn context_repository(&self, cancel: &Cancel) -> Result<ContextRepository<'_>, PackError> {
        if self.options.secrets.mode == SecretsMode::Fail {
            self.survey(&crate::NoProgress, cancel)?;
        }
        let scan = self.listed(&self.options.scan);
        let options = StructureOptions {
            redacts: true,
            ..StructureOptions::default()
        };
        let mut resolver = self.resolver(&scan.files);
        let mut builder = ProgramBuilder::default();
        let mut corpus = CorpusBuilder::default();
        let (mut numbers, mut versions, mut summaries) = (Vec::new(), Vec::new(), Vec::new());
        let mut vectors = Vectors::new(CodeTable::DIMENSIONS);
        let mut imports: Vec<(RepoPath, Language, Vec<Import>)> = Vec::new();
        self.structures_with(
            &scan.files,
            &options,
            cancel,
            |material| Study::remembered(&material),
            |at, file, study| {
                numbers.push(at);
                corpus.add(&file.path, file.language, &study.cut);
                vectors.append(&study.vectors);
                summaries.push(study.summary);
                versions.push(file.hash);
                if let Some(language) = file.language {
                    resolver.add_file(&file.path, language, &file.structure);
                    builder.add_file(&file.path, language, &file.structure);
                    imports.push((file.path, language, file.structure.imports));
                }
                ControlFlow::Continue(())
            },
        )?;
        let threads = Threads(self.options.thread_count());
        let resolved: Vec<Vec<(Import, Resolution)>> = threads.map(imports.len(), |at| {
            let (path, language, imports) = &imports[at];
            let resolve =
                |import: &Import| (import.clone(), resolver.resolve(path, *language, import));
            imports.iter().map(resolve).collect()
        });
        for ((path, ..), imports) in imports.iter().zip(&resolved) {
            builder.add_imports(path, imports);
        }
        let corpus = corpus.finish(builder.finish());
        let past = self.context_past(&scan, &corpus);
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        Ok(ContextRepository {
            recall: self.recall(&scan.files),
            files: scan.files,
            numbers,
            corpus,
            vectors,
            versions,
            summaries,
            past,
        })
    }
}
