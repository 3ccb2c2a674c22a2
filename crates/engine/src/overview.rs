//! Summary of all files, which every output shows before the files.

use std::collections::BTreeMap;
use std::fmt;

use loom_models::Tokenizer;
use loom_wire::{LanguageInfo, LeftOutCount, RevisionInfo, Statistics};

use crate::tree::TokenTree;
use crate::{FileMeta, Guidance, Section};

/// Totals of a repository, its languages and its tree.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The name of the repository.
    pub name: String,
    /// Tokenizer of the counts.
    pub tokenizer: Tokenizer,
    /// Number of files.
    pub files: usize,
    /// Number of lines.
    pub lines: usize,
    /// Bytes of all texts.
    pub bytes: usize,
    /// Tokens of all texts.
    pub tokens: usize,
    /// The languages, the one with most tokens first.
    pub languages: Vec<LanguageShare>,
    /// Number of skipped files by reason.
    pub left_out: Vec<LeftOutShare>,
    /// Directories and files with their tokens.
    pub tree: TokenTree,
    /// The user's texts for the reader.
    pub guidance: Guidance,
    /// Git changes, history and other sections.
    pub sections: Vec<Section>,
    /// Revision that the marked changes start from, if changes are marked.
    pub marked_since: Option<String>,
    /// True if parts of files were elided.
    pub is_shortened: bool,
    /// True if the files are pieces selected for a query, with reasons.
    pub tells_choice: bool,
    /// A remark on the selection, which begins the explanation.
    pub remark: Option<String>,
    /// Part of a split pack, if it is split.
    pub part: Option<Part>,
    /// Commits that the files come from, if they do not come from directories.
    pub revisions: Vec<Revision>,
}

/// One part of a split pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of the part, from 1.
    pub number: usize,
    /// Number of parts.
    pub total: usize,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.number, self.total)
    }
}

/// A commit that files come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Prefix of the paths of its files, if there are several roots.
    pub tree: Option<String>,
    /// The branch, tag or hash that the user named.
    pub name: String,
    /// The full hash of the commit.
    pub commit: String,
}

impl Revision {
    /// Returns the name and the hash on one line, for people.
    pub(crate) fn words(&self) -> String {
        let Self { tree, name, commit } = self;
        let words = match tree {
            Some(tree) => format!("{tree}: revision {name}, commit {commit}"),
            None => format!("revision {name}, commit {commit}"),
        };
        words.replace(['\n', '\r'], " ")
    }
}

/// The share of one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageShare {
    /// Name for people; `Other` for files of no known language.
    pub name: &'static str,
    /// Number of files.
    pub files: usize,
    /// Number of lines.
    pub lines: usize,
    /// Number of tokens.
    pub tokens: usize,
}

/// Number of skipped files for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutShare {
    /// Short name of the reason.
    pub reason: &'static str,
    /// Number of files and directories.
    pub count: usize,
    /// Number of directories among them, each with all its files.
    pub directories: usize,
}

impl LeftOutShare {
    /// Returns the share in words: `1 gitignore directory`, `3 gitignore (1 of them a directory)`.
    pub fn words(&self) -> String {
        let Self {
            reason,
            count,
            directories,
        } = self;
        match directories {
            0 => format!("{count} {reason}"),
            1 if *count == 1 => format!("1 {reason} directory"),
            _ if directories == count => format!("{count} {reason} directories"),
            1 => format!("{count} {reason} (1 of them a directory)"),
            _ => format!("{count} {reason} ({directories} of them directories)"),
        }
    }

    fn to_wire(&self) -> LeftOutCount {
        LeftOutCount {
            reason: self.reason.to_owned(),
            count: self.count,
            directories: self.directories,
        }
    }
}

impl Overview {
    /// Summarises `files`, which must be sorted by path.
    pub fn new<'a>(
        name: &str,
        tokenizer: impl Into<Tokenizer>,
        files: impl IntoIterator<Item = &'a FileMeta>,
        left_out: Vec<LeftOutShare>,
    ) -> Self {
        let nothing = Self {
            name: name.to_owned(),
            tokenizer: tokenizer.into(),
            files: 0,
            lines: 0,
            bytes: 0,
            tokens: 0,
            languages: Vec::new(),
            left_out: Vec::new(),
            tree: TokenTree::default(),
            guidance: Guidance::NONE,
            sections: Vec::new(),
            marked_since: None,
            is_shortened: false,
            tells_choice: false,
            remark: None,
            part: None,
            revisions: Vec::new(),
        };
        nothing.of_files(files, left_out)
    }

    /// Summarises other files of the repository, sorted by path.
    #[must_use]
    pub fn of_files<'a>(
        &self,
        files: impl IntoIterator<Item = &'a FileMeta>,
        left_out: Vec<LeftOutShare>,
    ) -> Self {
        let mut overview = Self {
            files: 0,
            lines: 0,
            bytes: 0,
            tokens: 0,
            languages: Vec::new(),
            left_out,
            tree: TokenTree::default(),
            name: self.name.clone(),
            tokenizer: self.tokenizer,
            guidance: self.guidance.clone(),
            sections: self.sections.clone(),
            marked_since: self.marked_since.clone(),
            is_shortened: false,
            tells_choice: self.tells_choice,
            remark: self.remark.clone(),
            part: self.part,
            revisions: self.revisions.clone(),
        };
        let mut languages: BTreeMap<&'static str, LanguageShare> = BTreeMap::new();
        for file in files {
            overview.add(file);
            add_to(&mut languages, file.language_name(), file);
        }
        overview.languages = languages.into_values().collect();
        // Languages with equal shares stay sorted by name.
        overview
            .languages
            .sort_by_key(|share| std::cmp::Reverse(share.tokens));
        overview
    }

    fn add(&mut self, file: &FileMeta) {
        self.files += 1;
        self.lines += file.lines;
        self.bytes += file.bytes;
        self.tokens += file.tokens;
        self.tree.add(&file.path, file.tokens);
        self.is_shortened |= file.has_marks_for_lines();
    }

    /// Returns sentences about this pack that do not apply to every pack of its format, if there
    /// are any.
    pub(crate) fn explanation(&self) -> Option<String> {
        let remark = self.remark.as_ref();
        let sentences: Vec<String> = [
            remark.map(|remark| format!("{remark}.")),
            self.about_choice(),
            self.about_marks(),
            self.about_shortening(),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    fn about_choice(&self) -> Option<String> {
        self.tells_choice.then(|| {
            "What is here was chosen for a question. A piece of a file is cited as \
PATH:FIRST-LAST; its note says how well it fits against the best, which is 1, and why."
                .to_owned()
        })
    }

    fn about_shortening(&self) -> Option<String> {
        self.is_shortened.then(|| {
            "Of a file whose note says \"lines left out\", parts are not here: a comment such as \
\"… 24 lines\" stands for so many lines."
                .to_owned()
        })
    }

    fn about_marks(&self) -> Option<String> {
        let base = self.marked_since.as_ref()?;
        let base = base.replace(['\n', '\r'], " ");
        Some(format!(
            "In a file whose note says \"changes marked\", the first character of each line is a \
mark and not the file's: + for a line added or changed since {base}, a space for any other. A line \
that starts with - only says how many lines were removed there."
        ))
    }

    /// Converts the statistics for programs.
    pub fn to_wire(&self) -> Statistics {
        let language = |share: &LanguageShare| LanguageInfo {
            name: share.name.to_owned(),
            files: share.files,
            lines: share.lines,
            tokens: share.tokens,
        };
        let revision = |revision: &Revision| RevisionInfo {
            tree: revision.tree.clone(),
            name: revision.name.clone(),
            commit: revision.commit.clone(),
        };
        Statistics {
            files: self.files,
            lines: self.lines,
            bytes: self.bytes,
            tokens: self.tokens,
            vocabulary: self.tokenizer.label().into_owned(),
            languages: self.languages.iter().map(language).collect(),
            left_out: self.left_out.iter().map(LeftOutShare::to_wire).collect(),
            revisions: self.revisions.iter().map(revision).collect(),
        }
    }
}

fn add_to(
    languages: &mut BTreeMap<&'static str, LanguageShare>,
    name: &'static str,
    file: &FileMeta,
) {
    let share = languages.entry(name).or_insert(LanguageShare {
        name,
        files: 0,
        lines: 0,
        tokens: 0,
    });
    share.files += 1;
    share.lines += file.lines;
    share.tokens += file.tokens;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_directories_are_not_told_as_files() {
        for (count, directories, expected) in [
            (3, 0, "3 ignored"),
            (1, 1, "1 ignored directory"),
            (2, 2, "2 ignored directories"),
            (3, 1, "3 ignored (1 of them a directory)"),
            (5, 2, "5 ignored (2 of them directories)"),
        ] {
            let share = LeftOutShare {
                reason: "ignored",
                count,
                directories,
            };
            assert_eq!(share.words(), expected);
        }
    }
}
