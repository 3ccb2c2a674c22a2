//! The files that have to fit, as the caller supplies them.

use std::borrow::Cow;
use std::ops::Range;

use loom_models::Tokenizer;

use super::weight::Weight;
use crate::FileMeta;

/// A file with its text in hand.
#[derive(Debug)]
pub struct CurrentFile<'a> {
    /// The description of the text.
    pub meta: Cow<'a, FileMeta>,
    /// The text, as it is shown.
    pub text: Cow<'a, str>,
}

/// A part of a file that does not fit as a whole.
#[derive(Clone, Debug)]
pub struct FilePart {
    /// The description of the part.
    pub meta: FileMeta,
    /// Its text; `None` where the caller has no room to keep it.
    pub text: Option<String>,
    /// Its bytes in the text of the file.
    pub span: Range<usize>,
}

/// A file or a part of one in an output, with its size if it is not the first.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The number of the file.
    pub file: usize,
    /// The part; `None` for the whole file.
    pub part: Option<FilePart>,
    /// What it adds to the output.
    pub weight: Weight,
}

/// Supplies texts and threads. Files have numbers from 0, in the order of the output.
pub trait FitFiles {
    /// Why the caller does not go on, such as a request to stop.
    type Error;

    /// How many files there are.
    fn count(&self) -> usize;

    /// What counts the tokens.
    fn tokenizer(&self) -> Tokenizer;

    /// The description of a file, as it was when it was weighed.
    fn meta(&self, file: usize) -> &FileMeta;

    /// The file as it is now; `None` where it is gone.
    fn current(&self, file: usize) -> Option<CurrentFile<'_>>;

    /// What a text adds to an output in which it is not the first.
    fn weigh(&self, meta: &FileMeta, text: &str) -> Weight;

    /// Weighs many files, on as many threads as the caller likes. A file that is gone has
    /// no weight.
    ///
    /// # Errors
    /// If the caller does not go on.
    fn weigh_all(
        &mut self,
        files: &[usize],
        found: &mut dyn FnMut(usize, Option<Weight>),
    ) -> Result<(), Self::Error>;
}

/// Why nothing was made to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitFailure<E> {
    /// The limit has no room for the head and a little text.
    TooSmall {
        /// The smallest size that is possible.
        smallest: usize,
    },
    /// The caller does not go on.
    Caller(E),
}

impl<E> From<E> for FitFailure<E> {
    fn from(error: E) -> Self {
        Self::Caller(error)
    }
}
