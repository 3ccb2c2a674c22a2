//! Splits an output into parts, each of which is a complete output within a limit. Files stay whole
//! and in order; one that exceeds a part continues in the next.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::files::{CurrentFile, FilePart, FitFailure, FitFiles, Placed};
use super::limit::{LONG_TOKEN, Limit};
use crate::{FileMeta, excerpt, longest_line_start, longest_start};

/// Initial guess of the number of parts. A larger number needs more tokens in the header, so the
/// split restarts if there are more parts.
const FEW: usize = 999;

/// Number of files weighed at a time.
const BATCH: usize = 512;

/// Header of a part; only the first part has the sections that are not files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartHead {
    /// True for the first part.
    pub is_first: bool,
    /// Assumed number of the part and of all parts.
    pub number: usize,
}

/// Files to split into parts.
pub trait SplitFiles: FitFiles {
    /// Forgets the weights, because the split restarts.
    fn restart(&mut self);

    /// Returns true if there is memory to keep a text of this size, and reserves it.
    fn keeps(&mut self, bytes: usize) -> bool;

    /// Reads a part whose text was not kept; `None` if the file no longer exists.
    fn read_part(&self, file: usize, part: &FilePart) -> Option<CurrentFile<'_>>;

    /// Returns the exact size of a part of the output, in the unit of `limit`.
    ///
    /// # Errors
    /// If the caller cancels.
    fn size_of_part(
        &self,
        head: PartHead,
        files: &[Placed],
        limit: Limit,
    ) -> Result<usize, Self::Error>;
}

/// Splits `files` into parts whose outputs are within `limit` each.
///
/// # Errors
/// If a part is too small for its header and a little text, or the caller cancels.
pub fn split<F: SplitFiles>(
    files: &mut F,
    limit: Limit,
) -> Result<Vec<Vec<Placed>>, FitFailure<F::Error>> {
    let mut assumed = FEW;
    loop {
        let parts = Splitter::new(files, limit, assumed).run()?;
        if parts.len() <= assumed {
            return Ok(parts);
        }
        assumed = assumed * 1000 + FEW;
        files.restart();
    }
}

struct Splitter<'a, F> {
    files: &'a mut F,
    limit: Limit,
    /// Assumed number of parts, for measuring headers.
    assumed: usize,
    /// Weighed files that belong to no part yet.
    waiting: VecDeque<Placed>,
    /// The first file without a weight.
    next: usize,
    /// Sizes of parts without files: the first part, and any other.
    fixed: [Option<usize>; 2],
    parts: Vec<Vec<Placed>>,
}

impl<'a, F: SplitFiles> Splitter<'a, F> {
    fn new(files: &'a mut F, limit: Limit, assumed: usize) -> Self {
        Self {
            files,
            limit,
            assumed,
            waiting: VecDeque::new(),
            next: 0,
            fixed: [None; 2],
            parts: Vec::new(),
        }
    }

    fn run(mut self) -> Result<Vec<Vec<Placed>>, FitFailure<F::Error>> {
        let smallest = self.fixed()?;
        if smallest > self.limit.amount() {
            return Err(FitFailure::TooSmall { smallest });
        }
        loop {
            let part = self.part()?;
            if part.is_empty() {
                break;
            }
            self.parts.push(part);
        }
        if self.parts.is_empty() {
            self.parts.push(Vec::new());
        }
        Ok(self.parts)
    }

    /// Returns the size of the next part without files.
    fn fixed(&mut self) -> Result<usize, F::Error> {
        let nth = usize::from(!self.parts.is_empty());
        if let Some(fixed) = self.fixed[nth] {
            return Ok(fixed);
        }
        let fixed = self.size(&[])?;
        self.fixed[nth] = Some(fixed);
        Ok(fixed)
    }

    /// Returns the files of the next part.
    fn part(&mut self) -> Result<Vec<Placed>, FitFailure<F::Error>> {
        loop {
            let mut part = self.grown()?;
            while part.len() > 1 && self.size(&part)? > self.limit.amount() {
                self.waiting.extend_front_one(part.pop());
            }
            if part.len() != 1 || self.size(&part)? <= self.limit.amount() {
                return Ok(part);
            }
            for too_large in part {
                self.divide(too_large)?;
            }
        }
    }

    /// Takes files while they are estimated to fit; at least one, if there is one.
    fn grown(&mut self) -> Result<Vec<Placed>, F::Error> {
        let mut part = Vec::new();
        let mut used = self.fixed()?;
        while let Some(next) = self.next_file()? {
            let cost = self.limit.size(&next.weight) + self.in_tree(&next);
            if !part.is_empty() && used + cost > self.limit.amount() {
                self.waiting.push_front(next);
                break;
            }
            used += cost;
            part.push(next);
        }
        Ok(part)
    }

    /// Underestimates its line in the tree: files that do not fit are returned.
    fn in_tree(&self, placed: &Placed) -> usize {
        let name = self.files.meta(placed.file).path.file_name().len();
        self.limit.of(name / 8 + 2, name + 3)
    }

    fn next_file(&mut self) -> Result<Option<Placed>, F::Error> {
        if self.waiting.is_empty() {
            self.weigh_more()?;
        }
        Ok(self.waiting.pop_front())
    }

    fn weigh_more(&mut self) -> Result<(), F::Error> {
        let end = (self.next + BATCH).min(self.files.count());
        let which: Vec<usize> = (self.next..end).collect();
        let mut weights = vec![None; which.len()];
        let first = self.next;
        self.next = end;
        self.files
            .weigh_all(&which, &mut |at, weight| weights[at - first] = weight)?;
        for (file, weight) in which.into_iter().zip(weights) {
            // A file that no longer exists is written as a short note.
            let weight = weight.unwrap_or_else(|| self.files.weigh(self.files.meta(file), ""));
            let part = None;
            self.waiting.push_back(Placed { file, part, weight });
        }
        Ok(())
    }

    /// Fills whole parts with a file that exceeds one; its rest starts the next part.
    fn divide(&mut self, whole: Placed) -> Result<(), FitFailure<F::Error>> {
        let Some(CurrentFile { meta, text }) = self.current(&whole) else {
            self.parts.push(vec![whole]);
            return Ok(());
        };
        let (mut meta, text) = (meta.into_owned(), text.into_owned());
        let mut rest: &str = &text;
        let mut start = whole.part.as_ref().map_or(0, |part| part.span.start);
        loop {
            let end = self.filled(whole.file, &meta, rest)?;
            let mut piece = self.start_of(whole.file, &meta, &rest[..end]);
            let keeps = self.files.keeps(end);
            if let Some(part) = &mut piece.part {
                part.span = start..start + end;
                part.text = part.text.take().filter(|_| keeps);
            }
            if end == rest.len() {
                self.waiting.push_front(piece);
                return Ok(());
            }
            let ends = memchr::memchr_iter(b'\n', &rest.as_bytes()[..end]).count();
            if let Some(part) = &piece.part {
                debug_assert_eq!(part.meta.whole_lines(), meta.whole_lines());
                meta = part.meta.clone();
            }
            meta.first_line += ends;
            self.parts.push(vec![piece]);
            rest = &rest[end..];
            start += end;
        }
    }

    fn current<'f>(&'f self, placed: &'f Placed) -> Option<CurrentFile<'f>> {
        let Some(part) = &placed.part else {
            return self.files.current(placed.file);
        };
        match &part.text {
            Some(text) => Some(CurrentFile {
                meta: Cow::Borrowed(&part.meta),
                text: Cow::Borrowed(text),
            }),
            None => self.files.read_part(placed.file, part),
        }
    }

    /// Returns the length of `rest` that fills a part.
    fn filled(
        &self,
        file: usize,
        meta: &FileMeta,
        rest: &str,
    ) -> Result<usize, FitFailure<F::Error>> {
        let most = self.limit.of(
            self.limit.amount().saturating_mul(LONG_TOKEN),
            self.limit.amount(),
        );
        let window = &rest[..rest.floor_char_boundary(most)];
        let fits = |start: &str| {
            let size = self.size(&[self.start_of(file, meta, start)]);
            size.is_ok_and(|size| size <= self.limit.amount())
        };
        if window.len() == rest.len() && fits(rest) {
            return Ok(rest.len());
        }
        let end = longest_start(window, fits).or_else(|| longest_line_start(window, fits));
        match end {
            Some(end) => Ok(end),
            None => {
                let least = rest.chars().next().map_or(0, char::len_utf8);
                let piece = self.start_of(file, meta, &rest[..least]);
                let smallest = self.size(&[piece])?;
                Err(FitFailure::TooSmall { smallest })
            }
        }
    }

    fn start_of(&self, file: usize, meta: &FileMeta, text: &str) -> Placed {
        let meta = excerpt(meta, text, 0..text.len(), self.files.tokenizer());
        let weight = self.files.weigh(&meta, text);
        let part = FilePart {
            meta,
            text: Some(text.to_owned()),
            span: 0..text.len(),
        };
        Placed {
            file,
            part: Some(part),
            weight,
        }
    }

    /// Returns the exact size of the next part with these files.
    fn size(&self, part: &[Placed]) -> Result<usize, F::Error> {
        let head = PartHead {
            is_first: self.parts.is_empty(),
            number: self.assumed,
        };
        self.files.size_of_part(head, part, self.limit)
    }
}

/// Puts back an item, if there is one.
trait ExtendFront<T> {
    fn extend_front_one(&mut self, item: Option<T>);
}

impl<T> ExtendFront<T> for VecDeque<T> {
    fn extend_front_one(&mut self, item: Option<T>) {
        if let Some(item) = item {
            self.push_front(item);
        }
    }
}
