//! The texts that `voice.tsv` counts in, each as one string.

use std::collections::BTreeSet;

use regex::Regex;

use crate::tidy::checkout::{Checkout, TextFile};

/// Fixtures here define types with names of other languages.
const LANGUAGES: &str = "crates/syntax/src/languages/";

/// A group of texts with separate limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surface {
    /// Pages in the root, `docs/guides` and `docs/concepts`.
    Docs,
    /// Doc comments of all Rust files.
    Comments,
    /// The generated help of all commands.
    Help,
    /// Lines of all Rust files, for patterns that match the start of a doc comment.
    Openers,
    /// Lines of production code, for patterns that match a definition.
    Names,
}

impl Surface {
    pub(super) const ALL: [Self; 5] = [
        Self::Docs,
        Self::Comments,
        Self::Help,
        Self::Openers,
        Self::Names,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Docs => "docs",
            Self::Comments => "comments",
            Self::Help => "help",
            Self::Openers => "openers",
            Self::Names => "names",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|surface| surface.name() == name)
    }

    /// Returns true if a pattern matches within one line, and case matters.
    pub(super) fn is_by_line(self) -> bool {
        matches!(self, Self::Openers | Self::Names)
    }
}

/// The text of each surface.
pub(super) struct Texts([String; 5]);

impl Texts {
    pub(super) fn collect(checkout: &Checkout) -> Self {
        Self(Surface::ALL.map(|surface| text(surface, checkout)))
    }

    /// Counts the matches of a pattern in a surface.
    pub(super) fn count(&self, surface: Surface, pattern: &Regex) -> usize {
        pattern.find_iter(&self.0[surface as usize]).count()
    }
}

fn text(surface: Surface, checkout: &Checkout) -> String {
    match surface {
        Surface::Docs => {
            let pages = checkout.files.iter().filter(|file| is_page(&file.path));
            join(pages.flat_map(|file| file.text.lines()))
        }
        Surface::Comments => join(rust(checkout).flat_map(doc_comments)),
        Surface::Help => {
            let help = "docs/reference/cli.md";
            let pages = checkout.files.iter().filter(|file| file.path == help);
            // Commands share most flags: the help of a flag counts once.
            let lines: BTreeSet<&str> = pages.flat_map(|file| file.text.lines()).collect();
            join(lines.into_iter())
        }
        Surface::Openers => lines(rust(checkout)),
        Surface::Names => lines(rust(checkout).filter(|file| is_production(&file.path))),
    }
}

fn rust(checkout: &Checkout) -> impl Iterator<Item = &TextFile> {
    let is_ours = |path: &str| path.starts_with("crates/") || path.starts_with("xtask/");
    checkout.rust().filter(move |file| is_ours(&file.path))
}

fn is_page(path: &str) -> bool {
    let name = path
        .strip_prefix("docs/guides/")
        .or_else(|| path.strip_prefix("docs/concepts/"))
        .unwrap_or(path);
    name.ends_with(".md") && !name.contains('/')
}

fn is_production(path: &str) -> bool {
    let mut parts = path.split('/');
    let folder = match parts.next() {
        Some("crates") => parts.nth(1),
        _ => parts.next(),
    };
    folder == Some("src") && !path.starts_with(LANGUAGES)
}

fn doc_comments(file: &TextFile) -> impl Iterator<Item = &str> {
    file.text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"))
    })
}

/// Joins lines by single spaces, so that a pattern matches across a line break.
fn join<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for word in lines.flat_map(str::split_whitespace) {
        text.push_str(word);
        text.push(' ');
    }
    text
}

fn lines<'a>(files: impl Iterator<Item = &'a TextFile>) -> String {
    let mut text = String::new();
    for file in files {
        text.push_str(&file.text);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_those_of_the_root_guides_and_concepts() {
        assert!(is_page("README.md"));
        assert!(is_page("docs/guides/pack.md"));
        assert!(is_page("docs/concepts/limits.md"));
        assert!(!is_page("docs/reference/cli.md"));
        assert!(!is_page("benchmarks/README.md"));
        assert!(!is_page("docs/guides/pack.rs"));
    }

    #[test]
    fn production_code_is_in_src() {
        assert!(is_production("crates/base/src/path.rs"));
        assert!(is_production("xtask/src/main.rs"));
        assert!(!is_production("crates/base/tests/it/main.rs"));
        assert!(!is_production("crates/syntax/src/languages/lua.rs"));
    }

    #[test]
    fn doc_comments_are_joined_across_lines() {
        let file = TextFile::new("a.rs", "//! What\n//!  is.\n// Not this.\nfn a() {}\n");
        assert_eq!(join(doc_comments(&file)), "What is. ");
    }
}
