//! What is left out of each file: which form its path asks for, and the file in that
//! form. Secrets are taken out before, so that no cut hides a part of one; a file
//! whose changes are marked stays as it is.

mod settings;

use std::sync::Arc;

use loom_engine::{FileMeta, Note, Shortened, describe, longest_start};
use loom_syntax::{Compressed, Compression, Draft, Elided, ElidedKind, Level, compress, transform};

pub(crate) use settings::{idle, shorten_options};

use crate::cache::{CompressedText, Met, Recall};
use crate::load::Loaded;
use crate::options::{Fit, Form};
use crate::{PackOptions, Packer};

impl Packer {
    /// Runs `work`, which brings a text of so many bytes into that form, when there is
    /// memory for it.
    pub(crate) fn shortening<T>(&self, form: Form, bytes: usize, work: impl FnOnce() -> T) -> T {
        let is_limited = self.options.shorten.max_tokens.is_some();
        match form == Form::Whole && !is_limited {
            true => work(),
            false => self.parsing(bytes, work),
        }
    }
}

/// Where a compressed text comes from.
pub(crate) enum Start<'a> {
    /// The text.
    Text,
    /// A draft of that form.
    Draft(Draft),
    /// What is remembered of those contents, if it is.
    Memory(&'a Recall, &'a Met),
}

/// The file in that form, described anew.
pub(crate) fn shortened(options: &PackOptions, loaded: Loaded, form: Form) -> Loaded {
    shortened_from(options, loaded, form, Start::Text)
}

/// The same of a file as it was read, with nothing taken out of it: what was made of its
/// contents before is not made again.
pub(crate) fn shortened_again(
    options: &PackOptions,
    loaded: Loaded,
    form: Form,
    recall: &Recall,
) -> Loaded {
    match loaded.met.clone().filter(|_| loaded.replaced.is_empty()) {
        Some(met) => shortened_from(options, loaded, form, Start::Memory(recall, &met)),
        None => shortened(options, loaded, form),
    }
}

pub(crate) fn shortened_from(
    options: &PackOptions,
    mut loaded: Loaded,
    form: Form,
    start: Start<'_>,
) -> Loaded {
    let shorten = &options.shorten;
    let is_asked = form != Form::Whole || shorten.max_tokens.is_some();
    if !is_asked || loaded.meta.marks.is_some() {
        return loaded;
    }
    if let Some((compressed, name)) = result(options, &loaded.meta, &loaded.text, form, start) {
        describe_again(options, &mut loaded.meta, &loaded.text, &compressed, name);
        loaded.text = compressed.text;
    }
    loaded
}

/// The text alone.
pub(crate) fn shortened_text(
    options: &PackOptions,
    meta: &FileMeta,
    text: String,
    form: Form,
) -> String {
    if meta.shortened.is_none() {
        return text;
    }
    match result(options, meta, &text, form, Start::Text) {
        Some((compressed, _)) => compressed.text,
        None => text,
    }
}

/// What is left of a text, with the name of its form; `None` where it is as it was.
fn result(
    options: &PackOptions,
    meta: &FileMeta,
    text: &str,
    form: Form,
    start: Start<'_>,
) -> Option<(Compressed, &'static str)> {
    let shorten = &options.shorten;
    let language = meta.language;
    let (mut compressed, mut name) = match form {
        Form::Transformed(which) => {
            let compressed = transform(language, text, which, &options.every_file_limits());
            (compressed, which.name())
        }
        Form::Compressed(how) => {
            let make = || compress(language, text, &how, &options.every_file_limits());
            let compressed = match start {
                Start::Text => make(),
                Start::Draft(draft) => draft.checked(language, text, &options.every_file_limits()),
                Start::Memory(recall, met) => {
                    let memory = options.parse_limits().memory;
                    let source = CompressedText {
                        language,
                        text,
                        how: &how,
                        memory,
                    };
                    recall.compressed(met, source, make)
                }
            };
            let name = name_of(&how, &compressed);
            match saves_tokens(options, text, &how, &compressed, name) {
                true => (compressed, name),
                false => (Compressed::as_it_is(text, how.level), Level::None.name()),
            }
        }
        Form::Whole => at_level(options, meta, text, &Compression::default()),
    };
    if let Some(most) = shorten.max_tokens {
        let count = |text: &str| options.model.tokenizer.count(text).upper();
        if let Form::Compressed(how) = shorten.lowering(form)
            && shorten.fit == Fit::Compress
        {
            let mut level = how.level;
            while count(&compressed.text) > most && level < Level::Extreme {
                level = next(level);
                (compressed, name) = at_level(options, meta, text, &Compression { level, ..how });
            }
        }
        if count(&compressed.text) > most {
            compressed = within(compressed, meta, text, |text| count(text) <= most);
            // Not even the mark has room: the note alone says what is missing.
            if count(&compressed.text) > most {
                compressed = compressed.emptied(text.lines().count());
            }
            name = if name == "none" { "cut" } else { name };
        }
    }
    let is_same = form == Form::Whole && compressed.text == text;
    (!is_same).then_some((compressed, name))
}

/// Says whether a level saves more than the note about it takes. What was asked for by a
/// switch of its own is done all the same.
fn saves_tokens(
    options: &PackOptions,
    text: &str,
    how: &Compression,
    compressed: &Compressed,
    name: &'static str,
) -> bool {
    let is_asked = how.remove_comments || how.minify_whitespace;
    if is_asked || compressed.text == text {
        return true;
    }
    let count = |text: &str| options.model.tokenizer.count(text).upper();
    let note = note_of(name, &compressed.elided);
    // What parts it from other notes is about one token.
    let takes = count(&compressed.text) + count(&note.to_string()) + 1;
    takes < count(text)
}

fn at_level(
    options: &PackOptions,
    meta: &FileMeta,
    text: &str,
    how: &Compression,
) -> (Compressed, &'static str) {
    let compressed = compress(meta.language, text, how, &options.every_file_limits());
    let name = name_of(how, &compressed);
    (compressed, name)
}

fn name_of(how: &Compression, compressed: &Compressed) -> &'static str {
    match compressed.level {
        Level::None if how.remove_comments => "without comments",
        Level::None if how.minify_whitespace => "minified",
        level => level.name(),
    }
}

fn next(level: Level) -> Level {
    let mut levels = Level::ALL.into_iter();
    levels.find(|one| *one > level).unwrap_or(Level::Extreme)
}

/// The first lines that fit, with a mark for the rest.
fn within(
    compressed: Compressed,
    meta: &FileMeta,
    text: &str,
    mut fits: impl FnMut(&str) -> bool,
) -> Compressed {
    let total = text.lines().count();
    // A mark is the same but for its number of lines.
    let mark = compressed.clone().cut(meta.language, 0, total).text;
    let with_mark = |start: &str| fits(&format!("{start}{mark}"));
    let end = longest_start(&compressed.text, with_mark).unwrap_or(0);
    let shown = compressed.text[..end].lines().count();
    compressed.cut(meta.language, shown, total)
}

/// What a reader is told about what was left out.
fn note_of(form: &'static str, elided: &[Elided]) -> Note {
    let lines = elided.iter().map(|part| part.marked).sum();
    match elided {
        [only] if only.what == ElidedKind::Parts && lines > 0 => {
            Note::ShortenedLines { form, lines }
        }
        _ => Note::Shortened { form, lines },
    }
}

fn describe_again(
    options: &PackOptions,
    meta: &mut FileMeta,
    text: &str,
    compressed: &Compressed,
    name: &'static str,
) {
    let how = Shortened::new(name, meta.tokens, meta.lines, compressed);
    let is_shorter = compressed.text != text;
    let new = describe(
        meta.path.clone(),
        &compressed.text,
        meta.hash,
        options.model.tokenizer,
    );
    meta.lines = new.lines;
    meta.bytes = new.bytes;
    meta.tokens = new.tokens;
    meta.lower = new.lower;
    meta.upper = new.upper;
    if is_shorter {
        meta.notes.push(note_of(name, &how.elided));
    }
    meta.shortened = Some(Arc::new(how));
}
