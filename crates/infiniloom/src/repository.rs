//! A repository opened for packing, with its options set one by one.

use std::path::Path;

use loom_host::{
    Cancel, Chunks, Filter, FilterKind, Format, InvalidGlob, NoProgress, OpenError, PackError,
    PackOptions, Packer, SecretsMode, Source, StreamOptions, Tokenizer, UnknownModel, Written,
    apply_calibration,
};

/// A repository, or any folder or file, ready to be packed.
#[derive(Debug)]
pub struct Repository {
    source: Source,
    options: PackOptions,
    budget: Option<usize>,
}

impl Repository {
    /// Opens the folder or file at `path`.
    ///
    /// # Errors
    /// When it does not exist or cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_all(&[path])
    }

    /// Opens several folders or files, which need not belong to one repository.
    ///
    /// # Errors
    /// When one of them does not exist or cannot be read.
    pub fn open_all(paths: &[impl AsRef<Path>]) -> Result<Self, OpenError> {
        Source::open(paths).map(Self::of)
    }

    /// Opens the folder or file at `path` as the commit `revision` of its repository
    /// has it, without touching the working tree.
    ///
    /// # Errors
    /// When there is no such repository, commit or path.
    pub fn open_revision(path: impl AsRef<Path>, revision: &str) -> Result<Self, OpenError> {
        Source::open_revision(&[path], revision).map(Self::of)
    }

    /// What is already open, such as a remote: see [`Source::open_remote`].
    pub fn of(source: Source) -> Self {
        Self {
            source,
            options: PackOptions::default(),
            budget: None,
        }
    }

    /// Sets the format of the pack.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.options.format = format;
        self
    }

    /// Counts for the model of that name. An estimate is corrected where the user ran
    /// `infiniloom calibrate` for the repository.
    ///
    /// # Errors
    /// When the model is not known; the message suggests names.
    pub fn model(mut self, name: &str) -> Result<Self, UnknownModel> {
        self.options.model = loom_host::model(name)?.clone();
        Ok(self)
    }

    /// Takes only what matches `glob`, whatever the ignore files say.
    ///
    /// # Errors
    /// When `glob` is not a pattern.
    pub fn include(self, glob: &str) -> Result<Self, InvalidGlob> {
        self.filter(FilterKind::Include, glob)
    }

    /// Leaves out what matches `glob`.
    ///
    /// # Errors
    /// When `glob` is not a pattern.
    pub fn exclude(self, glob: &str) -> Result<Self, InvalidGlob> {
        self.filter(FilterKind::Exclude, glob)
    }

    /// Sets what is done about secrets; unless told otherwise they are redacted.
    #[must_use]
    pub fn secrets(mut self, mode: SecretsMode) -> Self {
        self.options.secrets.mode = mode;
        self
    }

    /// Puts the number before every line of a written pack; chunks carry the text as
    /// it is.
    #[must_use]
    pub fn line_numbers(mut self) -> Self {
        self.options.line_numbers = true;
        self
    }

    /// Sets every option at once.
    #[must_use]
    pub fn options(mut self, options: PackOptions) -> Self {
        self.options = options;
        self
    }

    /// Keeps the pack within `tokens` tokens. They are counted on the whole of a written
    /// pack; the texts of all chunks are the same files, and have fewer.
    #[must_use]
    pub fn budget(mut self, tokens: usize) -> Self {
        self.budget = Some(tokens);
        self
    }

    /// Takes about `bytes` bytes of memory.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.options.max_memory = bytes;
        self
    }

    /// The whole pack as one string.
    ///
    /// # Errors
    /// Files that cannot be read are left out, not errors; see
    /// [`Repository::chunks`] for their reasons.
    pub fn pack_to_string(self) -> Result<String, PackError> {
        let mut out = Vec::new();
        self.pack_to(&mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Writes the pack to `out` as it is made.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn pack_to(self, out: &mut dyn std::io::Write) -> Result<Written, PackError> {
        let budget = self.budget;
        let packer = self.packer();
        let mut survey = packer.survey(&NoProgress, &Cancel::new())?;
        if let Some(budget) = budget {
            survey = packer.fit(survey, budget, &NoProgress, &Cancel::new())?;
        }
        packer.write(&survey, out, &NoProgress, &Cancel::new())
    }

    /// The pack piece by piece, for a `for` loop or, as a stream, for an async task.
    /// Chunks carry the text as it is, without line numbers.
    pub fn chunks(self) -> Chunks {
        self.chunks_with(StreamOptions::default())
    }

    /// The same, with the size of the chunks and the marks where the reading pauses and
    /// goes on.
    pub fn chunks_with(self, stream: StreamOptions) -> Chunks {
        let budget = self.budget;
        self.packer().chunks_within(stream, budget)
    }

    /// Estimates are corrected as the user had them calibrated for the repository. A
    /// file of calibrations that cannot be read corrects nothing.
    fn packer(mut self) -> Packer {
        if let Tokenizer::Estimated(_) = self.options.model.tokenizer {
            let _ = apply_calibration(&self.source, &mut self.options.model);
        }
        Packer::new(self.source, self.options)
    }

    fn filter(mut self, kind: FilterKind, glob: &str) -> Result<Self, InvalidGlob> {
        self.options.scan.filters.push(Filter::new(kind, glob)?);
        Ok(self)
    }
}
