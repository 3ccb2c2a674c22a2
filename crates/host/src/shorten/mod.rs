//! Converts each file into the form that the options select for its path. Secrets are redacted
//! first, so that shortening cannot split one. A file with marked changes stays unchanged.

mod settings;

use loom_engine::{FileMeta, Form};
use loom_syntax::{Compressed, Compression, Draft, compress};

pub(crate) use settings::{idle, shorten_options};

use crate::cache::{CacheSession, CompressedText, ContentKey};
use crate::load::Loaded;
use crate::{PackOptions, Packer};

/// Runs `work`, which converts a text of `bytes` bytes into that form, as soon as there is memory
/// for it.
pub(crate) fn shortening<T>(
    packer: &Packer,
    form: Form,
    bytes: usize,
    work: impl FnOnce() -> T,
) -> T {
    let is_limited = packer.options.shorten.max_tokens.is_some();
    match form == Form::Whole && !is_limited {
        true => work(),
        false => packer.parsing(bytes, work),
    }
}

/// Origin of a compressed text.
pub(crate) enum Start<'a> {
    /// Compress the text.
    Text,
    /// Use a draft of that form.
    Draft(Draft),
    /// Use the cache entry of these contents, if there is one.
    Memory(&'a CacheSession, &'a ContentKey),
}

/// Returns the file in that form with a new description.
pub(crate) fn shortened(options: &PackOptions, loaded: Loaded, form: Form) -> Loaded {
    shortened_from(options, loaded, form, Start::Text)
}

/// Returns the file in that form, from the cache if possible. The cache applies only to files
/// without redactions.
pub(crate) fn shortened_again(
    options: &PackOptions,
    loaded: Loaded,
    form: Form,
    recall: &CacheSession,
) -> Loaded {
    match loaded
        .content_key
        .clone()
        .filter(|_| loaded.replaced.is_empty())
    {
        Some(content_key) => {
            shortened_from(options, loaded, form, Start::Memory(recall, &content_key))
        }
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

/// Returns only the text of a file in that form.
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

/// Returns the converted text with the name of its form; `None` if it stays unchanged.
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
        Start::Memory(recall, content_key) => {
            let source = CompressedText {
                language,
                text,
                how,
                memory: options.parse_limits().memory,
            };
            let make = || compress(language, text, how, &limits);
            recall.compressed(content_key, source, make)
        }
    };
    options.shortener().shorten(meta, text, form, make)
}
