//! Interface to the files to fit, which the caller implements.

use std::borrow::Cow;
use std::ops::Range;

use loom_models::Tokenizer;

use super::weight::Weight;
use crate::FileMeta;

/// A file with its text.
#[derive(Debug)]
pub struct CurrentFile<'a> {
    /// Metadata of the text.
    pub meta: Cow<'a, FileMeta>,
    /// The text as shown.
    pub text: Cow<'a, str>,
}

/// A part of a file that does not fit as a whole.
#[derive(Clone, Debug)]
pub struct FilePart {
    /// Metadata of the part.
    pub meta: FileMeta,
    /// Its text; `None` if the caller lacks memory to keep it.
    pub text: Option<String>,
    /// Byte range in the text of the file.
    pub span: Range<usize>,
}

/// A file or a part of one in an output, with its size if it is not the first.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Number of the file.
    pub file: usize,
    /// The part; `None` for the whole file.
    pub part: Option<FilePart>,
    /// Its contribution to the output.
    pub weight: Weight,
}

/// Supplies texts and threads. Files have numbers from 0, in the order of the output.
pub trait FitFiles {
    /// Reason why the caller stops, such as a cancellation.
    type Error;

    /// Returns the number of files.
    fn count(&self) -> usize;

    /// Returns the tokenizer that counts.
    fn tokenizer(&self) -> Tokenizer;

    /// Returns the metadata of a file at the time of weighing.
    fn meta(&self, file: usize) -> &FileMeta;

    /// Returns the current file; `None` if it no longer exists.
    fn current(&self, file: usize) -> Option<CurrentFile<'_>>;

    /// Returns the contribution of a text to an output in which it is not the first.
    fn weigh(&self, meta: &FileMeta, text: &str) -> Weight;

    /// Weighs many files, on any number of threads. A file that no longer exists has no weight.
    ///
    /// # Errors
    /// If the caller cancels.
    fn weigh_all(
        &mut self,
        files: &[usize],
        found: &mut dyn FnMut(usize, Option<Weight>),
    ) -> Result<(), Self::Error>;
}

/// Reason why no output fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitFailure<E> {
    /// The limit is too small for the header and a little text.
    TooSmall {
        /// Smallest possible size.
        smallest: usize,
    },
    /// The caller stopped.
    Caller(E),
}

impl<E> From<E> for FitFailure<E> {
    fn from(error: E) -> Self {
        Self::Caller(error)
    }
}
