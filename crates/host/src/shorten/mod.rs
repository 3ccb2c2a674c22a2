//! What is left out of each file: which form its path asks for, and the file in that
//! form. Secrets are taken out before, so that no cut hides a part of one; a file
//! whose changes are marked stays as it is.

mod settings;

use loom_engine::{FileMeta, Form};
use loom_syntax::{Compressed, Compression, Draft, compress};

pub(crate) use settings::{idle, shorten_options};

use crate::cache::{CacheSession, CompressedText, Met};
use crate::load::Loaded;
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
    Memory(&'a CacheSession, &'a Met),
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
    recall: &CacheSession,
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
    let is_asked = form != Form::Whole || options.shorten.max_tokens.is_some();
    if !is_asked || loaded.meta.marks.is_some() {
        return loaded;
    }
    let shortener = options.shortener();
    let result = result(options, &loaded.meta, &loaded.text, form, start);
    if let Some((compressed, name)) = result {
        shortener.describe(&mut loaded.meta, &loaded.text, &compressed, name);
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
    let (language, limits) = (meta.language, options.every_file_limits());
    let make = |how: &Compression| match start {
        Start::Text => compress(language, text, how, &limits),
        Start::Draft(draft) => draft.checked(language, text, &limits),
        Start::Memory(recall, met) => {
            let source = CompressedText {
                language,
                text,
                how,
                memory: options.parse_limits().memory,
            };
            let make = || compress(language, text, how, &limits);
            recall.compressed(met, source, make)
        }
    };
    options.shortener().shorten(meta, text, form, make)
}
