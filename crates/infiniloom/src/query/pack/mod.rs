//! A repository as one text.

mod outputs;
mod plan;
mod warnings;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use loom_host::{PackStream, StreamOptions, chosen_models};
use loom_wire::{FileInfo, LeftOutInfo, PackCall, PackInfo, Report, Statistics};

use super::call::{callable, model_name};
use super::{check, counts, narrows, runs, unusable};
use crate::choices::{Fit, Format, Level, Preserve};
use crate::provider::{Provider, unless_exact};
use crate::session::{Choices, Reader, Session};
use crate::values::Values;
use crate::{Budget, Buffer, Control, Error, Infiniloom, OutputFile, Result, Snapshot, Stream};
pub use outputs::{PackOutputs, existing_parts, part_path};
use plan::budget;
pub use plan::{PackPlan, WrittenPack};

/// A query that packs a repository into one text for a model.
///
/// It counts final bytes: a budget is an upper bound on the whole text.
#[derive(Clone, Debug, Default)]
pub struct Pack {
    choices: Choices,
    part_tokens: Option<usize>,
    is_exact: bool,
}

/// An event of a pack that is read file by file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PackEvent {
    /// First: the statistics of all files.
    Metadata(Box<Statistics>),
    /// Each file, in the order of the paths.
    #[non_exhaustive]
    File {
        /// The file, or this part of it.
        info: Box<FileInfo>,
        /// Its text, redacted.
        text: String,
        /// The number of this part and of all parts, if the file has several.
        part: Option<PackPart>,
    },
    /// Last: the totals.
    #[non_exhaustive]
    Summary {
        /// The number of files in the stream.
        files: usize,
        /// The tokens of their texts.
        tokens: usize,
        /// The files that were found and skipped.
        skipped: Vec<LeftOutInfo>,
    },
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackPart {
    /// Its number, from 1.
    pub number: usize,
    /// The number of parts.
    pub total: usize,
}

impl Pack {
    /// Creates a pack by the settings of the snapshot.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.choices.values.set("pack.format", format.name());
        self
    }

    /// Keeps the whole text within a budget. Introductions and source come first.
    #[must_use]
    pub fn budget(mut self, budget: impl Into<Budget>) -> Self {
        self.choices.values.set("pack.budget", budget.into().text());
        self
    }

    /// Sets the way to meet the budget.
    #[must_use]
    pub fn fit(mut self, fit: Fit) -> Self {
        self.choices.values.set("pack.fit", fit.name());
        self
    }

    /// Compresses files to a level.
    #[must_use]
    pub fn compress(mut self, level: Level) -> Self {
        self.choices.values.set("pack.compress", level.name());
        self
    }

    /// Keeps these kinds of text at every level.
    #[must_use]
    pub fn preserve(mut self, kinds: impl IntoIterator<Item = Preserve>) -> Self {
        let names = kinds.into_iter().map(Preserve::name);
        self.choices.values.set_words("pack.preserve", names);
        self
    }

    /// Removes comments, documentation too.
    #[must_use]
    pub fn remove_comments(mut self, removes: bool) -> Self {
        self.choices.values.switch("pack.remove_comments", removes);
        self
    }

    /// Removes blank lines, and indentation if it has no meaning.
    #[must_use]
    pub fn minify_whitespace(mut self, minifies: bool) -> Self {
        self.choices
            .values
            .switch("pack.minify_whitespace", minifies);
        self
    }

    /// Truncates a file that has more tokens.
    #[must_use]
    pub fn max_tokens_per_file(mut self, budget: impl Into<Budget>) -> Self {
        let text = budget.into().text();
        self.choices.values.set("pack.max_tokens_per_file", text);
        self
    }

    /// Writes a number before every line.
    #[must_use]
    pub fn line_numbers(mut self, has_numbers: bool) -> Self {
        self.choices.values.switch("pack.line_numbers", has_numbers);
        self
    }

    /// Shows a text of the caller in the header.
    #[must_use]
    pub fn header(mut self, text: impl AsRef<str>) -> Self {
        self.choices.values.set("pack.header", text.as_ref());
        self
    }

    /// Shows the text of a file in the header, as instructions of the caller.
    #[must_use]
    pub fn instruction_file(mut self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().as_os_str();
        self.choices.values.set("pack.instruction_file", path);
        self
    }

    /// Lets a MiniJinja template write the whole text.
    #[must_use]
    pub fn template(mut self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().as_os_str();
        self.choices.values.set("pack.template", path);
        self
    }

    /// Shows the last commits.
    #[must_use]
    pub fn log(mut self, commits: usize) -> Self {
        self.choices.values.set("pack.log", commits.to_string());
        self
    }

    /// Shows the changes of the working tree that are not staged.
    #[must_use]
    pub fn diff(mut self, is_shown: bool) -> Self {
        self.choices.values.switch("pack.diff", is_shown);
        self
    }

    /// Shows the staged changes.
    #[must_use]
    pub fn staged(mut self, is_shown: bool) -> Self {
        self.choices.values.switch("pack.staged", is_shown);
        self
    }

    /// Shows the changes since the merge base of `HEAD` and `revision`.
    #[must_use]
    pub fn since(mut self, revision: impl AsRef<str>) -> Self {
        self.choices.values.set("pack.since", revision.as_ref());
        self
    }

    /// Splits a file with more tokens into several parts. Only [`Pack::stream`] can do that.
    #[must_use]
    pub fn part_tokens(mut self, tokens: usize) -> Self {
        self.part_tokens = Some(tokens);
        self
    }

    /// Has the provider count the whole text if its tokens are estimated for the model. It sends
    /// the pack, with the key in the user's environment: the engine must use the user's
    /// settings. [`Control::before_sending`] reports the text first. Figures of single files
    /// stay estimates, and a budget is kept by estimates.
    #[must_use]
    pub fn exact(mut self, is_exact: bool) -> Self {
        self.is_exact = is_exact;
        self
    }

    /// Decides the contents of the pack, without writing it.
    ///
    /// # Errors
    /// If a value is invalid, the budget is too small, the settings refuse packs with secrets, or
    /// the run is cancelled.
    pub fn plan(&self, snapshot: &Snapshot, control: &Control) -> Result<PackPlan> {
        control.run(|| self.planned(snapshot, control, None))
    }

    /// Writes the pack to `out`, and returns its report. A cancelled run leaves a partial output.
    ///
    /// # Errors
    /// If a value is invalid, the budget is too small, `out` cannot be written to, or the run
    /// is cancelled.
    pub fn write_to(
        &self,
        snapshot: &Snapshot,
        out: &mut dyn Write,
        control: &Control,
    ) -> Result<Report> {
        control.run(|| {
            let plan = self.planned(snapshot, control, None)?;
            let written = plan.write_to(out, control)?;
            Ok(plan.report(&[written]))
        })
    }

    /// Writes the pack to a file, which appears complete or not at all. The pack skips that file.
    ///
    /// # Errors
    /// If a value is invalid, the budget is too small, the file cannot be written, or the run
    /// is cancelled.
    pub fn write_file(
        &self,
        snapshot: &Snapshot,
        path: impl AsRef<Path>,
        control: &Control,
    ) -> Result<Report> {
        let path = path.as_ref();
        control.run(|| {
            let plan = self.planned(snapshot, control, Some(path))?;
            let mut file = OutputFile::create(path)?;
            let written = plan.write_uncounted(&mut file, control)?;
            control.check()?;
            file.finish()?;
            Ok(plan.report(&[plan.counted(written, control)?]))
        })
    }

    /// Reads the pack file by file: statistics, each file, and a summary. The producer pauses while
    /// the buffer is full. Texts have no markup of the pack.
    pub fn stream(
        &self,
        snapshot: &Snapshot,
        buffer: Buffer,
        control: &Control,
    ) -> Stream<PackEvent> {
        let started = control.run(|| self.start(snapshot, buffer, control));
        started.unwrap_or_else(Stream::failed)
    }

    pub(super) fn values(&self) -> &Values {
        &self.choices.values
    }

    fn start(
        &self,
        snapshot: &Snapshot,
        buffer: Buffer,
        control: &Control,
    ) -> Result<Stream<PackEvent>> {
        let markup = ["pack.format", "pack.template", "pack.header", "pack.log"];
        let markup = markup.iter().chain(&["pack.line_numbers", "pack.diff"]);
        let is_set = |key: &&&str| self.choices.values.has(key);
        let unused = markup.filter(is_set).map(|key| {
            unusable(format!(
                "`{key}` has no effect on a stream, which has no markup"
            ))
        });
        let exact = self
            .is_exact
            .then(|| unusable("a stream is not one text that a provider could count"));
        check(unused.chain(exact).collect())?;
        let mut options: StreamOptions = buffer.options()?;
        if let Some(tokens) = self.part_tokens {
            let tokens = std::num::NonZero::new(tokens);
            let zero = || Error::invalid("invalid_parts", "a part has at least one token");
            options = options.chunk_tokens(tokens.ok_or_else(zero)?);
        }
        let session = self.session(snapshot, control, None)?;
        let budget = budget(session.settings());
        let packer = Arc::clone(&session.packer);
        let pulled = PackStream::new(packer, options)
            .within(budget)
            .start_until(&session.cancel);
        Ok(Stream::converted(pulled, event))
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<PackInfo> {
        let plan = self.planned(snapshot, control, None)?;
        let mut out = Vec::new();
        let written = plan.write_to(&mut out, control)?;
        Ok(PackInfo {
            text: String::from_utf8_lossy(&out).into_owned(),
            report: plan.report(&[written]),
            notices: plan.notices(),
        })
    }

    fn planned(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        output: Option<&Path>,
    ) -> Result<PackPlan> {
        let problem = self
            .part_tokens
            .map(|_| unusable("only a stream has parts of files"));
        check(problem.into_iter().collect())?;
        let session = self.session(snapshot, control, output)?;
        let provider = match self.is_exact {
            true => self.provider(snapshot.reader(), &session)?,
            false => None,
        };
        PackPlan::make(&session, provider)
    }

    fn session(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        output: Option<&Path>,
    ) -> Result<Session> {
        let written = output.map(Path::to_owned).into_iter().collect();
        let reader = snapshot.reader();
        let session = reader.session_writing(&self.choices, control, written)?;
        let mut options = session.packer.options().clone();
        let note = reader.calibrate(&mut options.model);
        options.notes.extend(note);
        let packer = Arc::new(session.packer.with_options(options));
        Ok(Session { packer, ..session })
    }

    fn provider(&self, reader: &Reader, session: &Session) -> Result<Option<Provider>> {
        match &self.choices.model {
            Some(model) => unless_exact(&reader.engine, &model.chosen(), None),
            None => {
                let chosen = chosen_models(&session.resolved)?;
                let one = chosen.first();
                let provider =
                    one.map(|one| unless_exact(&reader.engine, one, Some(&session.resolved)));
                Ok(provider.transpose()?.flatten())
            }
        }
    }
}

runs!(Pack => PackInfo);
callable!(Pack => PackInfo);

impl Pack {
    fn call(&self) -> Result<PackCall> {
        let Self {
            choices,
            part_tokens,
            is_exact,
        } = self;
        Ok(PackCall {
            settings: choices.values.call()?,
            model: model_name(choices.model.as_ref()),
            part_tokens: *part_tokens,
            exact: *is_exact,
        })
    }

    fn of_call(call: &PackCall, engine: &Infiniloom) -> Result<Self> {
        let PackCall {
            settings,
            model,
            part_tokens,
            exact,
        } = call;
        Ok(Self {
            choices: Choices::of_call(settings, model.as_ref(), engine)?,
            part_tokens: *part_tokens,
            is_exact: *exact,
        })
    }
}
narrows!(Pack);
counts!(Pack);

fn event(chunk: loom_host::Chunk) -> PackEvent {
    match chunk {
        loom_host::Chunk::Metadata(overview) => PackEvent::Metadata(Box::new(overview.to_wire())),
        loom_host::Chunk::File {
            meta, text, part, ..
        } => PackEvent::File {
            info: Box::new(meta.to_wire()),
            text,
            part: part.map(|part| PackPart {
                number: part.number,
                total: part.total,
            }),
        },
        loom_host::Chunk::Summary {
            files,
            total_tokens,
            left_out,
            ..
        } => PackEvent::Summary {
            files,
            tokens: total_tokens,
            skipped: left_out.iter().map(loom_host::left_out_info).collect(),
        },
        // A later kind of chunk has its own event before it is sent.
        _ => PackEvent::Summary {
            files: 0,
            tokens: 0,
            skipped: Vec::new(),
        },
    }
}
