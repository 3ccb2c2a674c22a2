//! What all files together amount to: the head of every output.

use std::collections::BTreeMap;

use loom_models::Tokenizer;
use loom_syntax::Language;
use loom_wire::{LanguageInfo, LeftOutCount, Statistics};

use crate::tree::TokenTree;
use crate::{FileMeta, Guidance};

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
        let mut overview = Self {
            name: name.to_owned(),
            tokenizer: tokenizer.into(),
            files: 0,
            lines: 0,
            bytes: 0,
            tokens: 0,
            languages: Vec::new(),
            left_out,
            tree: TokenTree::default(),
            guidance: Guidance::NONE,
        };
        let mut languages: BTreeMap<&'static str, LanguageShare> = BTreeMap::new();
        for file in files {
            overview.add(file);
            let name = file.language.map_or("Other", Language::name);
            add_to(&mut languages, name, file);
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
        Statistics {
            files: self.files,
            lines: self.lines,
            bytes: self.bytes,
            tokens: self.tokens,
            vocabulary: self.tokenizer.label().into_owned(),
            languages: self.languages.iter().map(language).collect(),
            left_out: self.left_out.iter().map(left_out).collect(),
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
