//! A file at the time it is written: what the survey kept, or one new read. Its
//! numbers are always those of the text beside them.

use std::borrow::Cow;

use loom_engine::{FileMeta, Note};

use crate::Packer;
use crate::load::Reread;
use crate::survey::Surveyed;

/// A file as it is written.
pub(crate) struct Current<'a> {
    pub(crate) meta: Cow<'a, FileMeta>,
    pub(crate) text: Cow<'a, str>,
    /// Whether it is no longer what was surveyed.
    pub(crate) changed: bool,
}

impl Packer {
    /// The file as it is now. One that changed is described anew; one that can no
    /// longer be read stays in its place, empty, and says so.
    pub(crate) fn current<'a>(&self, file: &'a Surveyed) -> Current<'a> {
        if let Some(kept) = &file.kept {
            return unchanged(file, Cow::Borrowed(kept));
        }
        match self.load_again(file) {
            Ok(Reread::Same(text)) => unchanged(file, Cow::Owned(text)),
            Ok(Reread::Changed(mut loaded)) => {
                loaded.meta.notes.push(Note::Changed);
                Current {
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

/// A file that is named and empty, because of `reason`.
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
