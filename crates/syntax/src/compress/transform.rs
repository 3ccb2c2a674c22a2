//! Transforms that a rule of the settings names, as an alternative to a level.

use loom_base::LineSpan;

use super::lines::LineMap;
use super::marker::CommentForm;
use super::shape::data_shape;
use super::{Compressed, Compression, Elided, ElidedKind, Level, compress};
use crate::{Language, Limits, extract};

/// Number of lines that `head` keeps.
const HEAD: usize = 40;

/// Alternative form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Transform {
    /// The names of its tests.
    ExtractTestNames,
    /// Signatures, documentation and types: the level `aggressive`.
    Signatures,
    /// No comments.
    StripComments,
    /// The first 40 lines.
    Head,
    /// For JSON, JSON Lines, CSV and TSV: keys and kinds, no values.
    DataShape,
}

impl Transform {
    /// All transforms, with their names.
    pub const ALL: &[(&'static str, Self)] = &[
        ("extract_test_names", Self::ExtractTestNames),
        ("signatures", Self::Signatures),
        ("strip_comments", Self::StripComments),
        ("head", Self::Head),
        ("data_shape", Self::DataShape),
    ];

    /// Returns the transform with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, transform)| *transform)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, one)| *one == self);
        found.map_or("", |(name, _)| name)
    }
}

/// Transforms the text. The shape of a text that is not data, or that is invalid, is only a marker,
/// so that no value is shown.
pub fn transform(
    language: Option<Language>,
    text: &str,
    which: Transform,
    limits: &Limits,
) -> Compressed {
    match which {
        Transform::DataShape => shape_of(language, text),
        Transform::ExtractTestNames => test_names(language, text, limits),
        Transform::Signatures => {
            compress(language, text, &Compression::at(Level::Aggressive), limits)
        }
        Transform::StripComments => {
            let how = Compression {
                remove_comments: true,
                ..Compression::default()
            };
            compress(language, text, &how, limits)
        }
        Transform::Head => cut_lines(language, text, HEAD),
    }
}

/// Truncates a text after `limit` lines, with a marker for the others in the comment form of the
/// language. A shorter text is unchanged.
pub fn cut_lines(language: Option<Language>, text: &str, limit: usize) -> Compressed {
    let total = text.lines().count();
    let mut lines = LineMap::default();
    (1..=total.min(limit)).for_each(|line| lines.push(line));
    if total <= limit {
        return Compressed {
            text: text.to_owned(),
            lines,
            elided: Vec::new(),
            level: Level::None,
            gentler: None,
        };
    }
    let kept: usize = text.split_inclusive('\n').take(limit).map(str::len).sum();
    let form = language.map_or(CommentForm::Bare, |language| {
        CommentForm::for_language(language.id())
    });
    let mut out = text[..kept].to_owned();
    out.push_str(&form.line(total - limit));
    out.push('\n');
    lines.push(limit + 1);
    Compressed {
        text: out,
        lines,
        elided: vec![Elided {
            what: ElidedKind::Rest,
            lines: LineSpan::new(limit + 1, total),
            marked: total - limit,
        }],
        level: Level::None,
        gentler: None,
    }
}

impl Compressed {
    /// Truncates after `limit` lines, with a marker for the rest of the file, which had `total`
    /// lines.
    #[must_use]
    pub fn cut(self, language: Option<Language>, limit: usize, total: usize) -> Self {
        if limit >= self.lines.count() {
            return self;
        }
        let first = self.lines.original(limit + 1).min(total).max(1);
        let kept: usize = self
            .text
            .split_inclusive('\n')
            .take(limit)
            .map(str::len)
            .sum();
        let mut lines = LineMap::default();
        (1..=limit).for_each(|line| lines.push(self.lines.original(line)));
        lines.push(first);
        let form = language.map_or(CommentForm::Bare, |language| {
            CommentForm::for_language(language.id())
        });
        let mut text = self.text;
        text.truncate(kept);
        text.push_str(&form.line((total + 1).saturating_sub(first)));
        text.push('\n');
        let mut elided = self.elided;
        elided.retain(|part| part.lines.first < first);
        // The marker of such a part is the last line, which is truncated.
        let sources = elided.iter_mut();
        let sources =
            sources.filter(|part| matches!(part.what, ElidedKind::Source | ElidedKind::Parts));
        sources.for_each(|part| part.marked = 0);
        elided.push(Elided {
            what: ElidedKind::Rest,
            lines: LineSpan::new(first, total.max(first)),
            marked: (total + 1).saturating_sub(first),
        });
        Self {
            text,
            lines,
            elided,
            level: self.level,
            gentler: self.gentler,
        }
    }
}

impl Compressed {
    /// Removes all text of a file that had `total` lines, including markers.
    #[must_use]
    pub fn emptied(self, total: usize) -> Self {
        let rest = Elided {
            what: ElidedKind::Rest,
            lines: LineSpan::new(1, total.max(1)),
            marked: total,
        };
        Self {
            text: String::new(),
            lines: LineMap::default(),
            elided: vec![rest],
            ..self
        }
    }
}

/// Returns the shape of the text; never a value, for any text.
fn shape_of(language: Option<Language>, text: &str) -> Compressed {
    if text.trim().is_empty() {
        return cut_lines(language, text, HEAD);
    }
    let id = language.map(Language::id);
    let shape = data_shape(id, text).unwrap_or_else(|| {
        let form = id.map_or(CommentForm::Bare, CommentForm::for_language);
        let what = id.unwrap_or("data");
        format!("{}\n", form.unread(text.lines().count(), what))
    });
    whole(shape, text)
}

fn test_names(language: Option<Language>, text: &str, limits: &Limits) -> Compressed {
    let total = text.lines().count();
    let structure = language.map(|language| extract(language, text, limits));
    let tests = structure.iter().flat_map(|structure| &structure.symbols);
    let mut out = String::new();
    let mut lines = LineMap::default();
    for test in tests.filter(|symbol| symbol.is_test) {
        out.push_str(&test.qualified.replace('\n', " "));
        out.push('\n');
        lines.push(test.name_line);
    }
    let left = total.saturating_sub(lines.count());
    if left > 0 {
        let form = language.map_or(CommentForm::Bare, |language| {
            CommentForm::for_language(language.id())
        });
        out.push_str(&form.line(left));
        out.push('\n');
        lines.push(total);
    }
    let mut found = whole(out, text);
    found.elided.iter_mut().for_each(|part| part.marked = left);
    Compressed { lines, ..found }
}

/// Wraps a new text without original lines.
fn whole(new: String, old: &str) -> Compressed {
    let mut lines = LineMap::default();
    new.lines().for_each(|_| lines.push(1));
    let total = old.lines().count().max(1);
    Compressed {
        text: new,
        lines,
        elided: vec![Elided {
            what: ElidedKind::Source,
            lines: LineSpan::new(1, total),
            marked: total,
        }],
        level: Level::None,
        gentler: None,
    }
}
