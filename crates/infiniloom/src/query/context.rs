//! The code for a question or an issue.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loom_host::{
    ContextAnswer, ContextRequest, Embedder, MapWanted, PackError, Run, SecretsMode, Source,
    context_request, no_match_text, remote_embedder,
};
use loom_wire::{ContextCall, ContextInfo, NoticeInfo};

use super::call::{callable, model_name, path_text};
use super::named_files::NamedFiles;
use super::{counts, narrows, runs};
use crate::choices::{Format, Signal};
use crate::layers::ContextLayer;
use crate::results::context::{Detail, PathBase};
use crate::session::{Choices, Session};
use crate::{Budget, Control, Error, ErrorKind, Infiniloom, Result, Settings, Snapshot, results};

/// A query on one snapshot.
#[derive(Clone, Copy)]
struct QueryState<'a> {
    snapshot: &'a Snapshot,
    session: &'a Session,
    base: &'a PathBase,
}

/// A query for the code of a question or an issue, within a budget, with reasons.
#[derive(Clone, Debug, Default)]
pub struct Context {
    choices: Choices,
    query: String,
    below: String,
    below_path: Option<PathBuf>,
    directory: Option<PathBuf>,
    hot: Vec<String>,
    pins: Vec<String>,
    previous: Vec<String>,
    explains: bool,
    has_optional_pins: bool,
    has_no_map: bool,
}

impl Context {
    /// Selects the code for this question, issue or stack trace.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            ..Self::default()
        }
    }

    /// Keeps the whole written context within a budget of tokens: 50,000 by default, less the
    /// reserve.
    #[must_use]
    pub fn budget(mut self, budget: impl Into<Budget>) -> Self {
        let text = budget.into().text();
        self.choices.values.set("context.budget", text);
        self
    }

    /// Leaves tokens of the budget for the response: none by default.
    #[must_use]
    pub fn reserve(mut self, budget: impl Into<Budget>) -> Self {
        let text = budget.into().text();
        self.choices.values.set("context.reserve", text);
        self
    }

    /// Sets the format of [`ContextInfo::context`]: XML by default, Markdown, YAML, plain or compact.
    /// With JSON it is compact and without reasons, which the other fields have.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.choices.values.set("context.format", format.name());
        self
    }

    /// Counts only these signals. By default all count except [`Signal::GraphCentrality`] and
    /// [`Signal::Recency`].
    #[must_use]
    pub fn signals(mut self, signals: impl IntoIterator<Item = Signal>) -> Self {
        let names = signals.into_iter().map(Signal::name);
        self.choices.values.set_words("context.strategy", names);
        self
    }

    /// Selects at most this many candidates. By default it selects as many as fit. Neighbouring
    /// candidates become one piece.
    #[must_use]
    pub fn limit(mut self, pieces: usize) -> Self {
        self.choices.values.set("context.top", pieces.to_string());
        self
    }

    /// Selects only candidates with at least this score. The best one has 1; by default no score is
    /// too low.
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

    /// Shows paths relative to this directory, which the query is about.
    #[must_use]
    pub fn below(mut self, directory: impl AsRef<str>) -> Self {
        let directory = directory.as_ref().trim_matches('/');
        self.below = match directory {
            "" | "." => String::new(),
            directory => format!("{directory}/"),
        };
        self
    }

    /// Shows paths relative to this directory on this machine. It has no effect if the directory is
    /// the root itself, or is outside the only root.
    #[must_use]
    pub fn below_path(mut self, directory: impl Into<PathBuf>) -> Self {
        self.below_path = Some(directory.into());
        self
    }

    /// Accepts paths of [`Context::hot`] and [`Context::pin`] relative to this directory, too.
    #[must_use]
    pub fn from_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
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

    /// Returns the part of a budget, in tokens, that these settings reserve for the response.
    pub fn reserve_of(settings: &Settings) -> usize {
        let reserve = settings.resolved().settings().context.reserve;
        let tokens = reserve.map_or(0, loom_settings::TokenCount::tokens);
        usize::try_from(tokens).unwrap_or(usize::MAX)
    }

    /// Returns the budget of a context by these settings, without the reserved tokens.
    pub fn budget_of(settings: &Settings) -> usize {
        context_request(settings.resolved().settings(), String::new()).budget
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<ContextInfo> {
        let session = snapshot.session(&self.choices, control)?;
        let base = PathBase::new(self.shown_below(session.packer.source()));
        let request = self.request(snapshot, &session, &base)?;
        let state = QueryState {
            snapshot,
            session: &session,
            base: &base,
        };
        if !control.ends_process() {
            let layer = snapshot.context_layer(&session)?;
            return self.selected(&state, request, &layer, &snapshot.run(&session));
        }
        // The end of the process frees the layer's memory faster than dropping it here.
        let run = session.run();
        let layer = ContextLayer::build(&session.packer, &run, &session.cancel)?;
        let mut layer = ManuallyDrop::new(layer);
        let info = self.selected(&state, request, &layer, &run);
        layer.repository.release_cache();
        info
    }

    fn selected(
        &self,
        state: &QueryState<'_>,
        mut request: ContextRequest,
        layer: &ContextLayer,
        run: &Run,
    ) -> Result<ContextInfo> {
        let QueryState {
            snapshot,
            session,
            base,
        } = *state;
        let repository = &layer.repository;
        let named = NamedFiles {
            source: session.packer.source(),
            repository,
            below: base.below(),
            directory: self.directory.as_deref(),
        };
        request.pins = named.pins(&self.pins, self.has_optional_pins)?;
        let hot = self.hot.iter();
        request.hot = hot.map(|path| named.hot(path)).collect();
        let selected = repository.answer(&session.packer, &request, run, &session.cancel);
        let answer = selected.map_err(|error| refused(error, session))?;
        let detail = match self.explains && !answer.has_no_match {
            true => Detail::Explained,
            false => Detail::Pieces,
        };
        let tokenizer = session.packer.options().model.tokenizer;
        let budget = request.budget;
        let mut info = results::context::info(base, repository, &answer, tokenizer, budget, detail);
        let remarks = snapshot.notices(session, layer.remarks.with_run(run));
        info.notices = self.notices(session, remarks, &answer);
        if answer.has_no_match && self.has_no_map {
            return Ok(results::context::no_match_info(info, tokenizer, ""));
        }
        if answer.has_no_match {
            let map = snapshot.map_layer(session, &MapWanted::default())?;
            let text = no_match_text(
                &session.packer,
                answer.files,
                &map.repository,
                request.budget,
            );
            return Ok(results::context::no_match_info(info, tokenizer, &text));
        }
        let is_empty = repository.corpus().files.is_empty();
        info.notices.extend(size_notice(&answer, is_empty));
        let remark = answer.selection.remark();
        let weak = remark.map(|remark| NoticeInfo::new("weak_match", remark));
        info.notices.extend(weak);
        Ok(info)
    }

    /// Returns the directory that the query is about: its path from the root, with a final slash.
    fn shown_below(&self, source: &Source) -> String {
        let roots: Vec<&Path> = source.roots().collect();
        let ([root], Some(path)) = (roots.as_slice(), &self.below_path) else {
            return self.below.clone();
        };
        let below = path.canonicalize().ok().and_then(|path| {
            let below = path.strip_prefix(root).ok()?.to_str()?.to_owned();
            (path.is_dir() && !below.is_empty()).then(|| format!("{below}/"))
        });
        below.unwrap_or_else(|| self.below.clone())
    }

    fn request(
        &self,
        snapshot: &Snapshot,
        session: &Session,
        base: &PathBase,
    ) -> Result<ContextRequest> {
        let mut request = context_request(session.settings(), self.query.clone());
        // No embedding provider is needed unless the query compares meanings.
        if request.compares_meanings() && !snapshot.reader().engine.is_offline {
            let embedder = remote_embedder(session.settings());
            let embedder = embedder.map_err(PackError::from)?;
            request.embedder = embedder.map(|one| Arc::new(one) as Arc<dyn Embedder>);
        }
        base.below().clone_into(&mut request.below);
        let previous = self.previous.iter();
        request.previous = previous
            .map(|path| format!("{}{path}", base.below()))
            .collect();
        Ok(request)
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
            below_path,
            directory,
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
            below_path: below_path.as_deref().map(path_text).transpose()?,
            directory: directory.as_deref().map(path_text).transpose()?,
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
            below_path,
            directory,
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
            below_path: below_path.as_ref().map(PathBuf::from),
            directory: directory.as_ref().map(PathBuf::from),
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

/// Names the budget that would be enough, including the reserved part.
fn refused(error: PackError, session: &Session) -> Error {
    let context = &session.settings().context;
    let error = Error::from(error);
    match (error.needed(), context.reserve) {
        (Some(needed), Some(reserve)) if error.kind() == ErrorKind::Refused => {
            let (budget, reserve) = (context.budget.tokens(), reserve.tokens());
            let message = format!(
                "the context takes {needed} tokens at least, and of the budget of {budget} the \
                 reserve keeps {reserve} for the response"
            );
            let reserve = usize::try_from(reserve).unwrap_or(usize::MAX);
            let error = Error::with_message(ErrorKind::Refused, "budget_too_small", message);
            error.with_needed(needed.saturating_add(reserve))
        }
        _ => error,
    }
}
