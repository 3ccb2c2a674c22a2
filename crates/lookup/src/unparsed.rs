//! A single warning for all files that are read by lines because a parse needs too much memory.

use loom_base::RepoPath;

use crate::FileStructure;

/// Counts the files whose parse ran out of memory.
#[derive(Debug, Default)]
pub struct Unparsed {
    first: Option<RepoPath>,
    others: usize,
}

impl Unparsed {
    /// Notes a file if its parse ran out of memory.
    pub fn note(&mut self, file: &FileStructure) {
        if !file.structure.is_out_of_memory() {
            return;
        }
        match self.first {
            None => self.first = Some(file.path.clone()),
            Some(_) => self.others += 1,
        }
    }

    /// Returns the warning, if there is such a file.
    pub fn warning(&self) -> Option<String> {
        let first = self.first.as_ref()?.display();
        let others = match self.others {
            0 => String::new(),
            1 => " and 1 more file".to_owned(),
            count => format!(" and {count} more files"),
        };
        Some(format!(
            "reading {first}{others} by lines: a parse needs more memory than \
             `--max-memory` allows"
        ))
    }
}

#[cfg(test)]
mod tests {
    use loom_base::ContentHash;
    use loom_syntax::{Finding, FindingKind, Structure};

    use super::*;

    fn file(path: &str, kind: Option<FindingKind>) -> FileStructure {
        let finding = |kind| Finding { kind, line: None };
        FileStructure {
            path: RepoPath::new(path).unwrap(),
            language: None,
            structure: Structure {
                findings: kind.map(finding).into_iter().collect(),
                ..Structure::default()
            },
            hash: ContentHash::from_bytes([0; 32]),
            lines: 1,
        }
    }

    #[test]
    fn warning_names_the_first_file_and_counts_the_rest() {
        let mut unparsed = Unparsed::default();
        unparsed.note(&file("a.js", None));
        unparsed.note(&file("b.js", Some(FindingKind::Broken)));
        assert_eq!(unparsed.warning(), None);
        unparsed.note(&file("c.js", Some(FindingKind::TooMuchMemory)));
        let warning = unparsed.warning().unwrap();
        assert!(warning.starts_with("reading c.js by lines: "), "{warning}");
        unparsed.note(&file("d.js", Some(FindingKind::TooMuchMemory)));
        let warning = unparsed.warning().unwrap();
        assert!(
            warning.contains("c.js and 1 more file by lines"),
            "{warning}"
        );
    }
}
