//! Files in parts that fit a number of tokens.

use std::ops::ControlFlow;
use std::sync::Arc;

use loom_host::{
    ChunkReport, FileChunks, HistoryOptions, Packer, Pulled, Source, chunk_options, left_out_info,
};
use loom_wire::{ChunkCall, ChunkInfo, ChunksInfo, FORMAT_VERSION, NoticeInfo};

use super::call::{callable, model_name};
use super::{counts, narrows, runs};
use crate::choices::Boundary;
use crate::session::{Choices, Session};
use crate::{Budget, Buffer, Control, Infiniloom, Result, Snapshot, Stream, Text, results};

/// Splits files into chunks with their token counts.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    choices: Choices,
}

impl Chunk {
    /// Chunks as the settings of the snapshot say.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps each chunk within this many tokens: 8,000 by default, at least 16. The lines about its
    /// surroundings ([`ChunkInfo::context`]) and the overlap count.
    #[must_use]
    pub fn tokens(mut self, tokens: impl Into<Budget>) -> Self {
        self.choices
            .values
            .set("chunk.tokens", tokens.into().text());
        self
    }

    /// Repeats at most this many tokens of the chunk before, in whole lines. By default it is a
    /// sixteenth of a chunk and at most 256 tokens, or 0 with [`Boundary::Symbol`].
    #[must_use]
    pub fn overlap(mut self, tokens: usize) -> Self {
        self.choices.values.set("chunk.overlap", tokens.to_string());
        self
    }

    /// Decides where chunks end: by default [`Boundary::Semantic`].
    #[must_use]
    pub fn boundary(mut self, boundary: Boundary) -> Self {
        self.choices.values.set("chunk.strategy", boundary.name());
        self
    }

    /// Splits file by file on a thread, which pauses while the buffer is full.
    pub fn stream(
        &self,
        snapshot: &Snapshot,
        buffer: Buffer,
        control: &Control,
    ) -> Stream<ChunkInfo> {
        let started = control.run(|| {
            let marks = buffer.options()?;
            let session = self.session(snapshot, control)?;
            let options = chunk_options(&session.resolved)?;
            let cancel = session.cancel.clone();
            Ok(Pulled::spawn(marks, &cancel, move |emit, cancel| {
                let is_exact = is_exact(&session.packer);
                let progress = &*session.progress;
                session
                    .packer
                    .text_chunks(&options, progress, cancel, |file| {
                        let mut infos = infos(&file, is_exact);
                        infos.try_for_each(|info| {
                            let bytes = info.text.len();
                            emit(info, bytes)
                        })
                    })?;
                Ok(())
            }))
        });
        match started {
            Ok(pulled) => Stream::converted(pulled, std::convert::identity),
            Err(error) => Stream::failed(error),
        }
    }

    /// Splits a text that is no file of a repository.
    ///
    /// # Errors
    /// If a value is invalid, or the settings refuse texts with secrets.
    pub fn run_text(&self, engine: &Infiniloom, text: &Text) -> Result<ChunksInfo> {
        let repository = engine.open_source(Source::join(Vec::new()))?;
        let (snapshot, control) = (repository.snapshot()?, Control::new());
        control.run(|| {
            let session = self.session(&snapshot, &control)?;
            let options = chunk_options(&session.resolved)?;
            let (file, told) =
                session
                    .packer
                    .chunks_of_text(text.path(), text.decoded().clone(), &options)?;
            let mut totals = Totals::default();
            totals.add(&file);
            Ok(ChunksInfo {
                chunks: infos(&file, is_exact(&session.packer)).collect(),
                ..totals.info(&session, &told)
            })
        })
    }

    /// Calls `show` with each chunk as soon as its file is split, in the order of the paths. If
    /// `show` breaks, the run ends early. The result has the totals and no chunks.
    ///
    /// # Errors
    /// As for [`Chunk::run_with`].
    pub fn for_each(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        mut show: impl FnMut(ChunkInfo) -> ControlFlow<()>,
    ) -> Result<ChunksInfo> {
        control.run(|| self.shown(snapshot, control, &mut show))
    }

    /// Checks the sizes of chunks in the settings of an engine, before a remote is fetched.
    ///
    /// # Errors
    /// If they are invalid.
    pub fn check(&self, engine: &Infiniloom) -> Result<()> {
        let resolved = engine.settings();
        let layer = self.choices.values.checked_layer()?;
        chunk_options(&resolved.resolved().overlaid(&layer))?;
        Ok(())
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<ChunksInfo> {
        let mut chunks = Vec::new();
        let info = self.shown(snapshot, control, &mut |chunk| {
            chunks.push(chunk);
            ControlFlow::Continue(())
        })?;
        Ok(ChunksInfo { chunks, ..info })
    }

    fn shown(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        show: &mut dyn FnMut(ChunkInfo) -> ControlFlow<()>,
    ) -> Result<ChunksInfo> {
        let session = self.session(snapshot, control)?;
        let options = chunk_options(&session.resolved)?;
        let is_exact = is_exact(&session.packer);
        let mut totals = Totals::default();
        let (progress, cancel) = (&*session.progress, &session.cancel);
        let told = session
            .packer
            .text_chunks(&options, progress, cancel, |file| {
                totals.add(&file);
                infos(&file, is_exact).try_for_each(&mut *show)
            })?;
        Ok(totals.info(&session, &told))
    }

    fn session(&self, snapshot: &Snapshot, control: &Control) -> Result<Session> {
        let reader = snapshot.reader();
        let session = reader.session(&self.choices, control)?;
        // Invalid sizes are an error before any file is read.
        chunk_options(&session.resolved)?;
        let mut options = session.packer.options().clone();
        // Nothing that git knows is shown; it only narrows the files.
        options.history = HistoryOptions {
            changed: options.history.changed.take(),
            ..HistoryOptions::default()
        };
        let note = reader.calibrate(&mut options.model);
        options.notes.extend(note);
        let packer = Arc::new(session.packer.with_options(options));
        Ok(Session { packer, ..session })
    }
}

runs!(Chunk => ChunksInfo);
callable!(Chunk => ChunksInfo);

impl Chunk {
    fn call(&self) -> Result<ChunkCall> {
        let Self { choices } = self;
        Ok(ChunkCall {
            settings: choices.values.call()?,
            model: model_name(choices.model.as_ref()),
        })
    }

    fn of_call(call: &ChunkCall, engine: &Infiniloom) -> Result<Self> {
        let ChunkCall { settings, model } = call;
        Ok(Self {
            choices: Choices::of_call(settings, model.as_ref(), engine)?,
        })
    }
}
narrows!(Chunk);
counts!(Chunk);

/// The files of a run.
#[derive(Default)]
struct Totals {
    files: usize,
    bytes: usize,
}

impl Totals {
    fn add(&mut self, file: &FileChunks) {
        self.files += 1;
        self.bytes += file.text.len();
    }

    fn info(&self, session: &Session, told: &ChunkReport) -> ChunksInfo {
        let left_out = told.left_out.iter();
        let left_out = left_out.filter(|left| left.reason.is_expected());
        ChunksInfo {
            format_version: FORMAT_VERSION,
            chunks: Vec::new(),
            files: self.files,
            bytes: self.bytes,
            left_out: left_out.map(left_out_info).collect(),
            notices: notices(session, told),
        }
    }
}

fn is_exact(packer: &Packer) -> bool {
    packer.options().model.tokenizer.is_exact()
}

fn infos(file: &FileChunks, is_exact: bool) -> impl Iterator<Item = ChunkInfo> + '_ {
    let numbers = 0..file.chunks.len();
    numbers.map(move |index| results::chunks::info(file, index, is_exact))
}

fn notices(session: &Session, told: &ChunkReport) -> Vec<NoticeInfo> {
    let notes = session.packer.options().notes.iter();
    let mut notices: Vec<NoticeInfo> = notes.map(|note| NoticeInfo::new("note", note)).collect();
    let warnings = told.warnings.iter();
    notices.extend(warnings.map(|warning| NoticeInfo::new("warning", warning)));
    notices.extend(session.cache_notice());
    let unread = told.left_out.iter();
    let unread = unread.filter(|left| !left.reason.is_expected());
    notices.extend(unread.map(|left| {
        let message = format!("{} is not split: {}", left.path, left.reason);
        NoticeInfo::new(left.reason.kind(), message).about(left.path.to_string())
    }));
    let found = told.secrets.len();
    if found > 0 {
        let mode = session.packer.secrets_mode().name();
        let secrets = if found == 1 { "secret" } else { "secrets" };
        let message = format!("{found} {secrets} found ({mode})");
        notices.push(NoticeInfo::new("secrets", message));
    }
    notices
}
