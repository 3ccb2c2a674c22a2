//! A call of a tool: its root and arguments, the time that it may take, and the form of its answer.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use infiniloom::{Cancel, Control, Layer, Snapshot};

use super::numbers::Numbers;
use super::place::Paths;
use super::{Caller, PARTIAL_TOKENS};
use crate::answer::{Answer, Fitted};
use crate::arguments::Arguments;
use crate::root::{Root, Warm};
use crate::tool_error::ToolError;

/// Time that a call reads files. Then it returns the results so far: to read all files for a
/// frequent name takes longer than a client waits.
const DEADLINE: Duration = Duration::from_secs(5);

/// Time that a call waits for a layer of the present files if there is one of earlier files.
const REFRESH: Duration = Duration::from_millis(2500);

/// Maximum number of warnings about files in an answer.
const WARNINGS: usize = 3;

/// A call of a tool.
pub(crate) struct Call<'a> {
    pub(crate) root: &'a Root,
    pub(crate) arguments: &'a Arguments,
    /// Remarks about the arguments.
    pub(crate) notices: &'a [String],
    pub(crate) cancel: &'a Cancel,
    /// Limit of the answer in tokens.
    pub(crate) limit: usize,
    pub(crate) caller: Caller,
    pub(super) began: Instant,
    /// Time that the call has waited for an index or a layer.
    pub(super) waited: Cell<Duration>,
}

impl Call<'_> {
    /// Fits an answer into the limit of the call.
    pub(super) fn fit(&self, answer: Answer) -> Fitted {
        self.fit_within(answer, self.limit)
    }

    /// Fits the answer of a call that could not wait any longer. The next call gets the whole
    /// answer, so this one is short.
    pub(super) fn fit_partial(&self, answer: Answer) -> Fitted {
        let far = match self.root.indexing() {
            Some((done, steps)) if steps > 0 => {
                format!("the index is being built ({} %)", 100 * done / steps)
            }
            _ => "the files are being read".to_owned(),
        };
        let answer = answer.partial(far, "ask again in a few seconds");
        self.fit_within(answer, self.limit.min(PARTIAL_TOKENS))
    }

    /// Fits an answer into `limit` tokens. Redacts it first with the secrets of the newest
    /// snapshot: the answer may come from an earlier one.
    pub(super) fn fit_within(&self, answer: Answer, limit: usize) -> Fitted {
        let newest = self.snapshot();
        let redactor = newest.and_then(|newest| {
            let redactor = newest.redactor(&self.control())?;
            Ok((newest, redactor))
        });
        match redactor {
            Ok((newest, redactor)) => {
                let mut answer = answer.notices(self.notices);
                answer.redact(|text| redactor.redact_known(text));
                answer
                    .warn(self.warnings(&newest))
                    .form(self.caller.form)
                    .limits(self.caller.limits)
                    .fit(limit, &redactor, &newest.model())
            }
            // The call was cancelled: nobody reads the answer.
            Err(_) => Fitted::default(),
        }
    }

    /// Returns warnings about the files and the settings of a snapshot, those about visible secrets
    /// first, and only the first ones, because each answer repeats them.
    fn warnings(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut warnings = snapshot.warnings(&self.control()).unwrap_or_default();
        let more = warnings.len().saturating_sub(WARNINGS);
        warnings.truncate(WARNINGS);
        warnings.extend_from_slice(snapshot.settings().warnings());
        if more > 0 {
            warnings.push(format!("{more} more; run `infiniloom index` to see them"));
        }
        warnings
    }

    /// Returns a control that ends with the call.
    pub(super) fn control(&self) -> Control {
        Control::new().with_cancel(self.cancel)
    }

    /// Returns a snapshot of the present files.
    pub(super) fn snapshot(&self) -> Result<Snapshot, ToolError> {
        Ok(self.root.repository().snapshot_with(&self.control())?)
    }

    /// Returns the paths of a snapshot, to resolve the paths of the call.
    pub(super) fn paths(&self, snapshot: &Snapshot) -> Result<Paths<'_>, ToolError> {
        Ok(Paths {
            files: snapshot.files(&self.control())?,
            prefix: &self.root.prefix,
        })
    }

    /// Returns the results that the caller wants at most.
    pub(super) fn most(&self) -> Result<usize, ToolError> {
        let limit = self.arguments.number("limit")?;
        Ok(limit.unwrap_or(usize::MAX).max(1))
    }

    /// Returns which lines get their numbers.
    pub(super) fn numbers(&self) -> Result<Numbers, ToolError> {
        let name = self.arguments.choice("numbers", Numbers::NAMES)?;
        Ok(Numbers::from_name(name))
    }

    /// Returns a snapshot that has a layer, if the time of the call suffices.
    pub(super) fn warm(&self, layer: Layer) -> Result<Option<Warm>, ToolError> {
        let refresh = REFRESH.saturating_sub(self.began.elapsed());
        self.waiting(|| {
            self.root
                .warm(layer, self.patience(), refresh, &self.control())
        })
    }

    /// Shortens full paths to those of answers, which start at the top of the repository.
    pub(super) fn below(&self, paths: Vec<String>) -> Vec<String> {
        let tops = self.root.tops();
        let below = |path: String| {
            let mut tops = tops.iter();
            let below = tops.find_map(|top| Path::new(&path).strip_prefix(top).ok());
            let below = below.and_then(Path::to_str).map(str::to_owned);
            below.unwrap_or(path)
        };
        paths.into_iter().map(below).collect()
    }

    /// Returns an error if the caller cancelled the call.
    pub(super) fn check(&self) -> Result<(), ToolError> {
        match self.cancel.is_cancelled() {
            true => Err(ToolError::interrupted()),
            false => Ok(()),
        }
    }

    /// Waits for the index. Returns true if it exists.
    pub(super) fn is_indexed(&self) -> bool {
        self.waiting(|| self.root.wait(self.patience(), &self.control()))
    }

    /// Counts the time of `work` as waiting.
    fn waiting<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = work();
        self.waited.set(self.waited.get() + began.elapsed());
        result
    }

    /// Returns the time that the call may still wait for a layer.
    fn patience(&self) -> Duration {
        self.caller.patience.saturating_sub(self.began.elapsed())
    }

    /// Returns the time that the call may still read files. Waiting does not count.
    pub(super) fn time_left(&self) -> Duration {
        let worked = self.began.elapsed().saturating_sub(self.waited.get());
        DEADLINE.saturating_sub(worked)
    }
}
