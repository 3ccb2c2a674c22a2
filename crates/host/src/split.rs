//! Divides a pack into parts, each of which is a pack by itself and no larger than a
//! limit. Files stay whole and in order; one that is too large for a part of its own
//! goes on in the next.

use std::collections::VecDeque;
use std::sync::Arc;

use loom_engine::fit::{LONG_TOKEN, Weight};
use loom_engine::{FileMeta, Part, excerpt, longest_line_start, longest_start};

use crate::survey::{Ceiling, Survey, Surveyed};
use crate::{Cancel, Limit, PackError, Packer};

/// The first guess at the number of parts. A larger number is longer in the head, so
/// the parts are made anew when there are more.
const FEW: usize = 999;

/// Files that are weighed at a time.
const BATCH: usize = 512;

impl Packer {
    /// Divides `survey` into surveys whose outputs are within `limit` each.
    ///
    /// # Errors
    /// When a part would not hold its head and a little text, or a stop was asked for.
    pub fn split(
        &self,
        survey: &Survey,
        limit: Limit,
        cancel: &Cancel,
    ) -> Result<Vec<Survey>, PackError> {
        let mut assumed = FEW;
        loop {
            let parts = Splitter::new(self, survey, limit, cancel, assumed).run()?;
            if parts.len() <= assumed {
                return Ok(numbered(parts));
            }
            assumed = assumed * 1000 + FEW;
        }
    }
}

fn numbered(mut parts: Vec<Survey>) -> Vec<Survey> {
    let total = parts.len();
    for (at, part) in parts.iter_mut().enumerate() {
        part.overview.part = Some(Part {
            number: at + 1,
            total,
        });
    }
    parts
}

struct Splitter<'a> {
    packer: &'a Packer,
    survey: &'a Survey,
    limit: Limit,
    cancel: &'a Cancel,
    /// The number of parts that heads are measured with.
    assumed: usize,
    /// Weighed files that are in no part yet.
    waiting: VecDeque<Weighed>,
    /// The first file that is not weighed.
    next: usize,
    /// The bytes of text that may still be kept.
    room: usize,
    /// The size of a part without files: of the first one, which alone has what stands
    /// beside the files, and of the others.
    fixed: [Option<usize>; 2],
    parts: Vec<Survey>,
}

struct Weighed {
    file: Surveyed,
    weight: Weight,
}

/// Takes `bytes` of `room`, if they are there.
fn take(room: &mut usize, bytes: usize) -> bool {
    let left = room.checked_sub(bytes);
    *room = left.unwrap_or(*room);
    left.is_some()
}

impl<'a> Splitter<'a> {
    fn new(
        packer: &'a Packer,
        survey: &'a Survey,
        limit: Limit,
        cancel: &'a Cancel,
        assumed: usize,
    ) -> Self {
        let kept = survey.files.iter().filter_map(|file| file.kept.as_ref());
        let kept: usize = kept.map(String::len).sum();
        Self {
            packer,
            survey,
            limit,
            cancel,
            assumed,
            waiting: VecDeque::new(),
            next: 0,
            room: packer.options.kept_text().saturating_sub(kept),
            fixed: [None; 2],
            parts: Vec::new(),
        }
    }

    fn run(mut self) -> Result<Vec<Survey>, PackError> {
        let fixed = self.fixed()?;
        if fixed > self.limit.amount() {
            return Err(self.too_small(fixed));
        }
        loop {
            let part = self.part()?;
            if part.is_empty() {
                break;
            }
            self.close(part);
        }
        if self.parts.is_empty() {
            self.close(Vec::new());
        }
        Ok(self.parts)
    }

    fn too_small(&self, smallest: usize) -> PackError {
        PackError::BudgetTooSmall {
            budget: self.limit,
            smallest,
        }
    }

    /// The size of the next part without files.
    fn fixed(&mut self) -> Result<usize, PackError> {
        let nth = usize::from(!self.parts.is_empty());
        if let Some(fixed) = self.fixed[nth] {
            return Ok(fixed);
        }
        let fixed = self.size(&mut Vec::new())?;
        self.fixed[nth] = Some(fixed);
        Ok(fixed)
    }

    /// The files of the next part.
    fn part(&mut self) -> Result<Vec<Weighed>, PackError> {
        let mut part = self.grown()?;
        while part.len() > 1 && self.size(&mut part)? > self.limit.amount() {
            self.waiting.extend_front_one(part.pop());
        }
        if part.len() == 1 && self.size(&mut part)? > self.limit.amount() {
            for too_large in part.drain(..) {
                self.divide(too_large)?;
            }
            return self.part();
        }
        Ok(part)
    }

    /// Takes files while an estimate says that they fit; always one, if there is one.
    fn grown(&mut self) -> Result<Vec<Weighed>, PackError> {
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

    /// Less than its line in the tree takes: what does not fit is taken back.
    fn in_tree(&self, weighed: &Weighed) -> usize {
        let name = weighed.file.meta.path.file_name().len();
        self.limit.of(name / 8 + 2, name + 3)
    }

    fn next_file(&mut self) -> Result<Option<Weighed>, PackError> {
        if self.waiting.is_empty() {
            self.weigh_more()?;
        }
        Ok(self.waiting.pop_front())
    }

    fn weigh_more(&mut self) -> Result<(), PackError> {
        let end = (self.next + BATCH).min(self.survey.files.len());
        let files = &self.survey.files[self.next..end];
        self.next = end;
        let room = &mut self.room;
        let mut files: Vec<Surveyed> = files
            .iter()
            .map(|file| Surveyed {
                kept: file
                    .kept
                    .as_ref()
                    .filter(|text| take(room, text.len()))
                    .cloned(),
                ..file.without_text()
            })
            .collect();
        let which: Vec<usize> = (0..files.len()).collect();
        let mut weights: Vec<Option<Weight>> = vec![None; files.len()];
        self.packer.weigh_all(
            &mut files,
            &which,
            &mut self.room,
            self.cancel,
            |at, weight| {
                weights[at] = weight.ok();
            },
        )?;
        for (mut file, weight) in files.into_iter().zip(weights) {
            // One that is gone is written as such, and small.
            let weight = weight.unwrap_or_else(|| self.packer.weigh(&file.meta, ""));
            file.ceiling = Some(Ceiling::of(&weight));
            self.waiting.push_back(Weighed { file, weight });
        }
        Ok(())
    }

    /// Fills whole parts with a file that is too large for one; what is left of it
    /// begins the next part.
    fn divide(&mut self, whole: Weighed) -> Result<(), PackError> {
        let Ok(ready) = self.packer.ready(&whole.file) else {
            self.close(vec![whole]);
            return Ok(());
        };
        let mut meta = ready.meta.into_owned();
        let mut rest: &str = &ready.text;
        let mut start = whole.file.slice.as_ref().map_or(0, |slice| slice.start);
        loop {
            let end = self.filled(&whole.file, &meta, rest)?;
            let mut piece = self.start_of(&whole.file, &meta, rest, end);
            if !take(&mut self.room, end) {
                piece.file.kept = None;
                piece.file.slice = Some(start..start + end);
            }
            if end == rest.len() {
                self.waiting.push_front(piece);
                return Ok(());
            }
            let ends = memchr::memchr_iter(b'\n', &rest.as_bytes()[..end]).count();
            let total = meta.whole_lines();
            meta = piece.file.meta.clone();
            debug_assert_eq!(meta.whole_lines(), total);
            meta.first_line += ends;
            self.close(vec![piece]);
            rest = &rest[end..];
            start += end;
        }
    }

    /// How much of `rest` fills a part.
    fn filled(&self, file: &Surveyed, meta: &FileMeta, rest: &str) -> Result<usize, PackError> {
        let most = self.limit.of(
            self.limit.amount().saturating_mul(LONG_TOKEN),
            self.limit.amount(),
        );
        let window = &rest[..rest.floor_char_boundary(most)];
        let fits = |start: &str| {
            let piece = self.start_of(file, meta, rest, start.len());
            let size = self.size(&mut vec![piece]);
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
                let piece = self.start_of(file, meta, rest, least);
                Err(self.too_small(self.size(&mut vec![piece])?))
            }
        }
    }

    fn start_of(&self, file: &Surveyed, meta: &FileMeta, rest: &str, end: usize) -> Weighed {
        let meta = excerpt(meta, rest, 0..end, self.packer.options.model.tokenizer);
        let kept = rest[..end].to_owned();
        let weight = self.packer.weigh(&meta, &kept);
        let file = Surveyed {
            run: std::sync::Arc::clone(&file.run),
            is_planned: file.is_planned,
            found: file.found.clone(),
            meta,
            kept: Some(kept),
            findings: Vec::new(),
            replaced: Arc::clone(&file.replaced),
            form: file.form,
            slice: None,
            ceiling: None,
        };
        Weighed { file, weight }
    }

    /// The exact size of a part of these files.
    fn size(&self, part: &mut Vec<Weighed>) -> Result<usize, PackError> {
        let (files, weights): (Vec<_>, Vec<_>) =
            part.drain(..).map(|each| (each.file, each.weight)).unzip();
        let survey = self.survey_of(files);
        let size = self.packer.size(&survey, &weights, self.limit, self.cancel);
        let weighed = survey.files.into_iter().zip(weights);
        part.extend(weighed.map(|(file, weight)| Weighed { file, weight }));
        size
    }

    fn survey_of(&self, files: Vec<Surveyed>) -> Survey {
        let mut survey = match self.parts.is_empty() {
            true => self.survey.with(files, self.survey.left_out.clone()),
            false => self.survey.continued(files),
        };
        survey.overview.part = Some(Part {
            number: self.assumed,
            total: self.assumed,
        });
        survey
    }

    fn close(&mut self, part: Vec<Weighed>) {
        let files = part.into_iter().map(|each| each.file).collect();
        let survey = self.survey_of(files);
        self.parts.push(survey);
    }
}

/// Puts back what may be there.
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
