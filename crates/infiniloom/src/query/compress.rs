//! One text in fewer tokens, without a repository.

use loom_host::{Compression, Limits, PreservedKind, SecretsMode, SecretsOptions};
use loom_wire::{CompressCall, CompressInfo, FORMAT_VERSION, QueryCall};

use super::call::{choice, model_name, model_named, other_query};
use crate::choices::{Level, Preserve};
use crate::{Control, Error, Infiniloom, Model, Result, Text};

/// A compression of one text. It redacts secrets first, so that no marker hides a part of one.
#[derive(Clone, Debug)]
pub struct Compress {
    level: Level,
    preserve: Vec<Preserve>,
    removes_comments: bool,
    minifies_whitespace: bool,
    model: Option<Model>,
}

impl Compress {
    /// Compresses to a level.
    pub fn new(level: Level) -> Self {
        Self {
            level,
            preserve: Vec::new(),
            removes_comments: false,
            minifies_whitespace: false,
            model: None,
        }
    }

    /// Keeps these kinds of text at every level.
    #[must_use]
    pub fn preserve(mut self, kinds: impl IntoIterator<Item = Preserve>) -> Self {
        self.preserve.extend(kinds);
        self
    }

    /// Removes comments, documentation too.
    #[must_use]
    pub fn remove_comments(mut self, removes: bool) -> Self {
        self.removes_comments = removes;
        self
    }

    /// Removes blank lines, and indentation if it has no meaning.
    #[must_use]
    pub fn minify_whitespace(mut self, minifies: bool) -> Self {
        self.minifies_whitespace = minifies;
        self
    }

    /// Counts tokens for `model`.
    #[must_use]
    pub fn model(mut self, model: &Model) -> Self {
        self.model = Some(model.clone());
        self
    }

    /// Compresses a text.
    ///
    /// # Errors
    /// If the compression has a defect.
    pub fn run_text(&self, text: &Text) -> Result<CompressInfo> {
        self.run_text_with(text, &Control::new())
    }

    /// Compresses a text under the control of the caller.
    ///
    /// # Errors
    /// If the compression has a defect, or the run is cancelled.
    pub fn run_text_with(&self, text: &Text, control: &Control) -> Result<CompressInfo> {
        control.run(|| self.compressed(text))
    }

    fn compressed(&self, text: &Text) -> Result<CompressInfo> {
        let model = match &self.model {
            Some(model) => model.chosen().model,
            None => loom_models::default_model(),
        };
        let secrets = SecretsOptions::new(SecretsMode::Redact);
        let safe = secrets.cleaned(text.name(), text.text())?;
        let language = text.language();
        let limits = Limits {
            all: true,
            ..Limits::default()
        };
        let how = self.compression()?;
        let short = loom_host::compress(language, &safe, &how, &limits);
        let count = |text: &str| model.tokenizer.count(text).upper();
        let fallback = short.gentler.map(|(_, reason)| reason.reason().to_owned());
        Ok(CompressInfo {
            format_version: FORMAT_VERSION,
            language: language.map(|language| language.id().to_owned()),
            level: short.level.name().to_owned(),
            requested_level: self.level.name().to_owned(),
            fallback_reason: fallback,
            tokens: count(&short.text),
            tokens_before: count(&safe),
            text: short.text,
            notices: Vec::new(),
        })
    }

    fn compression(&self) -> Result<Compression> {
        let unknown = |name: &str| Error::invalid("unknown_value", format!("unknown {name}"));
        let level = loom_host::Level::from_name(self.level.name());
        let mut how = Compression {
            level: level.ok_or_else(|| unknown(self.level.name()))?,
            remove_comments: self.removes_comments,
            minify_whitespace: self.minifies_whitespace,
            ..Compression::default()
        };
        for kind in &self.preserve {
            let kept = PreservedKind::from_name(kind.name());
            how.preserve = how.preserve.with(kept.ok_or_else(|| unknown(kind.name()))?);
        }
        Ok(how)
    }
}

impl Compress {
    /// Returns the compression as data.
    pub fn to_call(&self) -> QueryCall {
        let Self {
            level,
            preserve,
            removes_comments,
            minifies_whitespace,
            model,
        } = self;
        QueryCall::Compress(CompressCall {
            level: Some(level.name().to_owned()),
            preserve: preserve.iter().map(|one| one.name().to_owned()).collect(),
            remove_comments: *removes_comments,
            minify_whitespace: *minifies_whitespace,
            model: model_name(model.as_ref()),
        })
    }

    /// Builds a compression from data. `engine` resolves the name of the model.
    ///
    /// # Errors
    /// If the call belongs to another query, or a name in it is unknown.
    pub fn from_call(call: &QueryCall, engine: &Infiniloom) -> Result<Self> {
        let QueryCall::Compress(call) = call else {
            return Err(other_query("Compress", call));
        };
        let CompressCall {
            level,
            preserve,
            remove_comments,
            minify_whitespace,
            model,
        } = call;
        let preserve = preserve.iter().map(|name| name.parse::<Preserve>());
        Ok(Self {
            level: choice(level.as_ref())?.unwrap_or(Level::None),
            preserve: preserve.collect::<Result<Vec<_>>>()?,
            removes_comments: *remove_comments,
            minifies_whitespace: *minify_whitespace,
            model: model_named(model.as_ref(), engine)?,
        })
    }
}
