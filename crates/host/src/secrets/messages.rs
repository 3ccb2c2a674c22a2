//! Redacts the messages of a result: warnings, and the reasons for skipping files. They quote paths
//! and patterns of the repository, which may contain secrets.

use std::borrow::Cow;

use loom_secrets::Copies;
use loom_source::LeftOut;

use super::known::SecretLearner;
use super::scan::SecretScan;
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
    /// Collects the secrets of the work tree, to redact messages about it.
    ///
    /// # Errors
    /// If the caller cancels.
    pub fn learn(packer: &Packer, cancel: &Cancel) -> Result<Self, PackError> {
        let mut copies = Copies::default();
        if packer.secrets_mode().hides() {
            let unread = Unread::default();
            let learner = SecretLearner::new(packer, Control::quiet(cancel, &unread));
            copies = learner.of_scan(&packer.listed(&packer.options.scan))?;
        }
        Ok(Self::new(&packer.options.secrets, &copies))
    }

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

impl SecretScan {
    /// Redacts paths and messages. A scan shows where secrets are, but never a secret.
    pub(super) fn redact(&mut self, secrets: &SecretsOptions) {
        if secrets.mode == SecretsMode::Off {
            return;
        }
        let mut hiding = secrets.clone();
        hiding.mode = SecretsMode::Redact;
        let copies = std::mem::take(&mut self.copies);
        let files = self.found.iter().map(|one| &one.file);
        for (at, path) in hiding.redacted_paths(files, &copies) {
            self.found[at].path = path.display().into_owned();
            self.found[at].file = path;
        }
        let mut skipped: Vec<LeftOut> = std::mem::take(&mut self.skipped)
            .into_iter()
            .map(|(path, reason)| LeftOut {
                path,
                is_dir: false,
                reason,
            })
            .collect();
        hiding.redact_left_out(&mut skipped, &copies);
        self.skipped = skipped
            .into_iter()
            .map(|left| (left.path, left.reason))
            .collect();
        hiding.redact_messages(self.warnings.iter_mut(), &copies);
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
