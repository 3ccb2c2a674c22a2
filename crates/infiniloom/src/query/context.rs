//! The code for a question or an issue.

use std::sync::Arc;

use loom_host::{
    ContextAnswer, ContextRepository, ContextRequest, Embedder, MapWanted, PackError, SecretsMode,
    context_request, remote_embedder,
};
use loom_wire::{ContextCall, ContextInfo, NoticeInfo};

use super::call::{callable, model_name};
use super::{counts, narrows, runs};
use crate::choices::{Format, Signal};
use crate::results::context::{Detail, PathBase};
use crate::session::{Choices, Session};
use crate::{Budget, Control, Error, ErrorKind, Infiniloom, Result, Settings, Snapshot, results};

/// Selects the code for a question or an issue, within a budget, with reasons.
#[derive(Clone, Debug, Default)]
pub struct Context {
    choices: Choices,
    query: String,
    below: String,
    hot: Vec<String>,
    pins: Vec<String>,
    previous: Vec<String>,
    explains: bool,
    has_optional_pins: bool,
    has_no_map: bool,
}

impl Context {
    /// The code for this question, issue or stack trace.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            ..Self::default()
        }
    }

    /// Keeps the context within a budget.
    #[must_use]
    pub fn budget(mut self, budget: impl Into<Budget>) -> Self {
        let text = budget.into().text();
        self.choices.values.set("context.budget", text);
        self
    }

    /// Leaves tokens of the budget for the response.
    #[must_use]
    pub fn reserve(mut self, budget: impl Into<Budget>) -> Self {
        let text = budget.into().text();
        self.choices.values.set("context.reserve", text);
        self
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.choices.values.set("context.format", format.name());
        self
    }

    /// Counts only these signals.
    #[must_use]
    pub fn signals(mut self, signals: impl IntoIterator<Item = Signal>) -> Self {
        let names = signals.into_iter().map(Signal::name);
        self.choices.values.set_words("context.strategy", names);
        self
    }

    /// Selects at most this many pieces.
    #[must_use]
    pub fn limit(mut self, pieces: usize) -> Self {
        self.choices.values.set("context.top", pieces.to_string());
        self
    }

    /// Selects only pieces with at least this score.
    #[must_use]
    pub fn threshold(mut self, score: f64) -> Self {
        let text = score.to_string();
        self.choices.values.set("context.threshold", text);
        self
    }

    /// Prefers code near this file, which is open or being edited. Its path starts at the root.
    #[must_use]
    pub fn hot(mut self, path: impl Into<String>) -> Self {
        self.hot.push(path.into());
        self
    }

    /// Always includes a file, `FILE:FIRST-LAST` or the definitions of a name.
    #[must_use]
    pub fn pin(mut self, pin: impl Into<String>) -> Self {
        self.pins.push(pin.into());
        self
    }

    /// Prefers the files of an earlier context.
    #[must_use]
    pub fn previous(mut self, earlier: &ContextInfo) -> Self {
        let paths = earlier.pieces.iter().map(|piece| piece.path.clone());
        self.previous.extend(paths);
        self.previous.dedup();
        self
    }

    /// Shows paths from this directory, which the query is about.
    #[must_use]
    pub fn below(mut self, directory: impl AsRef<str>) -> Self {
        let directory = directory.as_ref().trim_matches('/');
        self.below = match directory {
            "" | "." => String::new(),
            directory => format!("{directory}/"),
        };
        self
    }

    /// Describes the scores of all candidates in the result.
    #[must_use]
    pub fn explain(mut self, explains: bool) -> Self {
        self.explains = explains;
        self
    }

    /// Decides whether a pin that does not exist is an error, as usual, or a notice.
    #[must_use]
    pub fn optional_pins(mut self, is_optional: bool) -> Self {
        self.has_optional_pins = is_optional;
        self
    }

    /// Decides whether a result without a match shows the beginning of the map, as usual.
    #[must_use]
    pub fn map_without_match(mut self, is_shown: bool) -> Self {
        self.has_no_map = !is_shown;
        self
    }

    /// Returns the tokens of a budget that these settings reserve for the response.
    pub fn reserve_of(settings: &Settings) -> usize {
        let reserve = settings.resolved().settings().context.reserve;
        let tokens = reserve.map_or(0, |reserve| reserve.tokens());
        usize::try_from(tokens).unwrap_or(usize::MAX)
    }

    /// Returns the tokens that a context has by these settings, without the reserved ones.
    pub fn budget_of(settings: &Settings) -> usize {
        context_request(settings.resolved().settings(), String::new()).budget
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<ContextInfo> {
        let session = snapshot.session(&self.choices, control)?;
        let mut request = self.request(snapshot, &session)?;
        let layer = snapshot.context_layer(&session)?;
        let (repository, run) = (&layer.repository, snapshot.run(&session));
        if !self.has_optional_pins {
            self.check_pins(repository)?;
        }
        request.pins = self.pins.clone();
        let hot = self.hot.iter();
        request.hot = hot.map(|path| self.known(repository, path)).collect();
        let asked = session
            .packer
            .context(repository, &request, &run, &session.cancel);
        let answer = asked.map_err(|error| refused(error, &session))?;
        let detail = match self.explains {
            true => Detail::Explained,
            false => Detail::Pieces,
        };
        let base = PathBase::new(self.below.clone());
        let tokenizer = session.packer.options().model.tokenizer;
        let budget = request.budget;
        let mut info =
            results::context::info(&base, repository, &answer, tokenizer, budget, detail);
        let remarks = layer.remarks.with_run(&run);
        let remarks = snapshot.notices(&session, remarks);
        info.notices = self.notices(&session, remarks, &answer);
        if answer.has_no_match && self.has_no_map {
            return Ok(results::context::no_match_info(info, tokenizer, ""));
        }
        if answer.has_no_match {
            let map = snapshot.map_layer(&session, &MapWanted::default())?;
            let text = session
                .packer
                .no_match_text(answer.files, &map.repository, request.budget);
            return Ok(results::context::no_match_info(info, tokenizer, &text));
        }
        let is_empty = repository.corpus().files.is_empty();
        info.notices.extend(size_notice(&answer, is_empty));
        Ok(info)
    }

    fn request(&self, snapshot: &Snapshot, session: &Session) -> Result<ContextRequest> {
        let mut request = context_request(session.settings(), self.query.clone());
        // Without meanings to compare no service is asked for vectors.
        if request.compares_meanings() && !snapshot.reader().engine.is_offline {
            let embedder = remote_embedder(session.settings());
            let embedder = embedder.map_err(PackError::from)?;
            request.embedder = embedder.map(|one| Arc::new(one) as Arc<dyn Embedder>);
        }
        request.below.clone_from(&self.below);
        let previous = self.previous.iter();
        request.previous = previous
            .map(|path| format!("{}{path}", self.below))
            .collect();
        Ok(request)
    }

    /// A path as the caller wrote it, from the root or from the directory of the query.
    fn known(&self, repository: &ContextRepository, path: &str) -> String {
        let below = format!("{}{path}", self.below);
        match repository.has_file(path) || !repository.has_file(&below) {
            true => path.to_owned(),
            false => below,
        }
    }

    fn check_pins(&self, repository: &ContextRepository) -> Result<()> {
        let missing = self.pins.iter().filter(|pin| !repository.has_pin(pin));
        let problems: Vec<_> = missing
            .map(|pin| crate::ErrorProblem {
                message: format!("nothing here is called {pin}"),
                hint: Some(
                    "a pin is a file, FILE:FIRST-LAST with lines that it has, or the name of a \
                     definition"
                        .to_owned(),
                ),
            })
            .collect();
        super::check(problems)
    }

    fn notices(
        &self,
        session: &Session,
        remarks: Vec<NoticeInfo>,
        answer: &ContextAnswer,
    ) -> Vec<NoticeInfo> {
        let mut notices: Vec<NoticeInfo> = answer
            .missing
            .iter()
            .map(|name| {
                NoticeInfo::new("no_such_path", format!("{name}: no such file")).about(name)
            })
            .collect();
        notices.extend(remarks);
        if answer.has_no_match {
            let message = loom_host::no_match_message(answer.files);
            notices.push(NoticeInfo::new("no_match", message));
            return notices;
        }
        notices.extend(secrets_notice(
            session.packer.secrets_mode(),
            answer.secrets,
        ));
        notices.extend(answer.changed.iter().map(|path| {
            let message = format!("{path} is left out: it changed while it was read");
            NoticeInfo::new("changed", message).about(path.to_string())
        }));
        notices
    }
}

runs!(Context => ContextInfo);
callable!(Context => ContextInfo);

impl Context {
    fn call(&self) -> Result<ContextCall> {
        let Self {
            choices,
            query,
            below,
            hot,
            pins,
            previous,
            explains,
            has_optional_pins,
            has_no_map,
        } = self;
        Ok(ContextCall {
            settings: choices.values.call()?,
            model: model_name(choices.model.as_ref()),
            text: query.clone(),
            below: below.clone(),
            hot: hot.clone(),
            pins: pins.clone(),
            previous: previous.clone(),
            explain: *explains,
            optional_pins: *has_optional_pins,
            no_map: *has_no_map,
        })
    }

    fn of_call(call: &ContextCall, engine: &Infiniloom) -> Result<Self> {
        let ContextCall {
            settings,
            model,
            text,
            below,
            hot,
            pins,
            previous,
            explain,
            optional_pins,
            no_map,
        } = call;
        Ok(Self {
            choices: Choices::of_call(settings, model.as_ref(), engine)?,
            query: text.clone(),
            below: below.clone(),
            hot: hot.clone(),
            pins: pins.clone(),
            previous: previous.clone(),
            explains: *explain,
            has_optional_pins: *optional_pins,
            has_no_map: *no_map,
        })
    }
}
narrows!(Context);
counts!(Context);

fn size_notice(answer: &ContextAnswer, is_empty: bool) -> Option<NoticeInfo> {
    if is_empty {
        return Some(NoticeInfo::new(
            "no_files",
            "there are no files to select from",
        ));
    }
    if answer.fitted.pieces.is_empty() {
        let message = "no code fits into the budget; a larger budget shows some";
        return Some(NoticeInfo::new("budget", message));
    }
    let message = "no word of the query is in the files: showing code that much of the rest uses";
    answer
        .selection
        .is_general
        .then(|| NoticeInfo::new("general", message))
}

fn secrets_notice(mode: SecretsMode, secrets: usize) -> Option<NoticeInfo> {
    let what = match secrets {
        0 => return None,
        1 => "1 secret".to_owned(),
        secrets => format!("{secrets} secrets"),
    };
    let message = match mode {
        SecretsMode::Redact => format!("{what} redacted"),
        _ => format!("{what} in the context"),
    };
    Some(NoticeInfo::new("secrets", message))
}

/// Names the budget that would do if a part of it is reserved.
fn refused(error: PackError, session: &Session) -> Error {
    let context = &session.settings().context;
    let error = Error::from(error);
    match (error.needed(), context.reserve) {
        (Some(needed), Some(reserve)) if error.kind() == ErrorKind::Refused => {
            let reserve = usize::try_from(reserve.tokens()).unwrap_or(usize::MAX);
            error.with_needed(needed.saturating_add(reserve))
        }
        _ => error,
    }
}
