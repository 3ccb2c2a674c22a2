//! Sections of a pack before the files: git's changes and history, and summaries. Every format
//! escapes them like contents.

use loom_wire::SectionText;

/// Kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionKind {
    /// The last commits.
    Log,
    /// Changes from the index to the working tree.
    Diff,
    /// Changes from the last commit to the index.
    Staged,
    /// Changes from an earlier commit to the working tree.
    Since,
    /// Summaries of files that are not shown.
    Summary,
}

impl SectionKind {
    /// Returns its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Diff => "diff",
            Self::Staged => "staged",
            Self::Since => "since",
            Self::Summary => "summary",
        }
    }

    /// Returns the language of its code fence.
    pub(crate) fn fence(self) -> &'static str {
        match self {
            Self::Log | Self::Summary => "text",
            Self::Diff | Self::Staged | Self::Since => "diff",
        }
    }
}

/// A section. Its text ends with a newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    kind: SectionKind,
    title: String,
    repository: Option<String>,
    text: String,
}

impl Section {
    /// Creates a section with a one-line title. `repository` is the name of the root, if there are
    /// several.
    pub fn new(kind: SectionKind, title: &str, repository: Option<String>, text: String) -> Self {
        let mut text = text;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Self {
            kind,
            title: title.replace(['\n', '\r'], " "),
            repository,
            text,
        }
    }

    /// Returns the kind.
    pub fn kind(&self) -> SectionKind {
        self.kind
    }

    /// Returns the title: the comparison or list, in words.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the name of its root, if there are several.
    pub fn repository(&self) -> Option<&str> {
        self.repository.as_deref()
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns kind, repository and title on one line.
    pub(crate) fn heading(&self) -> String {
        match &self.repository {
            Some(name) => format!("{} of {name}: {}", self.kind.name(), self.title),
            None => format!("{}: {}", self.kind.name(), self.title),
        }
    }

    /// Returns true if the section comes from git.
    pub(crate) fn is_of_git(&self) -> bool {
        self.kind != SectionKind::Summary
    }

    /// Returns the heading with the origin of the section.
    pub(crate) fn headline(&self) -> String {
        match self.is_of_git() {
            true => format!("git {}", self.heading()),
            false => self.heading(),
        }
    }

    /// Converts the section for programs.
    pub fn to_wire(&self) -> SectionText<'_> {
        SectionText {
            kind: self.kind.name().into(),
            title: self.title.as_str().into(),
            repository: self.repository.as_deref().map(Into::into),
            text: self.text.as_str().into(),
        }
    }
}
