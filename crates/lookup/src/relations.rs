//! What the files of a source import, and what its tests test.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_program::{Resolution, Subjects, Tested};
use loom_syntax::{Import, Language, Structure};

/// What one file imports.
#[derive(Clone, Debug)]
pub struct FileImports {
    /// Its path.
    pub path: RepoPath,
    /// Each import, and what it means.
    pub imports: Vec<(Import, Resolution)>,
}

/// What the files of a source have to do with each other.
#[derive(Debug, Default)]
pub struct Relations {
    imports: HashMap<RepoPath, Vec<(Import, Resolution)>>,
    subjects: Subjects,
}

impl Relations {
    /// What a file imports.
    pub fn imports(&self, path: &RepoPath) -> &[(Import, Resolution)] {
        self.imports.get(path).map_or(&[], Vec::as_slice)
    }

    /// What the tests of a file with this structure test.
    pub fn tested(&self, path: &RepoPath, structure: &Structure) -> Tested {
        self.subjects.of(path, structure, self.imports(path))
    }

    /// Adds what a file defines.
    pub fn add_file(&mut self, path: &RepoPath, language: Language, structure: &Structure) {
        self.subjects.add_file(path, language, structure);
    }

    /// Adds what a file imports, after all files were added.
    pub fn add_imports(&mut self, file: FileImports) {
        self.subjects.add_imports(&file.path, &file.imports);
        self.imports.insert(file.path, file.imports);
    }
}
