//! What the files of a source import, followed to other files of the source.

use std::ops::ControlFlow;

use loom_base::RepoPath;
use loom_source::decode;
use loom_syntax::{Import, Language, Resolution, Resolver};

use crate::{Cancel, PackError, Packer, StructureOptions};

/// A larger manifest is none.
const LARGEST_MANIFEST: u64 = 1_000_000;

/// What one file imports.
#[derive(Clone, Debug)]
pub struct FileImports {
    /// Its path.
    pub path: RepoPath,
    /// Each import, and what it means.
    pub imports: Vec<(Import, Resolution)>,
}

impl Packer {
    /// The imports of every file that has some, ordered by path. All files are looked
    /// at once for what they declare, and only that is kept.
    ///
    /// # Errors
    /// When a stop was asked for.
    pub fn imports(
        &self,
        options: &StructureOptions,
        cancel: &Cancel,
    ) -> Result<Vec<FileImports>, PackError> {
        let scan = self.source.scan(&self.options.scan);
        let mut resolver = Resolver::new(scan.files.iter().map(|file| &file.path));
        let manifests = scan
            .files
            .iter()
            .filter(|file| Resolver::is_manifest(&file.path));
        for file in manifests {
            if let Ok(reading) = self.source.read(file, LARGEST_MANIFEST)
                && let Ok(decoded) = decode(reading.bytes)
            {
                resolver.add_manifest(&file.path, &decoded.text);
            }
        }
        let mut found: Vec<(RepoPath, Language, Vec<Import>)> = Vec::new();
        self.structures(options, cancel, |file| {
            if let Some(language) = file.language {
                resolver.add_file(&file.path, language, &file.structure);
                if !file.structure.imports.is_empty() {
                    found.push((file.path, language, file.structure.imports));
                }
            }
            ControlFlow::Continue(())
        })?;
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
