//! Reads a file again. A file that is larger than an output part is needed for each of its parts:
//! its text stays in memory until another such file is read.

use std::sync::{Arc, PoisonError};

use loom_secrets::redact;
use loom_source::Reason;

use crate::Packer;
use crate::load::{Loaded, Reread, load_again};
use crate::reading::FileReader;
use crate::redaction::TextRedactor;
use crate::shorten::{shortened, shortened_text, shortening};
use crate::survey::Surveyed;

/// Reads the current state of a file, or the part of it that `file` describes, and redacts it
/// as in the survey.
pub(crate) fn read_again(packer: &Packer, file: &Surveyed) -> Result<Reread, Reason> {
    let run = &*file.run;
    let redactor = TextRedactor::new(packer, run);
    let read = || {
        let reader = FileReader::uncached(packer, &run.unread);
        let read = load_again(reader.file(&file.found, 0), file.meta.hash)?;
        let read = match read {
            // The secrets are found, but not yet redacted.
            Reread::Same(text) if !file.findings.is_empty() || !file.is_planned => {
                Reread::Changed(redactor.redact_changed(Loaded {
                    meta: file.meta.clone(),
                    text,
                    findings: file.findings.clone(),
                    replaced: Arc::default(),
                    content_key: None,
                }))
            }
            Reread::Same(text) if file.replaced.is_empty() => Reread::Same(text),
            Reread::Same(text) => Reread::Same(redact(&text, &file.replaced)),
            // The new text may contain secrets of other files, and they of it: collect the
            // secrets of all files again after reading it.
            Reread::Changed(_) if !redactor.relearn() => return Err(Reason::KeptChanging),
            Reread::Changed(loaded) => Reread::Changed(redactor.redact_changed(loaded)),
        };
        Ok(match read {
            Reread::Same(text) => Reread::Same(shortening(packer, file.form, text.len(), || {
                shortened_text(&packer.options, &file.meta, text, file.form)
            })),
            Reread::Changed(loaded) => {
                Reread::Changed(shortening(packer, file.form, loaded.text.len(), || {
                    shortened(&packer.options, loaded, file.form)
                }))
            }
        })
    };
    let Some(slice) = file.slice.clone() else {
        return read();
    };
    let mut last = run
        .split_file
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if last
        .as_ref()
        .is_none_or(|(path, hash, _)| *hash != file.meta.hash || *path != file.meta.path)
    {
        match read()? {
            Reread::Same(text) => {
                *last = Some((file.meta.path.clone(), file.meta.hash, text));
            }
            changed @ Reread::Changed(_) => return Ok(changed),
        }
    }
    let text = last.as_ref().and_then(|(_, _, text)| text.get(slice));
    Ok(Reread::Same(text.unwrap_or_default().to_owned()))
}
