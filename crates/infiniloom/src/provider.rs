//! Counts of providers. Only this module of the library lets text leave the machine.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use loom_host::{Chosen, Endpoint, ProviderError};
use loom_settings::{FileTrust, Origin, Resolved};
use loom_wire::SendingInfo;

use crate::config::Engine;
use crate::{Control, Error, Result};

/// Interval at which a run that waits for a provider checks for cancellation.
const STEP: Duration = Duration::from_millis(50);

/// A provider that counts for one model.
#[derive(Clone, Debug)]
pub(crate) struct Provider {
    endpoint: Arc<Endpoint>,
    model: String,
}

/// The kind of text that leaves the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Samples { files: usize },
    Files { files: usize },
    Pack,
    Text,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Self::Samples { .. } => "samples",
            Self::Files { .. } => "files",
            Self::Pack => "pack",
            Self::Text => "text",
        }
    }

    fn files(self) -> Option<usize> {
        match self {
            Self::Samples { files } | Self::Files { files } => Some(files),
            Self::Pack | Self::Text => None,
        }
    }
}

/// Returns the provider for `chosen`; `None` if the library counts the model exactly. `resolved`
/// contains the settings that named the model; `None` if the caller named it.
pub(crate) fn unless_exact(
    engine: &Engine,
    chosen: &Chosen,
    resolved: Option<&Resolved>,
) -> Result<Option<Provider>> {
    match chosen.model.tokenizer.is_exact() {
        true => Ok(None),
        false => Provider::new(engine, chosen, resolved).map(Some),
    }
}

impl Provider {
    /// Finds the provider and the user's key for it in the environment.
    pub(crate) fn new(
        engine: &Engine,
        chosen: &Chosen,
        resolved: Option<&Resolved>,
    ) -> Result<Self> {
        check_user_data(engine, "a provider's key is read from the environment")?;
        if let Some(resolved) = resolved {
            check_choice(resolved)?;
        }
        Ok(Self {
            endpoint: Arc::new(Endpoint::from_environment(&chosen.model, &chosen.typed)?),
            model: chosen.model.name.clone(),
        })
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(crate) fn host(&self) -> String {
        self.endpoint.host().to_owned()
    }

    /// Announces the texts to the caller, then has each counted.
    pub(crate) fn count_all(
        &self,
        texts: Vec<String>,
        subject: Subject,
        control: &Control,
    ) -> Result<Vec<usize>> {
        texts
            .iter()
            .try_for_each(|text| ProviderError::check_size(text.len()))?;
        control.announce(&SendingInfo {
            host: self.host(),
            model: self.model.clone(),
            subject: subject.name().to_owned(),
            files: subject.files(),
            bytes: texts.iter().map(String::len).sum(),
            requests: texts.len(),
        })?;
        let counts = texts.into_iter().map(|text| self.wait(text, control));
        counts.collect()
    }

    /// Announces one text to the caller, then has it counted.
    pub(crate) fn count(&self, text: String, subject: Subject, control: &Control) -> Result<usize> {
        let counts = self.count_all(vec![text], subject, control)?;
        Ok(counts.into_iter().sum())
    }

    /// Sends the text on a thread: a request cannot be interrupted, but the wait for it can.
    fn wait(&self, text: String, control: &Control) -> Result<usize> {
        let (sender, receiver) = sync_channel(1);
        let endpoint = Arc::clone(&self.endpoint);
        std::thread::spawn(move || {
            // After a cancellation, the receiver is gone.
            let _ = sender.send(endpoint.count(&text));
        });
        loop {
            match receiver.recv_timeout(STEP) {
                Ok(counted) => return Ok(counted?),
                Err(RecvTimeoutError::Timeout) => control.check()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::panicked(&"the request to the provider ended"));
                }
            }
        }
    }
}

/// Returns an error if the engine does not use the user's own data.
pub(crate) fn check_user_data(engine: &Engine, reason: &str) -> Result<()> {
    match engine.reads_user_data() {
        true => Ok(()),
        false => {
            let message = format!("the engine does not use the user's data: {reason}");
            let hint = "build the engine with the user's settings";
            Err(Error::invalid("no_user_data", message).with_hint(hint.to_owned()))
        }
    }
}

/// Ensures that the user decides who receives the text, and not the repository.
fn check_choice(resolved: &Resolved) -> Result<()> {
    match resolved.origin("model.name") {
        Some(Origin::File { file, .. }) if file.trust == FileTrust::Repository => {
            let message = "the model is chosen by the repository's settings, and with it who gets to see the text";
            let hint = "choose the model yourself";
            Err(Error::invalid("untrusted_model", message).with_hint(hint.to_owned()))
        }
        _ => Ok(()),
    }
}

/// An output that is kept while it is written, so that a provider can count it.
pub(crate) struct KeptOutput<'o> {
    out: &'o mut dyn Write,
    bytes: Vec<u8>,
    /// The bytes written. An output that is too large for a request is not kept.
    total: usize,
}

impl<'o> KeptOutput<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> Self {
        Self {
            out,
            bytes: Vec::new(),
            total: 0,
        }
    }

    /// Returns the whole output.
    ///
    /// # Errors
    /// If it is too large for one request.
    pub(crate) fn into_text(self) -> Result<String> {
        ProviderError::check_size(self.total)?;
        let text = String::from_utf8(self.bytes);
        Ok(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}

impl Write for KeptOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.total += written;
        match ProviderError::check_size(self.total) {
            Ok(()) => self.bytes.extend_from_slice(&bytes[..written]),
            Err(_) => self.bytes = Vec::new(),
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
