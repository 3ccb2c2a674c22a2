//! The rule that includes a path or skips it.

use std::path::{Path, PathBuf};

use loom_host::{MessageRedactor, Source, Verdict, skip_reason};
use loom_wire::{WhyCall, WhyInfo};

use super::call::{callable, path_text};
use super::runs;
use crate::session::Choices;
use crate::{Control, Error, Infiniloom, Result, Snapshot, results};

/// A query for the reason why a path is included or skipped.
#[derive(Clone, Debug)]
pub struct Why {
    path: PathBuf,
    directory: Option<PathBuf>,
}

impl Why {
    /// Explains this path, which starts at the root.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            directory: None,
        }
    }

    /// Starts the path at this directory instead.
    #[must_use]
    pub fn from_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<WhyInfo> {
        let session = snapshot.session(&Choices::default(), control)?;
        let source = session.packer.source();
        let root = source.roots().next().unwrap_or(Path::new(""));
        let path = self.directory.as_deref().unwrap_or(root).join(&self.path);
        let options = session.packer.options();
        let verdict = source.why(&path, &options.scan);
        let (at, verdict) = verdict.map_err(Error::from)?;
        let form = options.shorten.form_of(&at).ok();
        let form = form.and_then(|form| form.name());
        let by_contents = || self.by_contents(&path, &verdict, &session);
        let mut info = results::why::info(&at, &verdict, by_contents);
        if let Some(form) = form.filter(|_| info.packed) {
            info.detail.push_str(&format!("; in the form {form}"));
        }
        // The path and the rule may quote a secret.
        let redactor = MessageRedactor::learn(&session.packer, &session.cancel)?;
        let texts = [&mut info.path, &mut info.detail];
        let texts = texts.into_iter().chain(&mut info.rule);
        redactor.redact(texts.chain(&mut info.matched));
        Ok(info)
    }

    /// Returns the reason if the contents of a file exclude it.
    fn by_contents(
        &self,
        path: &Path,
        verdict: &Verdict,
        session: &crate::session::Session,
    ) -> Option<loom_host::Reason> {
        let revisions = session.packer.source().revisions();
        let source = match revisions.first() {
            Some(revision) => Source::open_revision(&[path], &revision.commit).ok()?,
            None => Source::open(&[path]).ok()?,
        };
        let packer = loom_host::Packer::new(source, session.packer.options().clone());
        skip_reason(&packer, verdict)
    }
}

runs!(Why => WhyInfo);
callable!(Why => WhyInfo);

impl Why {
    fn call(&self) -> Result<WhyCall> {
        let Self { path, directory } = self;
        Ok(WhyCall {
            path: path_text(path)?,
            directory: directory.as_deref().map(path_text).transpose()?,
        })
    }

    fn of_call(call: &WhyCall, _: &Infiniloom) -> Result<Self> {
        let WhyCall { path, directory } = call;
        Ok(Self {
            path: path.into(),
            directory: directory.as_ref().map(PathBuf::from),
        })
    }
}
