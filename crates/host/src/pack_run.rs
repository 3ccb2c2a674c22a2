//! A pack from its files to its output: the passes, with the progress and the end of one caller.

use std::io::Write;

use crate::fit::fit_survey;
use crate::shown_secrets::{refuse_secrets, shown_secrets};
use crate::split::split_survey;
use crate::surveyor::Surveyor;
use crate::write::{PackWriter, Written};
use crate::{Cancel, Limit, PackError, Packer, Progress, Survey};

/// The passes of a pack. The survey has the findings of the run.
#[derive(Clone, Copy)]
pub struct PackRun<'a> {
    packer: &'a Packer,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
}

impl<'a> PackRun<'a> {
    /// Creates a run that reports its progress and that `cancel` ends.
    pub fn new(packer: &'a Packer, progress: &'a dyn Progress, cancel: &'a Cancel) -> Self {
        Self {
            packer,
            progress,
            cancel,
        }
    }

    /// Finds, reads and counts all files.
    ///
    /// # Errors
    /// If the caller cancels, or git data is not available. Problems with single files are part of
    /// the result.
    pub fn survey(self) -> Result<Survey, PackError> {
        self.survey_within(None)
    }

    /// Surveys the files and reduces them to a budget, if there is one, as [`PackRun::fit`] does. Mode
    /// `fail` refuses only secrets that the output would contain.
    ///
    /// # Errors
    /// As [`PackRun::survey`] and [`PackRun::fit`].
    pub fn survey_within(self, budget: Option<usize>) -> Result<Survey, PackError> {
        let surveyor = Surveyor::new(self.packer, self.progress, self.cancel);
        let mut survey = surveyor.survey_unchecked()?;
        if let Some(budget) = budget {
            survey = self.fit(survey, budget)?;
        }
        survey.secrets = shown_secrets(self.packer, &survey);
        refuse_secrets(self.packer, survey)
    }

    /// Reduces `survey` to the files that fit into `budget` tokens, counted on the whole output. It
    /// adds files by importance. The best one that does not fit as a whole is truncated after a
    /// line. A survey that fits stays unchanged. If the options compress first, it raises
    /// compression levels before it skips any file.
    ///
    /// # Errors
    /// If the budget is too small for the header, or the caller cancels.
    pub fn fit(self, survey: Survey, budget: usize) -> Result<Survey, PackError> {
        fit_survey(self.packer, survey, budget, self.progress, self.cancel)
    }

    /// Splits `survey` into surveys whose outputs are within `limit` each.
    ///
    /// # Errors
    /// If a part is too small for its header and a little text, or the caller cancels.
    pub fn split(self, survey: &Survey, limit: Limit) -> Result<Vec<Survey>, PackError> {
        split_survey(self.packer, survey, limit, self.cancel)
    }

    /// Writes the pack of a survey.
    ///
    /// # Errors
    /// If `out` fails, or the caller cancels.
    pub fn write(self, survey: &Survey, out: &mut dyn Write) -> Result<Written, PackError> {
        PackWriter::new(self.packer, survey, self.progress, self.cancel).write(out)
    }
}

impl std::fmt::Debug for PackRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackRun").finish_non_exhaustive()
    }
}
