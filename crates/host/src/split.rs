//! Splits a pack into parts. Each part is a complete pack within a limit. `loom_engine::fit`
//! decides where to split; this module supplies texts and threads, and builds the surveys of the
//! parts.

use loom_engine::fit::{
    CurrentFile, FilePart, FitFiles, PartHead, Placed, SplitFiles, Weight, split,
};
use loom_engine::{FileMeta, Part};
use loom_models::Tokenizer;

use crate::fit::pack_error;
use crate::scale::{PackScale, Ready};
use crate::survey::{Ceiling, Survey, Surveyed};
use crate::{Cancel, Limit, PackError, Packer};

/// Splits `survey` into surveys whose outputs are within `limit` each.
pub(crate) fn split_survey(
    packer: &Packer,
    survey: &Survey,
    limit: Limit,
    cancel: &Cancel,
) -> Result<Vec<Survey>, PackError> {
    let mut files = SurveyedFiles::new(packer, survey, cancel);
    let parts = split(&mut files, limit).map_err(|failure| pack_error(failure, limit))?;
    let total = parts.len();
    let parts = parts.into_iter().zip(1..).map(|(part, number)| {
        let is_first = number == 1;
        let mut survey = files.finished(part, PartHead { is_first, number });
        survey.overview.part = Some(Part { number, total });
        survey
    });
    Ok(parts.collect())
}

/// The files of a survey during a split.
struct SurveyedFiles<'a> {
    packer: &'a Packer,
    survey: &'a Survey,
    cancel: &'a Cancel,
    /// Weighed files, with the texts that are kept.
    weighed: Vec<Option<Surveyed>>,
    /// Bytes of text that may still be kept.
    room: usize,
}

impl<'a> SurveyedFiles<'a> {
    fn new(packer: &'a Packer, survey: &'a Survey, cancel: &'a Cancel) -> Self {
        Self {
            packer,
            survey,
            cancel,
            weighed: survey.files.iter().map(|_| None).collect(),
            room: room(packer, survey),
        }
    }

    fn scale(&self) -> PackScale<'a> {
        PackScale::new(self.packer, self.cancel)
    }

    fn file(&self, at: usize) -> &Surveyed {
        self.weighed[at].as_ref().unwrap_or(&self.survey.files[at])
    }

    /// Returns a file of a part of the output, to measure it.
    fn to_be_measured(&self, placed: &Placed, with_text: bool) -> Surveyed {
        let file = self.file(placed.file);
        match &placed.part {
            Some(part) => piece_of(file, part, part.text.clone().filter(|_| with_text)),
            None => Surveyed {
                kept: file.kept.clone().filter(|_| with_text),
                ..file.without_text()
            },
        }
    }

    /// Returns the survey of a part of the output.
    fn finished(&mut self, part: Vec<Placed>, head: PartHead) -> Survey {
        let mut files = Vec::with_capacity(part.len());
        for mut placed in part {
            files.push(match &mut placed.part {
                Some(part) => {
                    let text = part.text.take();
                    piece_of(self.file(placed.file), part, text)
                }
                None => {
                    let kept = self.weighed[placed.file].as_mut();
                    let kept = kept.and_then(|file| file.kept.take());
                    Surveyed {
                        kept,
                        ceiling: Some(Ceiling::of(&placed.weight)),
                        ..self.file(placed.file).without_text()
                    }
                }
            });
        }
        self.survey_of(files, head)
    }

    fn survey_of(&self, files: Vec<Surveyed>, head: PartHead) -> Survey {
        match head.is_first {
            true => self.survey.with(files, self.survey.left_out.clone()),
            false => self.survey.continued(files),
        }
    }
}

/// Returns the bytes of text that may be kept in addition to those of the survey.
fn room(packer: &Packer, survey: &Survey) -> usize {
    let kept = survey.files.iter().filter_map(|file| file.kept.as_ref());
    let kept: usize = kept.map(String::len).sum();
    packer.options.kept_text().saturating_sub(kept)
}

/// Returns a part of a file as a file of the pack. Without its text it is read again.
fn piece_of(file: &Surveyed, part: &FilePart, kept: Option<String>) -> Surveyed {
    Surveyed {
        meta: part.meta.clone(),
        slice: kept.is_none().then(|| part.span.clone()),
        kept,
        ..file.without_text()
    }
}

/// Reserves `bytes` of `room`. Returns false if there are fewer.
fn take(room: &mut usize, bytes: usize) -> bool {
    let left = room.checked_sub(bytes);
    *room = left.unwrap_or(*room);
    left.is_some()
}

impl FitFiles for SurveyedFiles<'_> {
    type Error = PackError;

    fn count(&self) -> usize {
        self.survey.files.len()
    }

    fn tokenizer(&self) -> Tokenizer {
        self.packer.options.model.tokenizer
    }

    fn meta(&self, file: usize) -> &FileMeta {
        &self.file(file).meta
    }

    fn current(&self, file: usize) -> Option<CurrentFile<'_>> {
        let ready = Ready::read(self.packer, self.file(file)).ok()?;
        Some(ready.into_current())
    }

    fn weigh(&self, meta: &FileMeta, text: &str) -> Weight {
        self.scale().weigh(meta, text)
    }

    fn weigh_all(
        &mut self,
        files: &[usize],
        found: &mut dyn FnMut(usize, Option<Weight>),
    ) -> Result<(), PackError> {
        let scale = self.scale();
        let room = &mut self.room;
        let copy = |at: &usize| {
            let file = &self.survey.files[*at];
            let kept = file.kept.as_ref().filter(|text| take(room, text.len()));
            Surveyed {
                kept: kept.cloned(),
                ..file.without_text()
            }
        };
        let mut batch: Vec<Surveyed> = files.iter().map(copy).collect();
        let which: Vec<usize> = (0..batch.len()).collect();
        scale.weigh_all(&mut batch, &which, &mut self.room, |nth, weight| {
            found(files[nth], weight.ok());
        })?;
        for (at, file) in files.iter().zip(batch) {
            self.weighed[*at] = Some(file);
        }
        Ok(())
    }
}

impl SplitFiles for SurveyedFiles<'_> {
    fn restart(&mut self) {
        *self = Self::new(self.packer, self.survey, self.cancel);
    }

    fn keeps(&mut self, bytes: usize) -> bool {
        take(&mut self.room, bytes)
    }

    fn read_part(&self, file: usize, part: &FilePart) -> Option<CurrentFile<'_>> {
        let piece = piece_of(self.file(file), part, None);
        let ready = Ready::read(self.packer, &piece).ok()?;
        Some(ready.into_owned_current())
    }

    fn size_of_part(
        &self,
        head: PartHead,
        files: &[Placed],
        limit: Limit,
    ) -> Result<usize, PackError> {
        let weights = files.iter().map(|placed| &placed.weight);
        // The first file of an output is rendered to get its size; a template reads all files.
        let with_text = self.scale().renderer().is_none();
        let files = files.iter().enumerate();
        let files = files.map(|(nth, placed)| self.to_be_measured(placed, with_text || nth == 0));
        let mut survey = self.survey_of(files.collect(), head);
        survey.overview.part = Some(Part {
            number: head.number,
            total: head.number,
        });
        self.scale().size(&survey, weights, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_reserved_only_if_there_is_enough() {
        let mut room = 10;
        assert!(take(&mut room, 4) && take(&mut room, 6));
        assert_eq!(room, 0);
        assert!(take(&mut room, 0) && !take(&mut room, 1));
        room = 5;
        assert!(!take(&mut room, 6));
        assert_eq!(room, 5, "a failed reservation changes nothing");
    }
}
