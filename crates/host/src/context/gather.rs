//! Builds a corpus from the files of a source.

use std::ops::ControlFlow;

use loom_base::ContentHash;
use loom_embed::{CodeTable, VectorsBuilder};
use loom_engine::context::{CorpusBuilder, Past};
use loom_lookup::{PendingImports, Unparsed};
use loom_program::ProgramBuilder;
use loom_source::{FoundFile, Scan};
use loom_store::Version;

use super::ContextRepository;
use super::gathered::Gathered;
use super::history::Histories;
use super::stored::StoredLayer;
use super::study::FileAnalysis;
use crate::cache::{CacheSession, Remember};
use crate::imports::import_resolver;
use crate::reading::FileReader;
use crate::scratch::ScratchFiles;
use crate::secrets::{SecretLearner, is_known_clean};
use crate::structures::StructureRun;
use crate::surveyor::Surveyor;
use crate::threads::Threads;
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer, Run, SecretsMode, StructureOptions};

/// Builds the context layer of a source.
#[derive(Clone, Copy, Debug)]
pub struct ContextBuilder<'a> {
    packer: &'a Packer,
    run: &'a Run,
    cancel: &'a Cancel,
}

impl<'a> ContextBuilder<'a> {
    /// Creates a pass that `cancel` ends. The run records unreadable files.
    pub fn new(packer: &'a Packer, run: &'a Run, cancel: &'a Cancel) -> Self {
        Self {
            packer,
            run,
            cancel,
        }
    }

    /// Reads the source for contexts. If nothing changed, it loads the stored context layer
    /// instead.
    ///
    /// # Errors
    /// If the caller cancels, or the run finds secrets in mode `fail`.
    pub fn build(self) -> Result<ContextRepository, PackError> {
        let (packer, run, cancel) = (self.packer, self.run, self.cancel);
        if packer.options.secrets.mode == SecretsMode::Fail {
            Surveyor::new(packer, &crate::NoProgress, cancel).survey()?;
        }
        let (scan, memory) = packer.scan_remembering(&run.unread, Remember::Contents);
        run.unread
            .note_large(&scan.files, packer.options.max_file_size);
        let learner = SecretLearner::new(packer, run.control(cancel));
        let elsewhere = learner.elsewhere(&scan)?;
        run.secrets.know(&elsewhere);
        let recall = packer.recall_from(&scan.files, memory);
        let histories = Histories::of(packer, &scan);
        let stored = StoredLayer::of(packer, &scan.files, &elsewhere, &recall, histories.id());
        if let Some(stored) = &stored
            && let Some((mut gathered, is_today)) = stored.read()
            && let Some(versions) = known_versions(&gathered.numbers, &recall)
        {
            gathered.versions = versions;
            if packer.options.secrets.mode.hides() {
                let which = &gathered.with_secrets;
                let reader = FileReader::new(packer, &recall, &run.unread);
                let known = learner.of_files(&scan.files, which, reader)?;
                run.secrets.know(&known.copies);
            }
            if !is_today {
                gathered.past = histories.past(&gathered.corpus);
                stored.write(&gathered);
            }
            return Ok(ContextRepository::new(scan.files, gathered, recall, run));
        }
        drop(recall);
        let mut gathered = self.gathered(&scan)?;
        gathered.past = histories.past(&gathered.corpus);
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        let recall = packer.recall(&scan.files);
        // A layer of files that changed while they were read must not be stored.
        if known_versions(&gathered.numbers, &recall).as_ref() == Some(&gathered.versions)
            && let Some(stored) =
                StoredLayer::of(packer, &scan.files, &elsewhere, &recall, histories.id())
        {
            let all = 0..scan.files.len();
            let reader = FileReader::new(packer, &recall, &run.unread);
            let is_clean = |at: &usize| is_known_clean(reader.file(&scan.files[*at], *at));
            gathered.with_secrets = all.filter(|at| !is_clean(at)).collect();
            stored.write(&gathered);
        }
        Ok(ContextRepository::new(scan.files, gathered, recall, run))
    }

    /// Builds the context layer without the history.
    fn gathered(self, scan: &Scan) -> Result<Gathered, PackError> {
        let (packer, run, cancel) = (self.packer, self.run, self.cancel);
        let options = StructureOptions {
            redacts: true,
            ..StructureOptions::default()
        };
        let limits = Unread::default();
        let mut resolver = import_resolver(&packer.source, &scan.files, &limits);
        let scratch = ScratchFiles::new(&packer.options);
        let mut builder = ProgramBuilder::new(&scratch);
        let mut corpus = CorpusBuilder::new(&scratch);
        let (mut numbers, mut versions, mut summaries) = (Vec::new(), Vec::new(), Vec::new());
        let mut vectors = VectorsBuilder::new(CodeTable::DIMENSIONS, &scratch);
        let mut about = VectorsBuilder::new(CodeTable::DIMENSIONS, &scratch);
        let mut imports = PendingImports::new(&scratch);
        let mut unparsed = Unparsed::default();
        StructureRun::new(packer, &options, run, cancel).with(
            &scan.files,
            |material| FileAnalysis::remembered(&material),
            |at, file, study| {
                unparsed.note(&file);
                numbers.push(at);
                versions.push(file.hash);
                corpus.add(&file.path, file.language, &study.cut);
                vectors.append(&study.vectors);
                summaries.push(study.summary);
                about.append(&study.about);
                if let Some(language) = file.language {
                    resolver.add_file(&file.path, language, &file.structure);
                    builder.add_file(&file.path, language, &file.structure);
                    imports.add(file.path, language, &file.structure.imports);
                }
                ControlFlow::Continue(())
            },
        )?;
        let met = resolver.limits_met().into_iter();
        limits.warn(met.chain(unparsed.warning()));
        let threads = Threads(packer.options.thread_count());
        let lost = |error| scratch.lost(error);
        let resolved = imports.resolve(&resolver, &mut builder, &threads);
        drop(resolver);
        let program = resolved.and_then(|()| builder.finish()).map_err(lost)?;
        let corpus = corpus.finish(program).map_err(lost)?;
        let vectors = vectors.finish().map_err(lost)?;
        let about = about.finish().map_err(lost)?;
        run.unread.warn(scratch.warning());
        Ok(Gathered {
            numbers,
            corpus,
            vectors,
            versions,
            summaries,
            about,
            past: Past::default(),
            with_secrets: Vec::new(),
            warnings: limits.warnings(),
        })
    }
}

/// Returns the cached versions of the files; `None` if one is unknown.
fn known_versions(numbers: &[usize], recall: &CacheSession) -> Option<Vec<ContentHash>> {
    let version = |at: &usize| match recall.version(*at)?.1 {
        Version::Content(_, hash) => Some(*hash),
        Version::Binary => None,
    };
    numbers.iter().map(version).collect()
}

impl ContextRepository {
    fn new(files: Vec<FoundFile>, gathered: Gathered, recall: CacheSession, run: &Run) -> Self {
        run.unread.warn(gathered.warnings);
        Self {
            secrets: run.secrets.copies(),
            files,
            numbers: gathered.numbers,
            versions: gathered.versions,
            corpus: gathered.corpus,
            vectors: gathered.vectors,
            summaries: gathered.summaries,
            about: gathered.about,
            past: gathered.past,
            recall,
        }
    }
}
