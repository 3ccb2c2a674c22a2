//! Redacts what an edge says about a repository: names, paths and messages.

use std::fmt;
use std::sync::Arc;

use loom_host::SecretsOptions;

use crate::layers::SearchLayer;
use crate::session::Reader;

/// The name of a text that is no file.
const MESSAGE: &str = "(names)";

/// Stands for a text that must not be shown at all.
const HIDDEN: &str = "[REDACTED]";

/// Redacts texts that an edge makes of results, as the settings of a repository say. A result
/// itself needs no redaction.
#[derive(Clone)]
pub struct Redactor {
    secrets: SecretsOptions,
    known: Option<Arc<SearchLayer>>,
}

impl Redactor {
    pub(crate) fn new(reader: &Reader, known: Option<Arc<SearchLayer>>) -> Self {
        Self {
            secrets: reader.packer.options().secrets.clone(),
            known,
        }
    }

    /// Redacts what looks like a secret. If secrets are to stop a run, a text with one is hidden
    /// as a whole.
    pub fn redact(&self, text: &str) -> String {
        let redacted = self.secrets.cleaned(MESSAGE, text);
        redacted.unwrap_or_else(|_| HIDDEN.to_owned())
    }

    /// Redacts copies of the secrets that the files of the snapshot have. `None` if the text has
    /// none.
    pub fn redact_known(&self, text: &str) -> Option<String> {
        self.known.as_ref()?.redact_known(text)
    }
}

impl Default for Redactor {
    /// Redacts what looks like a secret, by the built-in settings.
    fn default() -> Self {
        Self {
            secrets: SecretsOptions::new(loom_host::SecretsMode::Redact),
            known: None,
        }
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Redactor").finish_non_exhaustive()
    }
}
