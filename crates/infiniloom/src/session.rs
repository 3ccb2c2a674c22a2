//! One query on a snapshot: its settings, its reader, and the run that its findings belong to.

use std::path::PathBuf;
use std::sync::Arc;

use loom_host::{
    Cancel, Chosen, LeftOut, MessageRedactor, PackError, PackOptions, Packer, Progress, Run,
    Source, apply_calibration, chosen_models, pack_options, pack_options_for,
};
use loom_settings::{Resolved, Settings};
use loom_wire::NoticeInfo;

use crate::config::Engine;
use crate::outputs::outputs;
use crate::values::Values;
use crate::{Control, Error, Model, Result};

/// Maximum number of unreadable files that a result names.
const NAMED: usize = 20;

/// The values and the model of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    pub(crate) values: Values,
    pub(crate) model: Option<Model>,
}

/// The reader of the files of one snapshot, with its settings.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    pub(crate) engine: Arc<Engine>,
    pub(crate) resolved: Arc<Resolved>,
    pub(crate) packer: Arc<Packer>,
    /// Whether the settings are checked, so that files can be read.
    is_checked: bool,
}

/// A query in progress.
pub(crate) struct Session {
    pub(crate) packer: Arc<Packer>,
    pub(crate) resolved: Arc<Resolved>,
    pub(crate) cancel: Cancel,
    pub(crate) progress: Arc<dyn Progress + Send>,
    /// Whether the query reads the same files as its snapshot, so that it can use the layers of the
    /// snapshot.
    pub(crate) is_shared: bool,
}

impl Reader {
    /// Creates a reader of `source` with the settings of its repository. It does not read the files
    /// that the settings name, such as a template: settings can be shown although a file is
    /// missing.
    pub(crate) fn open(engine: &Arc<Engine>, source: Source) -> Result<Self> {
        let resolved = engine.resolved(&source)?;
        Ok(Self {
            engine: Arc::clone(engine),
            resolved: Arc::new(resolved),
            packer: Arc::new(Packer::new(source, PackOptions::default())),
            is_checked: false,
        })
    }

    /// Returns the reader with another source, whose settings are not checked yet.
    pub(crate) fn with_source(&self, source: Source) -> Self {
        Self {
            packer: Arc::new(Packer::new(source, self.packer.options().clone())),
            is_checked: false,
            ..self.clone()
        }
    }

    /// Resolves the settings again. Returns the same reader if they did not change.
    pub(crate) fn refreshed(&self) -> Result<Self> {
        let resolved = self.engine.resolved(self.packer.source())?;
        if self.is_checked && format!("{resolved:?}") == format!("{:?}", self.resolved) {
            return Ok(self.clone());
        }
        let options = listing_options(&self.engine, &resolved, self.packer.source())?;
        Ok(Self {
            engine: Arc::clone(&self.engine),
            resolved: Arc::new(resolved),
            packer: Arc::new(self.packer.with_options(options)),
            is_checked: true,
        })
    }

    /// Returns the model that queries count for unless they name another.
    pub(crate) fn model(&self) -> Model {
        Model::from_registry(&self.packer.options().model)
    }

    /// Returns whether files can be read with these settings.
    pub(crate) fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Begins a query.
    pub(crate) fn session(&self, choices: &Choices, control: &Control) -> Result<Session> {
        self.session_writing(choices, control, Vec::new())
    }

    /// Begins a query that writes the files `written`, and therefore must not read them.
    pub(crate) fn session_writing(
        &self,
        choices: &Choices,
        control: &Control,
        written: Vec<PathBuf>,
    ) -> Result<Session> {
        let has_own = !choices.values.is_empty() || choices.model.is_some() || !written.is_empty();
        if !has_own {
            // The query decides about several models; its snapshot does not depend on them.
            let several = chosen_models(&self.resolved)?.len() > 1;
            if !several {
                return Ok(self.begun(Arc::clone(&self.packer), &self.resolved, true, control));
            }
        }
        let resolved = Arc::new(self.resolved.overlaid(&choices.values.checked_layer()?));
        let reads_alike = choices.model.is_none() && written.is_empty();
        if reads_alike && choices.values.all(is_of_result) && chosen_models(&resolved)?.len() < 2 {
            return Ok(self.begun(Arc::clone(&self.packer), &resolved, true, control));
        }
        let mut excluded = excluded(&self.engine, &resolved, self.packer.source());
        excluded.extend(written);
        let options = match &choices.model {
            Some(model) => pack_options_for(model.chosen(), &resolved, &excluded)?,
            None => pack_options(&resolved, &excluded)?,
        };
        let options = self.engine.with_cache(options);
        let packer = Arc::new(self.packer.with_options(options));
        Ok(self.begun(packer, &resolved, false, control))
    }

    /// Begins a query that changes the options of its reader.
    pub(crate) fn session_with(
        &self,
        choices: &Choices,
        control: &Control,
        change: impl FnOnce(&mut PackOptions) -> Result<()>,
    ) -> Result<Session> {
        let session = self.session(choices, control)?;
        let mut options = session.packer.options().clone();
        change(&mut options)?;
        let packer = Arc::new(session.packer.with_options(options));
        Ok(Session {
            packer,
            is_shared: false,
            ..session
        })
    }

    /// Begins a query for a chosen model, without the values of a query.
    pub(crate) fn session_for(&self, chosen: Chosen, control: &Control) -> Result<Session> {
        let excluded = excluded(&self.engine, &self.resolved, self.packer.source());
        let options = pack_options_for(chosen, &self.resolved, &excluded)?;
        let options = self.engine.with_cache(options);
        let packer = Arc::new(self.packer.with_options(options.counting()));
        Ok(self.begun(packer, &self.resolved, false, control))
    }

    /// Applies the repository's calibration to `model`. Returns a note about it.
    pub(crate) fn calibrate(&self, model: &mut loom_models::Model) -> Option<String> {
        match self.engine.reads_user_data() {
            true => apply_calibration(self.packer.source(), model),
            false => None,
        }
    }

    fn begun(
        &self,
        packer: Arc<Packer>,
        resolved: &Arc<Resolved>,
        is_shared: bool,
        control: &Control,
    ) -> Session {
        Session {
            packer,
            resolved: Arc::clone(resolved),
            cancel: control.token(),
            progress: control.progress(),
            is_shared,
        }
    }
}

impl Session {
    /// Returns the settings of the query.
    pub(crate) fn settings(&self) -> &Settings {
        self.resolved.settings()
    }

    /// Returns an error if the query was cancelled.
    pub(crate) fn check(&self) -> Result<()> {
        match self.cancel.is_cancelled() {
            true => Err(Error::cancelled()),
            false => Ok(()),
        }
    }

    /// Begins the run that the findings of the query belong to.
    pub(crate) fn run(&self) -> Run {
        Run::new().with_progress(Arc::clone(&self.progress))
    }

    /// Describes the files that a run could not read, and its warnings, without secrets.
    pub(crate) fn notices(&self, unread: &[LeftOut], warnings: Vec<String>) -> Vec<NoticeInfo> {
        let redactor = || MessageRedactor::learn(&self.packer, &Cancel::new());
        self.redacted_notices(unread, warnings, redactor)
    }

    /// Describes them with the known secrets of `redactor` redacted.
    pub(crate) fn redacted_notices(
        &self,
        unread: &[LeftOut],
        mut warnings: Vec<String>,
        redactor: impl FnOnce() -> Result<MessageRedactor, PackError>,
    ) -> Vec<NoticeInfo> {
        let mut named: Vec<LeftOut> = unread.iter().take(NAMED).cloned().collect();
        let has_any = !named.is_empty() || !warnings.is_empty();
        // Paths may contain secrets.
        if has_any {
            match redactor() {
                Ok(redactor) => {
                    redactor.redact_left_out(&mut named);
                    redactor.redact(warnings.iter_mut());
                }
                // Without the redactor, paths and warnings could show a secret.
                Err(_) => {
                    named.clear();
                    warnings.clear();
                }
            }
        }
        let warnings = warnings.into_iter();
        let mut notices: Vec<NoticeInfo> = warnings
            .map(|warning| NoticeInfo::new("warning", warning))
            .collect();
        notices.extend(named.iter().map(|left| {
            let message = format!("{} is left out: {}", left.path, left.reason);
            NoticeInfo::new(left.reason.kind(), message).about(left.path.to_string())
        }));
        if unread.len() > named.len() {
            let more = unread.len() - named.len();
            let message = format!("{more} more could not be read");
            notices.push(NoticeInfo::new("unreadable", message).of(more));
        }
        notices.extend(self.cache_notice());
        if cfg!(not(feature = "grammars")) {
            let message = "this build has no grammars: files are read by lines";
            notices.push(NoticeInfo::new("feature_missing", message));
        }
        notices
    }

    /// Returns a notice if nothing is cached for the next run.
    pub(crate) fn cache_notice(&self) -> Option<NoticeInfo> {
        let warning = self.packer.cache_warning()?;
        Some(NoticeInfo::new("cache", warning))
    }
}

/// Returns whether a setting only affects a result, and not the files that are read for it.
fn is_of_result(key: &str) -> bool {
    key.starts_with("context.") || key.starts_with("map.")
}

/// Returns the options for listing the files of a repository. The list does not depend on several
/// models.
fn listing_options(engine: &Engine, resolved: &Resolved, source: &Source) -> Result<PackOptions> {
    let excluded = excluded(engine, resolved, source);
    let mut chosen = chosen_models(resolved)?;
    let options = match chosen.len() {
        0 | 1 => pack_options(resolved, &excluded)?,
        _ => pack_options_for(chosen.swap_remove(0), resolved, &excluded)?,
    };
    Ok(engine.with_cache(options))
}

/// Returns the output files of the program, and those that the settings name.
fn excluded(engine: &Engine, resolved: &Resolved, source: &Source) -> Vec<PathBuf> {
    let mut files = outputs(resolved.settings(), source);
    files.extend(engine.options.outputs().iter().cloned());
    files
}
