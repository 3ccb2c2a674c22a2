//! Fewer tokens of one text: what a level leaves out, and what stays whatever the
//! level. Pure: text in, text out; strings and white space that mean something are
//! never touched, and what is left out leaves a mark.
//!
//! The syntax tree says where bodies, literals and comments are. Without a grammar
//! only white space goes, and only where that is safe.

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
#[cfg(feature = "grammars")]
mod look;
mod mark;
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

use loom_base::LineSpan;

use crate::{Language, Limits};

pub use draft::{Draft, drafts};
pub use level::Level;
pub use lines::LineMap;
pub use preserve::{Kept, Preserve};
pub use transform::{Transform, cut_lines, transform};

/// What is to be left out of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compression {
    /// How much.
    pub level: Level,
    /// What stays all the same.
    pub preserve: Preserve,
    /// Whether comments go, documentation too.
    pub remove_comments: bool,
    /// Whether blank lines go, and indentation where it means nothing.
    pub minify_whitespace: bool,
}

impl Compression {
    /// Of that level, and nothing else.
    pub fn at(level: Level) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }

    /// Whether the text stays as it is.
    pub fn is_nothing(&self) -> bool {
        self.level == Level::None && !self.remove_comments && !self.minify_whitespace
    }
}

/// A text of which something was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed {
    /// The rest, with marks.
    pub text: String,
    /// Which lines its lines were.
    pub lines: LineMap,
    /// What was left out, in order; white space is not listed.
    pub elided: Vec<Elided>,
    /// How far it went: a gentler level than was asked for where the grammar would no
    /// longer read the result, or where there is no grammar.
    pub level: Level,
    /// The level that was asked for and why it was not taken, where that is so.
    pub gentler: Option<(Level, Gentler)>,
}

/// Why a gentler level was taken than was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gentler {
    /// The text has no grammar, or is not parsed.
    NotParsed,
    /// The grammar would no longer read the result.
    Unreadable,
    /// A list of the symbols would be little shorter.
    NoShorter,
    /// It would take more tokens, with the note about it.
    Longer,
}

impl Gentler {
    /// The one with that reason.
    pub fn from_reason(reason: &str) -> Option<Self> {
        let all = [
            Self::NotParsed,
            Self::Unreadable,
            Self::NoShorter,
            Self::Longer,
        ];
        all.into_iter().find(|one| one.reason() == reason)
    }

    /// The reason in words.
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
    /// The text as it is, because that level would take more tokens.
    pub fn as_it_is(text: &str, asked: Level) -> Self {
        unparsed(text, space::Space::KEPT, Level::None).asked(asked, Gentler::Longer)
    }

    /// Says why a grammar has led to a gentler level than that, where it has.
    #[cfg(feature = "grammars")]
    fn asked_of_grammar(self, level: Level) -> Self {
        let why = match (level, self.level) {
            (Level::Extreme, Level::Aggressive) => Gentler::NoShorter,
            _ => Gentler::Unreadable,
        };
        self.asked(level, why)
    }

    /// Says why, where a gentler level than that was taken.
    fn asked(mut self, level: Level, why: Gentler) -> Self {
        self.gentler = (self.level < level).then_some((level, why));
        self
    }
}

/// A part of a text that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elided {
    /// What it was.
    pub what: ElidedKind,
    /// The lines it had.
    pub lines: LineSpan,
    /// How many lines its mark says were left out; 0 where it has none.
    pub marked: usize,
}

/// What a part that was left out was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ElidedKind {
    /// The licence at the start.
    Licence,
    /// A body of a function.
    Body,
    /// Elements of a data literal.
    Literal,
    /// Comments.
    Comment,
    /// Statements outside functions.
    Statements,
    /// Paragraphs of a document.
    Prose,
    /// All but one line a symbol.
    Source,
    /// Parts of lines of which something is shown.
    Parts,
    /// What lies beyond the lines that were asked for.
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

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The word for programs.
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

/// The text without what `how` leaves out. No text makes it fail.
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
        return compressed.asked_of_grammar(how.level);
    }
    #[cfg(not(feature = "grammars"))]
    let _ = limits;
    let mut space = space::Space::of_lines(id);
    if how.minify_whitespace {
        space = space.minified(id.unwrap_or_default(), text);
    }
    unparsed(text, space, how.level.min(Level::Minimal)).asked(how.level, Gentler::NotParsed)
}

fn unparsed(text: &str, space: space::Space, level: Level) -> Compressed {
    let mut compressed = edit::apply(text, &[], &[], space);
    compressed.level = level;
    compressed
}
