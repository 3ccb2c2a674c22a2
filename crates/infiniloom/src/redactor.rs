//! Redacts texts of an edge about a repository: names, paths and messages.

use std::fmt;
use std::sync::Arc;

use loom_host::SecretsOptions;

use crate::layers::SearchLayer;
use crate::session::Reader;

/// The name of a text without a file.
const MESSAGE: &str = "(names)";

/// Replaces a text that must not be shown at all.
const HIDDEN: &str = "[REDACTED]";

/// A redactor for texts that an edge derives from results, by the settings of a repository. Results
/// themselves are already redacted.
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

    /// Redacts likely secrets. If the settings let secrets stop a run, hides a text with a secret
    /// completely.
    pub fn redact(&self, text: &str) -> String {
        let redacted = self.secrets.cleaned(MESSAGE, text);
        redacted.unwrap_or_else(|_| HIDDEN.to_owned())
    }

    /// Redacts copies of the secrets in the files of the snapshot. Returns `None` if the text
    /// contains none of them.
    pub fn redact_known(&self, text: &str) -> Option<String> {
        self.known.as_ref()?.redact_known(text)
    }
}

impl Default for Redactor {
    /// Creates a redactor with the built-in settings.
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
