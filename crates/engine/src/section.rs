//! Parts of a pack beside the files: what git says about changes and history, and what
//! else there is.
//! Every format shows them in its head, escaped as contents are.

use loom_wire::SectionText;

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionKind {
    /// The last commits.
    Log,
    /// The working tree against the index.
    Diff,
    /// The index against the last commit.
    Staged,
    /// The working tree against an earlier commit.
    Since,
    /// What files are about that are not shown.
    Summary,
}

impl SectionKind {
    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Diff => "diff",
            Self::Staged => "staged",
            Self::Since => "since",
            Self::Summary => "summary",
        }
    }

    /// What a fence says about its text.
    pub(crate) fn fence(self) -> &'static str {
        match self {
            Self::Log | Self::Summary => "text",
            Self::Diff | Self::Staged | Self::Since => "diff",
        }
    }
}

/// One section. Its text ends with a line feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    kind: SectionKind,
    title: String,
    repository: Option<String>,
    text: String,
}

impl Section {
    /// A section of that title, which is kept on one line. `repository` is the name
    /// of the tree, where there are several.
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

    /// What it holds.
    pub fn kind(&self) -> SectionKind {
        self.kind
    }

    /// What is compared or listed, in words.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The name of the tree it is about, where there are several.
    pub fn repository(&self) -> Option<&str> {
        self.repository.as_deref()
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Kind, repository and title on one line.
    pub(crate) fn heading(&self) -> String {
        match &self.repository {
            Some(name) => format!("{} of {name}: {}", self.kind.name(), self.title),
            None => format!("{}: {}", self.kind.name(), self.title),
        }
    }

    /// Returns true if git says it.
    pub(crate) fn is_of_git(&self) -> bool {
        self.kind != SectionKind::Summary
    }

    /// The same with who says it.
    pub(crate) fn headline(&self) -> String {
        match self.is_of_git() {
            true => format!("git {}", self.heading()),
            false => self.heading(),
        }
    }

    /// The same for programs.
    pub fn to_wire(&self) -> SectionText<'_> {
        SectionText {
            kind: self.kind.name(),
            title: &self.title,
            repository: self.repository.as_deref(),
            text: &self.text,
        }
    }
}
