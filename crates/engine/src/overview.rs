//! What all files together amount to: the head of every output.

use std::collections::BTreeMap;
use std::fmt;

use loom_models::Tokenizer;
use loom_wire::{LanguageInfo, LeftOutCount, RevisionInfo, Statistics};

use crate::tree::TokenTree;
use crate::{FileMeta, Guidance, Section};

/// The totals of a repository, its languages and its tree.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The name of the repository.
    pub name: String,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
    /// How many files there are.
    pub files: usize,
    /// Their lines.
    pub lines: usize,
    /// The bytes of their text.
    pub bytes: usize,
    /// The tokens of their text.
    pub tokens: usize,
    /// The languages, the one with most tokens first.
    pub languages: Vec<LanguageShare>,
    /// What was left out, by reason.
    pub left_out: Vec<LeftOutShare>,
    /// The folders and files with their tokens.
    pub tree: TokenTree,
    /// What the user says to the reader.
    pub guidance: Guidance,
    /// What git says about changes and history.
    pub sections: Vec<Section>,
    /// The revision since which changes are marked in the contents, if they are.
    pub marked_since: Option<String>,
    /// True if something was left out of files.
    pub is_shortened: bool,
    /// True if the files are pieces that were chosen for a question, and say why.
    pub tells_choice: bool,
    /// Which part of a split pack this is.
    pub part: Option<Part>,
    /// The commits that the files come from, where they do not come from folders.
    pub revisions: Vec<Revision>,
}

/// One of the parts that a pack is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 1.
    pub number: usize,
    /// How many there are.
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
    /// What the paths of its files start with, where there are several trees.
    pub tree: Option<String>,
    /// The branch, tag or hash that the user named.
    pub name: String,
    /// The full hash of the commit.
    pub commit: String,
}

impl Revision {
    /// What a person reads: the name and the hash, on one line.
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
    /// The name for people, `Other` for files of no known language.
    pub name: &'static str,
    /// How many files there are.
    pub files: usize,
    /// Their lines.
    pub lines: usize,
    /// Their tokens.
    pub tokens: usize,
}

/// How much was left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutShare {
    /// The reason's short name.
    pub reason: &'static str,
    /// How many files and folders.
    pub count: usize,
}

impl Overview {
    /// Sums up `files`, which are ordered by path.
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
            part: None,
            revisions: Vec::new(),
        };
        nothing.of_files(files, left_out)
    }

    /// The same for other files of the repository, ordered by path.
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
            part: self.part,
            revisions: self.revisions.clone(),
        };
        let mut languages: BTreeMap<&'static str, LanguageShare> = BTreeMap::new();
        for file in files {
            overview.add(file);
            add_to(&mut languages, file.language_name(), file);
        }
        overview.languages = languages.into_values().collect();
        // Equal shares stay in the order of their names.
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

    /// What a reader has to know about this pack beside what holds for all of its
    /// format: sentences, or nothing.
    pub(crate) fn explanation(&self) -> Option<String> {
        let sentences: Vec<String> = [
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

    /// The statistics for programs.
    pub fn to_wire(&self) -> Statistics {
        let language = |share: &LanguageShare| LanguageInfo {
            name: share.name.to_owned(),
            files: share.files,
            lines: share.lines,
            tokens: share.tokens,
        };
        let left_out = |share: &LeftOutShare| LeftOutCount {
            reason: share.reason.to_owned(),
            count: share.count,
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
            left_out: self.left_out.iter().map(left_out).collect(),
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
