//! A file at the time of writing: the text that the survey kept, or a new reading. The metadata
//! always describes the text next to it.

use std::borrow::Cow;

use loom_engine::{FileMeta, Note};

use crate::Packer;
use crate::load::Reread;
use crate::reread::read_again;
use crate::survey::Surveyed;

/// A file at the time of writing.
pub(crate) struct Current<'a> {
    pub(crate) meta: Cow<'a, FileMeta>,
    pub(crate) text: Cow<'a, str>,
    /// True if it differs from the survey.
    pub(crate) changed: bool,
}

impl<'a> Current<'a> {
    /// Returns the file in its current state, with new metadata if it changed. An unreadable file
    /// stays in the output, empty and with a note.
    pub(crate) fn read(packer: &Packer, file: &'a Surveyed) -> Self {
        if let Some(kept) = &file.kept {
            return unchanged(file, Cow::Borrowed(kept));
        }
        match read_again(packer, file) {
            Ok(Reread::Same(text)) => unchanged(file, Cow::Owned(text)),
            Ok(Reread::Changed(mut loaded)) => {
                loaded.meta.notes.push(Note::Changed);
                Self {
                    meta: Cow::Owned(loaded.meta),
                    text: Cow::Owned(loaded.text),
                    changed: true,
                }
            }
            Err(reason) => gone(file, &reason.to_string()),
        }
    }
}

fn unchanged<'a>(file: &'a Surveyed, text: Cow<'a, str>) -> Current<'a> {
    Current {
        meta: Cow::Borrowed(&file.meta),
        text,
        changed: false,
    }
}

/// Returns an empty file with a note that gives the `reason`.
pub(crate) fn gone<'a>(file: &'a Surveyed, reason: &str) -> Current<'a> {
    let meta = FileMeta {
        lines: 0,
        bytes: 0,
        tokens: 0,
        lower: 0,
        upper: 0,
        notes: vec![Note::Gone(reason.to_owned())],
        ..file.meta.clone()
    };
    Current {
        meta: Cow::Owned(meta),
        text: Cow::Borrowed(""),
        changed: true,
    }
}
