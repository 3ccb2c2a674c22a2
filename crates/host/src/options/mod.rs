//! Options of a pack.

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

/// Files up to this size in bytes are scanned for secrets, even if a smaller limit excludes them
/// from the result: a size limit must never turn off redaction.
const LEARNING_LIMIT: u64 = 32 << 20;

/// Options of one pack.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// Selects the files.
    pub scan: ScanOptions,
    /// Maximum file size in bytes; larger files are skipped.
    pub max_file_size: u64,
    /// Format of the output.
    pub format: Format,
    /// Template that replaces the format.
    pub template: Option<Template>,
    /// Notes of the user for the reader, in the header.
    pub guidance: Guidance,
    /// Selects the git data.
    pub history: HistoryOptions,
    /// Treatment of secrets.
    pub secrets: SecretsOptions,
    /// Compression and transformation of files.
    pub shorten: ShortenOptions,
    /// Adds its number to each line.
    pub line_numbers: bool,
    /// Model that the output is for.
    pub model: Model,
    /// Approximate memory limit of a run in bytes.
    pub max_memory: u64,
    /// Keeps texts for a later pass. Set to false if no later pass reads texts.
    pub keeps_text: bool,
    /// Location and settings of the cache; `None` disables it.
    pub cache: Option<CacheOptions>,
    /// Notes about these options for the user.
    pub notes: Vec<String>,
    /// Number of threads; `None` for one per core.
    pub threads: Option<NonZero<usize>>,
}

impl PackOptions {
    /// Default maximum file size in bytes: larger than any hand-written source file and than the
    /// generated register tables of the Linux kernel.
    pub const MAX_FILE_SIZE: u64 = 32_000_000;

    /// Default memory limit of a run in bytes.
    pub const MAX_MEMORY: u64 = 256_000_000;

    pub(crate) fn memory(&self) -> Memory {
        Memory::of(self.max_memory)
    }

    /// Returns the bytes of text that are kept between passes.
    pub(crate) fn kept_text(&self) -> usize {
        match self.keeps_text {
            true => self.memory().kept(),
            false => 0,
        }
    }

    /// Returns the size in bytes of the largest file that is scanned for secrets.
    pub(crate) fn learning_limit(&self) -> u64 {
        self.max_file_size.max(LEARNING_LIMIT)
    }

    /// Returns true if changes are marked in the contents.
    pub(crate) fn marks_changes(&self) -> bool {
        self.history.highlight
    }

    /// Returns the limits of a parse within the memory of a run.
    pub(crate) fn parse_limits(&self) -> Limits {
        self.within_memory(Limits::default())
    }

    /// Adapts `limits` to the memory of a run.
    pub(crate) fn within_memory(&self, limits: Limits) -> Limits {
        Limits {
            memory: self.memory().parse(),
            ..limits
        }
    }

    /// Returns the limits for parsing any file, including minified and generated ones.
    pub(crate) fn every_file_limits(&self) -> Limits {
        Limits {
            all: true,
            ..self.parse_limits()
        }
    }

    /// Returns the converter of files into their forms.
    pub(crate) fn shortener(&self) -> Shortener {
        Shortener {
            tokenizer: self.model.tokenizer,
            limits: self.every_file_limits(),
            max_tokens: self.shorten.max_tokens,
            lowers: (self.shorten.fit == Fit::Compress).then_some(self.shorten.how),
        }
    }

    /// Returns the name of the output format.
    pub fn format_name(&self) -> &'static str {
        match self.template {
            Some(_) => "template",
            None => self.format.name(),
        }
    }

    /// Returns the options for rendering and counting the files of an output.
    pub(crate) fn file_style(&self) -> FileStyle {
        FileStyle {
            tokenizer: self.model.tokenizer,
            line_numbers: self.line_numbers,
        }
    }

    pub(crate) fn thread_count(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let wanted = self.threads.map_or(cores, NonZero::get);
        // More threads only wait for each other: a thousand take minutes for the work that two do
        // in seconds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_limit_never_turns_off_the_scan_for_secrets() {
        let limit = |max_file_size: u64| {
            let options = PackOptions {
                max_file_size,
                ..PackOptions::default()
            };
            options.learning_limit()
        };
        assert_eq!(
            [limit(1), limit(LEARNING_LIMIT), limit(u64::MAX)],
            [LEARNING_LIMIT, LEARNING_LIMIT, u64::MAX]
        );
    }

    #[test]
    fn threads_are_bounded_by_the_cores() {
        let threads = |threads: usize| {
            let options = PackOptions {
                threads: NonZero::new(threads),
                ..PackOptions::default()
            };
            options.thread_count()
        };
        let cores = threads(0);
        assert!(cores >= 1);
        assert_eq!((threads(1), threads(1_000_000)), (1, cores * 4));
    }

    #[test]
    fn text_is_kept_only_for_a_later_pass() {
        let mut options = PackOptions::default();
        assert_eq!(options.kept_text(), options.memory().kept());
        options.keeps_text = false;
        assert_eq!(options.kept_text(), 0);
        options.max_memory = 1;
        assert_eq!(options.parse_limits().memory, options.memory().parse());
        assert!(options.every_file_limits().all && !options.parse_limits().all);
    }
}
