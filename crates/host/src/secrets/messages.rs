//! Redacts the messages of a result: warnings, and the reasons for skipping files. They quote paths
//! and patterns of the repository, which may contain secrets.

use std::borrow::Cow;

use loom_secrets::Copies;
use loom_source::{LeftOut, Scan};

use super::SecretScan;
use crate::control::Control;
use crate::options::{SecretsMode, SecretsOptions};
use crate::unread::Unread;
use crate::{Cancel, PackError, Packer};

/// Redacts messages about the files of one snapshot.
#[derive(Clone, Debug)]
pub struct MessageRedactor {
    secrets: SecretsOptions,
    copies: Copies,
}

impl MessageRedactor {
    pub(crate) fn new(secrets: &SecretsOptions, copies: &Copies) -> Self {
        Self {
            secrets: secrets.clone(),
            copies: copies.clone(),
        }
    }

    /// Redacts the messages, unless the mode shows secrets.
    pub fn redact<'a>(&self, messages: impl Iterator<Item = &'a mut String>) {
        if self.secrets.mode.hides() {
            self.secrets.redact_messages(messages, &self.copies);
        }
    }

    /// Redacts paths and reasons.
    pub fn redact_left_out(&self, left_out: &mut [LeftOut]) {
        self.secrets.redact_left_out(left_out, &self.copies);
    }
}

impl Packer {
    /// Collects the secrets of the work tree, to redact messages about it.
    ///
    /// # Errors
    /// If the caller cancels.
    pub fn message_redactor(&self, cancel: &Cancel) -> Result<MessageRedactor, PackError> {
        let mut copies = Copies::default();
        if self.options.secrets.mode.hides() {
            let scan = self.listed(&self.options.scan);
            copies = self.all_secrets(&scan, &Unread::default(), cancel)?;
        }
        Ok(MessageRedactor {
            secrets: self.options.secrets.clone(),
            copies,
        })
    }

    pub(super) fn all_secrets(
        &self,
        scan: &Scan,
        unread: &Unread,
        cancel: &Cancel,
    ) -> Result<Copies, PackError> {
        let control = Control::quiet(cancel, unread);
        let mut copies = self.secrets_elsewhere(scan, control)?;
        copies.extend(&self.secrets_of_others(&scan.files, control)?);
        Ok(copies)
    }

    /// Returns a packer for the same source that redacts secrets.
    pub(super) fn hiding(&self) -> Self {
        let mut options = self.options.clone();
        options.secrets.mode = SecretsMode::Redact;
        self.with_options(options)
    }

    /// Redacts paths and messages of a scan, which shows where secrets are, but never a secret.
    pub(super) fn redact_scan(&self, result: &mut SecretScan) {
        if self.options.secrets.mode == SecretsMode::Off {
            return;
        }
        let hiding = self.hiding();
        let copies = std::mem::take(&mut result.copies);
        let secrets = &hiding.options.secrets;
        let files = result.found.iter().map(|one| &one.file);
        for (at, path) in secrets.redacted_paths(files, &copies) {
            result.found[at].path = path.display().into_owned();
            result.found[at].file = path;
        }
        let mut skipped: Vec<LeftOut> = std::mem::take(&mut result.skipped)
            .into_iter()
            .map(|(path, reason)| LeftOut {
                path,
                is_dir: false,
                reason,
            })
            .collect();
        secrets.redact_left_out(&mut skipped, &copies);
        result.skipped = skipped
            .into_iter()
            .map(|left| (left.path, left.reason))
            .collect();
        secrets.redact_messages(result.warnings.iter_mut(), &copies);
    }
}

impl SecretsOptions {
    /// Redacts messages in place.
    pub(crate) fn redact_messages<'a>(
        &self,
        messages: impl Iterator<Item = &'a mut String>,
        copies: &Copies,
    ) {
        let messages: Vec<&mut String> = messages.collect();
        let lines = messages
            .iter()
            .map(|message| Cow::Owned(message.replace('\n', " ")));
        let lines: Vec<Cow<'_, str>> = lines.collect();
        let mut redacted = self.redacted_lines(lines.into_iter(), copies);
        for (at, message) in messages.into_iter().enumerate() {
            if let Some(text) = redacted.remove(&at) {
                *message = text;
            }
        }
    }

    /// Redacts the paths of skipped files and the quotes in the reasons.
    pub(crate) fn redact_left_out(&self, left_out: &mut [LeftOut], copies: &Copies) {
        if !self.mode.hides() {
            return;
        }
        let paths = left_out.iter().map(|left| &left.path);
        for (at, path) in self.redacted_paths(paths, copies) {
            left_out[at].path = path;
        }
        let quoted = left_out.iter_mut().flat_map(|left| left.reason.quoted());
        self.redact_messages(quoted, copies);
    }
}
