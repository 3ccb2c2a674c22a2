//! Queries drawn from the files themselves, with options mixed, the same for one seed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use loom_host::{Case, Query, QueryOptions};

/// A query as both are asked it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) text: String,
    is_regex: bool,
    case: Case,
    is_word: bool,
}

impl Asked {
    pub(crate) fn query(&self) -> Result<Query> {
        let options = QueryOptions {
            case: self.case,
            is_word: self.is_word,
            ..QueryOptions::default()
        };
        Ok(match self.is_regex {
            true => Query::regex(&self.text, &options)?,
            false => Query::literal(&self.text, &options)?,
        })
    }

    /// What ripgrep is told.
    pub(crate) fn flags(&self) -> Vec<&'static str> {
        let case = match self.case {
            Case::Sensitive => "-s",
            Case::Insensitive => "-i",
            Case::Smart => "-S",
        };
        let mut flags = Vec::from(
            ["-F"]
                .get(..usize::from(!self.is_regex))
                .unwrap_or_default(),
        );
        flags.extend(Some(case).filter(|case| *case != "-s"));
        flags.extend(self.is_word.then_some("-w"));
        flags
    }

    pub(crate) fn kind_flag(&self) -> &'static str {
        if self.is_regex { "--regex" } else { "-F" }
    }
}

impl Asked {
    pub(crate) fn is_any_case(&self) -> bool {
        self.case == Case::Insensitive
    }

    /// The query as an expression for those that take nothing else.
    pub(crate) fn expression(&self) -> String {
        let text = match self.is_regex {
            true => self.text.clone(),
            false => escape(&self.text),
        };
        match self.is_word {
            true => format!("\\b(?:{text})\\b"),
            false => text,
        }
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if "\\.+*?()|[]{}^$#&-~".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Draws queries.
pub(crate) struct Draw {
    state: u64,
    tree: PathBuf,
    files: Vec<String>,
}

impl Draw {
    pub(crate) fn new(seed: u64, tree: &Path, files: &[String]) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            tree: tree.to_owned(),
            files: files.to_vec(),
        }
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % end.max(1) as u64) as usize
    }

    fn line(&mut self) -> String {
        loop {
            let at = self.below(self.files.len());
            let Ok(text) = fs::read_to_string(self.tree.join(&self.files[at])) else {
                continue;
            };
            let lines: Vec<&str> = text.lines().filter(|line| line.trim().len() > 4).collect();
            if !lines.is_empty() {
                return lines[self.below(lines.len())].trim().to_owned();
            }
        }
    }

    fn word(&mut self) -> String {
        loop {
            let line = self.line();
            let words: Vec<&str> = line
                .split(|c: char| c != '_' && !c.is_alphanumeric())
                .filter(|word| word.chars().count() > 2)
                .collect();
            if !words.is_empty() {
                return words[self.below(words.len())].to_owned();
            }
        }
    }

    fn literal(&mut self) -> String {
        if self.below(5) < 2 {
            return self.word();
        }
        let line: Vec<char> = self.line().chars().collect();
        let start = self.below(line.len());
        let length = [1, 2, 3, 4, 6, 8, 12, 20, 40][self.below(9)];
        line[start..].iter().take(length).collect()
    }

    fn escaped(&mut self) -> String {
        escape(&self.literal())
    }

    fn regex(&mut self) -> String {
        let start = |word: String| word.chars().take(3).collect::<String>();
        match self.below(15) {
            0 => format!("{}.*{}", self.escaped(), self.escaped()),
            1 => format!("{}|{}", self.escaped(), self.escaped()),
            2 => format!("^\\s*{}", self.word()),
            3 => format!("{}$", self.word()),
            4 => format!("\\b{}\\b", self.word()),
            5 => format!("{}\\(", self.word()),
            6 => format!("\\w+{}", self.escaped()),
            7 => format!("({}|{})_?{}", self.word(), self.word(), start(self.word())),
            8 => {
                let both = |c: char| match c.is_ascii_alphabetic() {
                    true => format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase()),
                    false => c.to_string(),
                };
                self.word().chars().map(both).collect()
            }
            9 => format!("{}\\d+", start(self.word())),
            10 => format!("{}\\s+\\S+", self.escaped()),
            11 => format!("[A-Z]{{3,}}_{}", self.word()),
            12 => format!("(?i){}[^a-z]+{}", self.word(), start(self.word())),
            13 => format!("\\A{}|{}\\z", self.word(), self.escaped()),
            _ => format!(
                "\\w{{{}}}\\s\\w{{{}}}",
                12 + self.below(9),
                9 + self.below(9)
            ),
        }
    }

    pub(crate) fn query(&mut self) -> Asked {
        let is_regex = self.below(2) == 0;
        let text = match is_regex {
            true => self.regex(),
            false => self.literal(),
        };
        Asked {
            text,
            is_regex,
            case: match self.below(10) {
                0..3 => Case::Insensitive,
                3 => Case::Smart,
                _ => Case::Sensitive,
            },
            is_word: self.below(4) == 0,
        }
    }
}
