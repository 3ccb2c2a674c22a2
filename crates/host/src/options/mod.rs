//! What a user can choose about a pack.

mod baseline;
mod cache;
mod history;
mod secrets;
mod shorten;

use std::num::NonZero;

use loom_engine::fit::FileStyle;
use loom_engine::{Fit, Format, Guidance, Shortener, Template};
use loom_models::Model;
use loom_source::ScanOptions;
use loom_syntax::Limits;

pub use baseline::{Baseline, BaselineError};
pub use cache::CacheOptions;
pub use history::HistoryOptions;
pub use secrets::{SecretsMode, SecretsOptions, SecretsScope};
pub use shorten::ShortenOptions;

use crate::memory::Memory;

/// Files up to this size teach secrets, also if a smaller limit keeps them out of the
/// result: a limit must never turn redaction off.
const LEARNING_LIMIT: u64 = 32 << 20;

/// The choices of one pack.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// Which files are taken.
    pub scan: ScanOptions,
    /// Larger files are left out, in bytes.
    pub max_file_size: u64,
    /// How the output is written.
    pub format: Format,
    /// What writes the output in place of the format.
    pub template: Option<Template>,
    /// What the user says to the reader, shown in the head.
    pub guidance: Guidance,
    /// What git knows and the pack shows.
    pub history: HistoryOptions,
    /// What is done about secrets.
    pub secrets: SecretsOptions,
    /// What is left out of files.
    pub shorten: ShortenOptions,
    /// Whether each line starts with its number.
    pub line_numbers: bool,
    /// The model that the output is for.
    pub model: Model,
    /// About how much memory a run takes, in bytes.
    pub max_memory: u64,
    /// Whether texts are kept for a later pass; not if none is read again.
    pub keeps_text: bool,
    /// Where it is remembered what was derived from files; `None` for nowhere.
    pub cache: Option<CacheOptions>,
    /// What a person should know about these choices.
    pub notes: Vec<String>,
    /// How many threads work; `None` for one per core.
    pub threads: Option<NonZero<usize>>,
}

impl PackOptions {
    /// The limit for a file unless told otherwise: larger than any source file that
    /// somebody wrote, and than the generated register tables of the Linux kernel.
    pub const MAX_FILE_SIZE: u64 = 32_000_000;

    /// The memory of a run unless told otherwise.
    pub const MAX_MEMORY: u64 = 256_000_000;

    pub(crate) fn memory(&self) -> Memory {
        Memory::of(self.max_memory)
    }

    /// The bytes of text that are kept between the passes.
    pub(crate) fn kept_text(&self) -> usize {
        match self.keeps_text {
            true => self.memory().kept(),
            false => 0,
        }
    }

    /// The size of the largest file that teaches secrets.
    pub(crate) fn learning_limit(&self) -> u64 {
        self.max_file_size.max(LEARNING_LIMIT)
    }

    /// Whether changes are marked in the contents.
    pub(crate) fn marks_changes(&self) -> bool {
        self.history.highlight
    }

    /// The limits of a parse within the memory of a run.
    pub(crate) fn parse_limits(&self) -> Limits {
        self.within_memory(Limits::default())
    }

    /// The same limits within the memory of a run.
    pub(crate) fn within_memory(&self, limits: Limits) -> Limits {
        Limits {
            memory: self.memory().parse(),
            ..limits
        }
    }

    /// The limits of a parse of any file, whoever wrote it.
    pub(crate) fn every_file_limits(&self) -> Limits {
        Limits {
            all: true,
            ..self.parse_limits()
        }
    }

    /// Brings files into their forms.
    pub(crate) fn shortener(&self) -> Shortener {
        Shortener {
            tokenizer: self.model.tokenizer,
            limits: self.every_file_limits(),
            max_tokens: self.shorten.max_tokens,
            lowers: (self.shorten.fit == Fit::Compress).then_some(self.shorten.how),
        }
    }

    /// The name of the form that the output has.
    pub fn format_name(&self) -> &'static str {
        match self.template {
            Some(_) => "template",
            None => self.format.name(),
        }
    }

    /// How every file of an output is rendered and counted.
    pub(crate) fn file_style(&self) -> FileStyle {
        FileStyle {
            tokenizer: self.model.tokenizer,
            line_numbers: self.line_numbers,
        }
    }

    pub(crate) fn thread_count(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let wanted = self.threads.map_or(cores, NonZero::get);
        // More only wait for each other: a thousand take minutes for what two do in
        // seconds.
        wanted.min(cores.saturating_mul(4))
    }
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            scan: ScanOptions::default(),
            max_file_size: Self::MAX_FILE_SIZE,
            format: Format::Xml,
            template: None,
            guidance: Guidance::NONE,
            history: HistoryOptions::default(),
            secrets: SecretsOptions::default(),
            shorten: ShortenOptions::default(),
            line_numbers: false,
            model: loom_models::default_model(),
            max_memory: Self::MAX_MEMORY,
            keeps_text: true,
            cache: None,
            notes: Vec::new(),
            threads: None,
        }
    }
}
