//! Compression of one text to fewer tokens, by levels and options. The module is pure: text in,
//! text out. It never changes strings or significant white space, and elided parts leave a marker.
//!
//! The syntax tree shows bodies, literals and comments. Without a grammar only white space is
//! elided, and only if that is safe.

#[cfg(feature = "grammars")]
mod bodies;
#[cfg(feature = "grammars")]
mod comments;
#[cfg(feature = "grammars")]
mod directive;
#[cfg(feature = "grammars")]
mod docstrings;
mod draft;
mod edit;
#[cfg(feature = "grammars")]
mod extreme;
#[cfg(feature = "grammars")]
mod hidden;
mod level;
#[cfg(feature = "grammars")]
mod licence;
mod lines;
#[cfg(feature = "grammars")]
mod literals;
mod marker;
#[cfg(feature = "grammars")]
mod plan;
mod preserve;
#[cfg(feature = "grammars")]
mod prose;
mod shape;
mod space;
#[cfg(feature = "grammars")]
mod statements;
mod stored;
mod transform;
#[cfg(feature = "grammars")]
mod tree;
#[cfg(feature = "grammars")]
mod tree_facts;

use loom_base::LineSpan;

use crate::{Language, Limits};

pub use draft::{Draft, drafts};
pub use level::Level;
pub use lines::LineMap;
pub use preserve::{Preserve, PreservedKind};
pub use transform::{Transform, cut_lines, transform};

/// Options of compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compression {
    /// Level.
    pub level: Level,
    /// Kinds of text that stay at any level.
    pub preserve: Preserve,
    /// True to elide comments, including documentation.
    pub remove_comments: bool,
    /// True to elide blank lines, and indentation without a meaning.
    pub minify_whitespace: bool,
}

impl Compression {
    /// Creates options with that level only.
    pub fn at(level: Level) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }

    /// Returns whether the text stays unchanged.
    pub fn is_nothing(&self) -> bool {
        self.level == Level::None && !self.remove_comments && !self.minify_whitespace
    }
}

/// Compressed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed {
    /// Remaining text, with markers.
    pub text: String,
    /// Original line numbers.
    pub lines: LineMap,
    /// Elided parts, in order, without white space.
    pub elided: Vec<Elided>,
    /// Level that was used. It is weaker than the requested one if the grammar could not parse the
    /// result, or if there is no grammar.
    pub level: Level,
    /// Requested level and the reason for a weaker one, if one was used.
    pub gentler: Option<(Level, LevelFallback)>,
}

/// Reason for a weaker level than the requested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelFallback {
    /// The text has no grammar, or is not parsed.
    NotParsed,
    /// The grammar could not parse the result.
    Unreadable,
    /// A list of the symbols would be hardly shorter.
    NoShorter,
    /// It would take more tokens, including the note about it.
    Longer,
}

impl LevelFallback {
    /// Returns the variant with that reason.
    pub fn from_reason(reason: &str) -> Option<Self> {
        let all = [
            Self::NotParsed,
            Self::Unreadable,
            Self::NoShorter,
            Self::Longer,
        ];
        all.into_iter().find(|one| one.reason() == reason)
    }

    /// Returns the reason in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotParsed => "no grammar reads the file",
            Self::Unreadable => "the grammar would not read the result",
            Self::NoShorter => "a list of the symbols would be little shorter",
            Self::Longer => "the file would take more tokens, with the note about it",
        }
    }
}

impl Compressed {
    /// Returns the text unchanged, because that level would take more tokens.
    pub fn as_it_is(text: &str, requested: Level) -> Self {
        unparsed(text, space::Space::KEPT, Level::None).requested(requested, LevelFallback::Longer)
    }

    /// Records the reason if the grammar led to a weaker level than `level`.
    #[cfg(feature = "grammars")]
    fn requested_with_grammar(self, level: Level) -> Self {
        let why = match (level, self.level) {
            (Level::Extreme, Level::Aggressive) => LevelFallback::NoShorter,
            _ => LevelFallback::Unreadable,
        };
        self.requested(level, why)
    }

    /// Records the reason if a weaker level than `level` was used.
    fn requested(mut self, level: Level, why: LevelFallback) -> Self {
        self.gentler = (self.level < level).then_some((level, why));
        self
    }
}

/// Elided part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elided {
    /// Kind of the part.
    pub what: ElidedKind,
    /// Original lines.
    pub lines: LineSpan,
    /// Number of elided lines in its marker; 0 without one.
    pub marked: usize,
}

/// Kind of an elided part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ElidedKind {
    /// The licence at the start.
    Licence,
    /// Body of a function.
    Body,
    /// Elements of a data literal.
    Literal,
    /// Comments.
    Comment,
    /// Statements outside of functions.
    Statements,
    /// Paragraphs of a document.
    Prose,
    /// Everything except one line per symbol.
    Source,
    /// Parts of lines that are partly shown.
    Parts,
    /// Text after the requested number of lines.
    Rest,
}

impl ElidedKind {
    const ALL: [Self; 9] = [
        Self::Licence,
        Self::Body,
        Self::Literal,
        Self::Comment,
        Self::Statements,
        Self::Prose,
        Self::Source,
        Self::Parts,
        Self::Rest,
    ];

    /// Returns the kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Licence => "licence",
            Self::Body => "body",
            Self::Literal => "literal",
            Self::Comment => "comment",
            Self::Statements => "statements",
            Self::Prose => "prose",
            Self::Source => "source",
            Self::Parts => "parts",
            Self::Rest => "rest",
        }
    }
}

/// Compresses the text according to `how`. It succeeds for any text.
pub fn compress(
    language: Option<Language>,
    text: &str,
    how: &Compression,
    limits: &Limits,
) -> Compressed {
    let id = language.map(Language::id);
    if how.is_nothing() {
        return unparsed(text, space::Space::KEPT, Level::None);
    }
    #[cfg(feature = "grammars")]
    if let Some(compressed) = id.and_then(|id| tree::compressed(id, text, how, limits)) {
        return compressed.requested_with_grammar(how.level);
    }
    #[cfg(not(feature = "grammars"))]
    let _ = limits;
    let mut space = space::Space::of_lines(id);
    if how.minify_whitespace {
        space = space.minified(id.unwrap_or_default(), text);
    }
    unparsed(text, space, how.level.min(Level::Minimal))
        .requested(how.level, LevelFallback::NotParsed)
}

fn unparsed(text: &str, space: space::Space, level: Level) -> Compressed {
    let mut compressed = edit::apply(text, &[], &[], space);
    compressed.level = level;
    compressed
}
