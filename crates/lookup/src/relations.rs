//! Imports of all files, and the code that each test file tests.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_program::{Resolution, Subjects, Tested};
use loom_syntax::{Import, Language, Structure};

/// The imports of one file.
#[derive(Clone, Debug)]
pub struct FileImports {
    /// Its path.
    pub path: RepoPath,
    /// Each import with its resolution.
    pub imports: Vec<(Import, Resolution)>,
}

/// Imports and tests across the files of a source.
#[derive(Debug, Default)]
pub struct Relations {
    imports: HashMap<RepoPath, Vec<(Import, Resolution)>>,
    subjects: Subjects,
}

impl Relations {
    /// Returns the imports of a file.
    pub fn imports(&self, path: &RepoPath) -> &[(Import, Resolution)] {
        self.imports.get(path).map_or(&[], Vec::as_slice)
    }

    /// Returns the code that the tests of a file with this structure test.
    pub fn tested(&self, path: &RepoPath, structure: &Structure) -> Tested {
        self.subjects.of(path, structure, self.imports(path))
    }

    /// Adds the definitions of a file.
    pub fn add_file(&mut self, path: &RepoPath, language: Language, structure: &Structure) {
        self.subjects.add_file(path, language, structure);
    }

    /// Adds the imports of a file. Call this after all files were added.
    pub fn add_imports(&mut self, file: FileImports) {
        self.subjects.add_imports(&file.path, &file.imports);
        self.imports.insert(file.path, file.imports);
    }
}
