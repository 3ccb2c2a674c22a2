//! Resolves the imports between the files of a source, and links tests to the tested code.

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_lookup::{FileImports, Relations};
use loom_program::Resolver;
use loom_source::{FoundFile, Reason, Source, decode};
use loom_syntax::{Import, Language};

use crate::secrets::SecretLearner;
use crate::structures::StructureRun;
use crate::unread::Unread;
use crate::{Cancel, FileStructure, PackError, Packer, Run, StructureOptions};

/// Larger manifests are ignored.
const LARGEST_MANIFEST: u64 = 1_000_000;

/// Follows the imports between the files of a source.
#[derive(Clone, Copy, Debug)]
pub struct ImportFollower<'a> {
    packer: &'a Packer,
    options: &'a StructureOptions,
    run: &'a Run,
    cancel: &'a Cancel,
}

impl<'a> ImportFollower<'a> {
    /// Creates a pass that `cancel` ends. The run records unreadable files.
    pub fn new(
        packer: &'a Packer,
        options: &'a StructureOptions,
        run: &'a Run,
        cancel: &'a Cancel,
    ) -> Self {
        Self {
            packer,
            options,
            run,
            cancel,
        }
    }

    /// Returns the imports of every file that has some, ordered by path. It scans all files for
    /// their declarations first, and keeps only those.
    ///
    /// # Errors
    /// If the caller cancels.
    pub fn imports(self) -> Result<Vec<FileImports>, PackError> {
        self.followed(|_, _| {})
    }

    /// Returns the imports and definitions of all files, which link tests to the tested code.
    ///
    /// # Errors
    /// If the caller cancels.
    pub fn relations(self) -> Result<Relations, PackError> {
        let mut relations = Relations::default();
        let files = self.followed(|file, language| {
            relations.add_file(&file.path, language, &file.structure);
        })?;
        files
            .into_iter()
            .for_each(|file| relations.add_imports(file));
        Ok(relations)
    }

    fn followed(
        self,
        mut each: impl FnMut(&FileStructure, Language),
    ) -> Result<Vec<FileImports>, PackError> {
        let Self {
            packer,
            options,
            run,
            cancel,
        } = self;
        let scan = packer.listed(&packer.options.scan);
        run.unread.note_directories(&scan);
        if options.redacts {
            let elsewhere = SecretLearner::new(packer, run.control(cancel)).elsewhere(&scan)?;
            run.secrets.know(&elsewhere);
        }
        let mut resolver = import_resolver(&packer.source, &scan.files, &run.unread);
        let mut found: Vec<(RepoPath, Language, Vec<Import>)> = Vec::new();
        let structures = StructureRun::new(packer, options, run, cancel);
        structures.of(&scan.files, |file| {
            if let Some(language) = file.language {
                resolver.add_file(&file.path, language, &file.structure);
                each(&file, language);
                if !file.structure.imports.is_empty() {
                    found.push((file.path, language, file.structure.imports));
                }
            }
            ControlFlow::Continue(())
        })?;
        run.unread.warn(resolver.limits_met());
        let resolved = found.into_iter().map(|(path, language, imports)| {
            let resolve = |import: Import| {
                let meaning = resolver.resolve(&path, language, &import);
                (import, meaning)
            };
            FileImports {
                imports: imports.into_iter().map(resolve).collect(),
                path: path.clone(),
            }
        });
        Ok(resolved.collect())
    }
}

/// Builds a resolver from the paths and manifests of the source. Warns about the limits that
/// manifests exceed.
pub(crate) fn import_resolver(source: &Source, files: &[FoundFile], unread: &Unread) -> Resolver {
    let mut resolver = Resolver::new(files.iter().map(|file| &file.path));
    let manifests = files
        .iter()
        .filter(|file| Resolver::is_manifest(&file.path));
    for file in manifests {
        match source.read(file, LARGEST_MANIFEST) {
            Ok(reading) => {
                if let Ok(decoded) = decode(reading.bytes) {
                    resolver.add_manifest(&file.path, &decoded.text);
                }
            }
            Err(Reason::TooLarge { size, .. }) => unread.warn([format!(
                "following imports without {}: it has {size} bytes, the limit is \
                 {LARGEST_MANIFEST}",
                file.path
            )]),
            Err(_) => {}
        }
    }
    unread.warn(resolver.limits_met());
    resolver
}
