//! Reads a file again. One that was too large for a part of the output is read for
//! each of its parts: its text stays until another such file comes.

use std::sync::{Mutex, PoisonError};

use loom_base::ContentHash;
use loom_source::Reason;

use crate::Packer;
use crate::load::{Again, load_again};
use crate::survey::Surveyed;

/// The last file that was read for a part of it.
#[derive(Debug, Default)]
pub(crate) struct Divided(Mutex<Option<(ContentHash, String)>>);

impl Packer {
    /// The file as it is now, or the part of it that `file` is.
    pub(crate) fn load_again(&self, file: &Surveyed) -> Result<Again, Reason> {
        let read = || load_again(&self.source, &self.options, &file.found, file.meta.hash);
        let Some(slice) = file.slice.clone() else {
            return read();
        };
        let mut last = self
            .divided
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last
            .as_ref()
            .is_none_or(|(hash, _)| *hash != file.meta.hash)
        {
            match read()? {
                Again::Same(text) => *last = Some((file.meta.hash, text)),
                changed @ Again::Changed(_) => return Ok(changed),
            }
        }
        let text = last.as_ref().and_then(|(_, text)| text.get(slice));
        Ok(Again::Same(text.unwrap_or_default().to_owned()))
    }
}
