//! Fits a pack into a budget. `loom_engine::fit` selects the files; this module supplies texts and
//! threads, and builds the survey of a selection.

use std::sync::Arc;

use loom_engine::fit::{
    BudgetFiles, Chosen, CurrentFile, FilePart, FitFailure, FitFiles, Placed, Weight, choose,
};
use loom_engine::{FileMeta, Fit as How};
use loom_models::Tokenizer;
use loom_source::{LeftOut, Reason};

use crate::ladder::{CompressedSurvey, LevelLadder};
use crate::map::FileImportance;
use crate::scale::{PackScale, Ready};
use crate::survey::{Ceiling, Survey, Surveyed};
use crate::{Cancel, Limit, PackError, Packer, Progress};

/// Reduces `survey` to the files that fit into `budget` tokens.
pub(crate) fn fit_survey(
    packer: &Packer,
    survey: Survey,
    budget: usize,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Survey, PackError> {
    let wanted = FileImportance::default();
    let CompressedSurvey { survey, behind } = match packer.options.shorten.fit {
        How::Compress => LevelLadder {
            packer,
            budget,
            wanted: &wanted,
            progress,
            cancel,
        }
        .compress(survey)?,
        How::Drop => CompressedSurvey::all(survey),
    };
    let kept = survey.files.iter().filter_map(|file| file.kept.as_ref());
    let kept: usize = kept.map(String::len).sum();
    let mut files = SurveyedFiles {
        room: packer.options.kept_text().saturating_sub(kept),
        packer,
        cancel,
        budget,
        survey,
        wanted: &wanted,
        behind: &behind,
    };
    let chosen = choose(&mut files, budget);
    let chosen = chosen.map_err(|failure| pack_error(failure, Limit::Tokens(budget)))?;
    Ok(files.chosen(chosen))
}

/// Converts the failure to fit into `limit`.
pub(crate) fn pack_error(failure: FitFailure<PackError>, limit: Limit) -> PackError {
    match failure {
        FitFailure::TooSmall { smallest } => PackError::BudgetTooSmall {
            budget: limit,
            smallest,
        },
        FitFailure::Caller(error) => error,
    }
}

/// The files of a survey, as candidates for a budget.
struct SurveyedFiles<'a> {
    packer: &'a Packer,
    cancel: &'a Cancel,
    budget: usize,
    survey: Survey,
    /// Bytes of text that may still be kept.
    room: usize,
    wanted: &'a FileImportance,
    /// True for files that come last, independent of their importance.
    behind: &'a [bool],
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
        &self.survey.files[file].meta
    }

    fn current(&self, file: usize) -> Option<CurrentFile<'_>> {
        let ready = Ready::read(self.packer, &self.survey.files[file]).ok()?;
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
        let (scale, all) = (self.scale(), &mut self.survey.files);
        scale.weigh_all(all, files, &mut self.room, |at, weight| {
            found(at, weight.ok());
        })
    }
}

impl BudgetFiles for SurveyedFiles<'_> {
    fn tokens(&self) -> usize {
        self.survey.overview.tokens
    }

    fn order(&self) -> Result<Vec<usize>, PackError> {
        let order = self
            .wanted
            .order(self.packer, &self.survey, self.budget, self.cancel);
        let mut order = order?;
        order.sort_by_key(|&at| self.behind.get(at).copied());
        Ok(order)
    }

    fn size_of_all(&self, weights: &[Weight]) -> Result<usize, PackError> {
        let limit = Limit::Tokens(self.budget);
        self.scale().size(&self.survey, weights, limit)
    }

    fn size_of(&self, some: &[Placed]) -> Result<usize, PackError> {
        let weights = some.iter().map(|placed| &placed.weight);
        let limit = Limit::Tokens(self.budget);
        self.scale()
            .size(&self.to_be_measured(some), weights, limit)
    }
}

impl<'a> SurveyedFiles<'a> {
    fn scale(&self) -> PackScale<'a> {
        PackScale::new(self.packer, self.cancel)
    }

    /// Returns the survey of a selection, to measure it.
    fn to_be_measured(&self, some: &[Placed]) -> Survey {
        let with_text = self.scale().renderer().is_none();
        let file = |(nth, placed): (usize, &Placed)| {
            let file = &self.survey.files[placed.file];
            if let Some(part) = &placed.part {
                return cut_file(file, part.clone());
            }
            // The first file of an output is rendered to get its size; a template reads all files.
            let kept = file.kept.clone().filter(|_| with_text || nth == 0);
            Surveyed {
                run: Arc::clone(&self.survey.run),
                is_planned: true,
                kept,
                ..file.without_text()
            }
        };
        self.survey_with(some, some.iter().enumerate().map(file).collect())
    }

    fn chosen(mut self, chosen: Chosen) -> Survey {
        let some = match chosen {
            Chosen::Some(some) => some,
            Chosen::All(weights) => {
                for (file, weight) in self.survey.files.iter_mut().zip(&weights) {
                    file.ceiling = weight.as_ref().map(Ceiling::of);
                }
                return self.survey;
            }
        };
        let mut files = Vec::with_capacity(some.len());
        for placed in &some {
            let file = &mut self.survey.files[placed.file];
            files.push(match &placed.part {
                Some(part) => cut_file(file, part.clone()),
                None => Surveyed {
                    kept: file.kept.take(),
                    ceiling: Some(Ceiling::of(&placed.weight)),
                    ..file.without_text()
                },
            });
        }
        self.survey_with(&some, files)
    }

    fn survey_with(&self, some: &[Placed], files: Vec<Surveyed>) -> Survey {
        let mut chosen = some.iter().map(|placed| placed.file).peekable();
        let mut left_out = self.survey.left_out.clone();
        for (at, file) in self.survey.files.iter().enumerate() {
            if chosen.next_if_eq(&at).is_none() {
                left_out.push(LeftOut {
                    path: file.meta.path.clone(),
                    is_dir: false,
                    reason: Reason::OverBudget,
                });
            }
        }
        self.survey.with(files, left_out)
    }
}

/// Returns the start of a file as a file of the pack.
fn cut_file(file: &Surveyed, part: FilePart) -> Surveyed {
    Surveyed {
        is_planned: true,
        meta: part.meta,
        kept: part.text,
        slice: None,
        ..file.without_text()
    }
}
