//! Fits a survey into a budget by compression. `loom_engine::fit` chooses the levels; this module
//! supplies texts and threads, and builds the survey of a choice.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom_engine::fit::{FileLevels, LevelChoice, LevelFiles, Plan, Step, compress_to_budget};
use loom_engine::{FileRole, Form, Note, describe};
use loom_secrets::redact;
use loom_source::{LeftOut, Reason};
use loom_syntax::{Compression, Draft, Level, drafts};

use crate::load::Loaded;
use crate::map::FileImportance;
use crate::ordered::ordered;
use crate::redaction::text_before_redaction;
use crate::scale::PackScale;
use crate::shorten::{Start, shortened_from, shortening};
use crate::survey::{Survey, Surveyed};
use crate::{Cancel, Limit, PackError, Packer, Progress, Stage};

/// Approximate number of tokens of one line in the tree.
const TREE_LINE: usize = 6;

/// A survey whose files have levels that fit a budget.
pub(crate) struct CompressedSurvey {
    pub(crate) survey: Survey,
    /// True for each file that has no level in the plan. All false if the chosen files fill the
    /// budget.
    pub(crate) behind: Vec<bool>,
}

/// Compresses files step by step until they fit into a budget.
#[derive(Clone, Copy)]
pub(crate) struct LevelLadder<'a> {
    pub(crate) packer: &'a Packer,
    pub(crate) budget: usize,
    pub(crate) wanted: &'a FileImportance,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
}

impl LevelLadder<'_> {
    /// Raises the compression levels of files until all of them, or most of them, fit into the
    /// budget. A survey that fits stays unchanged.
    pub(crate) fn compress(self, survey: Survey) -> Result<CompressedSurvey, PackError> {
        let mut files = SurveyedFiles {
            ladder: self,
            survey,
        };
        let choice = compress_to_budget(&mut files, self.budget)?;
        let survey = files.survey;
        Ok(match choice {
            LevelChoice::All => CompressedSurvey::all(survey),
            LevelChoice::Full(plan) => {
                CompressedSurvey::all(survey_with(&survey, &plan, |file| Surveyed {
                    kept: file.kept.clone(),
                    ..file.without_text()
                }))
            }
            LevelChoice::Loose(plan) => CompressedSurvey {
                survey,
                behind: plan.iter().map(Option::is_none).collect(),
            },
        })
    }
}

/// The files of a survey during compression.
struct SurveyedFiles<'a> {
    ladder: LevelLadder<'a>,
    survey: Survey,
}

impl LevelFiles for SurveyedFiles<'_> {
    type Error = PackError;

    fn count(&self) -> usize {
        self.survey.files.len()
    }

    fn size_of(&mut self, plan: &Plan, frames: &mut [usize]) -> Result<usize, PackError> {
        let LevelLadder { packer, cancel, .. } = self.ladder;
        let scale = PackScale::new(packer, cancel);
        let taken: Vec<usize> = (0..plan.len()).filter(|at| plan[*at].is_some()).collect();
        let mut weights = Vec::with_capacity(taken.len());
        let mut room = 0;
        scale.weigh_all(&mut self.survey.files, &taken, &mut room, |at, weight| {
            weights.extend(weight.ok().map(|weight| (at, weight)));
        })?;
        let survey = &self.survey;
        for (at, weight) in &weights {
            let contents = survey.files[*at].meta.upper;
            frames[*at] = weight.tally.upper().saturating_sub(contents) + TREE_LINE;
        }
        let weights: Vec<_> = weights.into_iter().map(|(_, weight)| weight).collect();
        let limit = Limit::Tokens(self.ladder.budget);
        if taken.len() == survey.files.len() {
            return scale.size(survey, &weights, limit);
        }
        let with_text = scale.renderer().is_none();
        let first = taken.first().map(|at| survey.files[*at].meta.path.clone());
        let some = survey_with(survey, plan, |file| {
            // The first file of an output is rendered to get its size; a template reads all files.
            let is_read = with_text || first.as_ref() == Some(&file.meta.path);
            Surveyed {
                kept: file.kept.clone().filter(|_| is_read),
                ..file.without_text()
            }
        });
        scale.size(&some, &weights, limit)
    }

    fn order(&self) -> Result<Vec<usize>, PackError> {
        let LevelLadder {
            packer,
            budget,
            wanted,
            cancel,
            ..
        } = self.ladder;
        wanted.order(packer, &self.survey, budget, cancel)
    }

    fn levels(&self) -> Result<Vec<FileLevels>, PackError> {
        let LevelLadder {
            packer,
            progress,
            cancel,
            ..
        } = self.ladder;
        let (files, options) = (&self.survey.files, &packer.options);
        let compressor = FileCompressor { packer };
        progress.begin(Stage::Compress, Some(files.len()));
        let kept = files.iter().filter_map(|file| file.kept.as_ref());
        let kept: usize = kept.map(String::len).sum();
        let room = Room::of(options.kept_text().saturating_sub(kept));
        let mut levels = Vec::with_capacity(files.len());
        ordered(
            files.len(),
            options.thread_count(),
            options.memory().ahead(),
            |at| files[at].meta.bytes,
            |at| compressor.steps(&files[at], &room),
            |at, steps| {
                progress.advance(1);
                levels.push(FileLevels {
                    steps,
                    frame: 0,
                    is_ballast: FileRole::of(&files[at].meta) == FileRole::Ballast,
                });
                stop_if(cancel)
            },
        );
        cancelled(cancel).map(|()| levels)
    }

    fn compress(&mut self, levels: &mut [FileLevels], plan: &Plan) -> Result<(), PackError> {
        let LevelLadder {
            packer,
            progress,
            cancel,
            ..
        } = self.ladder;
        let (files, options) = (&self.survey.files, &packer.options);
        let compressor = FileCompressor { packer };
        let mut new: Vec<Option<Surveyed>> = Vec::with_capacity(files.len());
        progress.begin(Stage::Compress, Some(files.len()));
        ordered(
            files.len(),
            options.thread_count(),
            options.memory().ahead(),
            |at| files[at].meta.bytes,
            |at| {
                let step = levels[at].steps.get(plan[at]?)?;
                compressor.at_step(&files[at], step)
            },
            |_, file| {
                progress.advance(1);
                new.push(file);
                stop_if(cancel)
            },
        );
        cancelled(cancel)?;
        let left_out = self.survey.left_out.clone();
        let mut files = std::mem::take(&mut self.survey.files);
        for (at, new) in new.into_iter().enumerate() {
            let Some(new) = new else { continue };
            if let Some(step) = plan[at].and_then(|step| levels[at].steps.get_mut(step)) {
                step.tokens = new.meta.upper;
            }
            files[at] = new;
        }
        self.survey = self.survey.with(files, left_out);
        Ok(())
    }
}

/// Compresses single files of a survey.
#[derive(Clone, Copy)]
struct FileCompressor<'a> {
    packer: &'a Packer,
}

impl FileCompressor<'_> {
    /// Returns the levels of a file that save tokens.
    fn steps(self, file: &Surveyed, room: &Room) -> Vec<Step> {
        let shorten = &self.packer.options.shorten;
        let is_fixed = file.meta.marks.is_some() || shorten.is_fixed(&file.meta.path);
        let (Form::Compressed(how), false) = (shorten.lowering(file.form), is_fixed) else {
            return vec![Step::new(Level::None, file.meta.upper)];
        };
        let mut steps = vec![Step::new(how.level, file.meta.upper)];
        let Some(text) = self.clean_text(file) else {
            return steps;
        };
        let count = |text: &str| self.packer.options.model.tokenizer.count(text).upper();
        let levels = Level::ALL.into_iter().filter(|level| *level > how.level);
        let levels: Vec<Level> = levels.collect();
        let limits = self.packer.options.every_file_limits();
        let drafts = self.packer.parsing(text.len(), || {
            drafts(file.meta.language, &text, &how, &levels, &limits)
        });
        for draft in drafts {
            let least = steps.last().map_or(usize::MAX, |step| step.tokens);
            let tokens = count(draft.text());
            // A level that saves no tokens is useless.
            if tokens < least {
                steps.push(Step {
                    level: draft.level(),
                    tokens,
                    draft: room.keep(draft),
                });
            }
        }
        steps
    }

    /// Returns the redacted text of a file, unless the file changed since the survey.
    fn clean_text(self, file: &Surveyed) -> Option<String> {
        let text = text_before_redaction(self.packer, file);
        let text = text.filter(|_| file.findings.is_empty())?;
        Some(redact(&text, &file.replaced))
    }

    /// Returns the file at another level; `None` if it stays unchanged.
    fn at_step(self, file: &Surveyed, step: &Step) -> Option<Surveyed> {
        let shorten = &self.packer.options.shorten;
        let as_asked = shorten.form_of(&file.meta.path).unwrap_or_default();
        let Form::Compressed(how) = shorten.lowering(as_asked) else {
            return None;
        };
        let form = match how.level == step.level {
            true => as_asked,
            false => Form::Compressed(Compression {
                level: step.level,
                ..how
            }),
        };
        if form == file.form {
            return None;
        }
        let text = self.clean_text(file)?;
        let before = &file.meta;
        let mut meta = describe(
            before.path.clone(),
            &text,
            before.hash,
            self.packer.options.model.tokenizer,
        );
        let is_kept =
            |note: &&Note| !matches!(note, Note::Shortened { .. } | Note::ShortenedLines { .. });
        meta.notes = before.notes.iter().filter(is_kept).cloned().collect();
        let loaded = Loaded {
            meta,
            text,
            findings: Vec::new(),
            replaced: Arc::default(),
            content_key: None,
        };
        let start = step.draft.clone().map_or(Start::Text, Start::Draft);
        let loaded = shortening(self.packer, form, loaded.text.len(), || {
            shortened_from(&self.packer.options, loaded, form, start)
        });
        Some(Surveyed {
            meta: loaded.meta,
            kept: file.kept.is_some().then_some(loaded.text),
            form,
            ..file.without_text()
        })
    }
}

impl CompressedSurvey {
    /// Keeps all files at their levels.
    pub(crate) fn all(survey: Survey) -> Self {
        let behind = vec![false; survey.files.len()];
        Self { survey, behind }
    }
}

/// Returns the survey with only the files of a plan.
fn survey_with(survey: &Survey, plan: &Plan, file: impl Fn(&Surveyed) -> Surveyed) -> Survey {
    let mut left_out = survey.left_out.clone();
    let mut files = Vec::with_capacity(plan.len());
    for (one, step) in survey.files.iter().zip(plan) {
        match step {
            Some(_) => files.push(file(one)),
            None => left_out.push(LeftOut {
                path: one.meta.path.clone(),
                is_dir: false,
                reason: Reason::OverBudget,
            }),
        }
    }
    survey.with(files, left_out)
}

/// Bytes of drafts that may still be kept.
struct Room(AtomicUsize);

impl Room {
    fn of(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Keeps a draft if there is room for it. Drafts of level `minimal` are almost as long as the
    /// text, and the parse that checks a kept draft can also make a new one: they are not worth the
    /// memory.
    fn keep(&self, draft: Draft) -> Option<Draft> {
        let take = |room: usize| room.checked_sub(draft.text().len());
        let order = Ordering::Relaxed;
        let is_kept =
            draft.level() > Level::Minimal && self.0.fetch_update(order, order, take).is_ok();
        is_kept.then_some(draft)
    }
}

fn stop_if(cancel: &Cancel) -> ControlFlow<()> {
    match cancel.is_cancelled() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

fn cancelled(cancel: &Cancel) -> Result<(), PackError> {
    match cancel.is_cancelled() {
        true => Err(PackError::Cancelled),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use loom_syntax::Limits;

    use super::*;

    fn draft(level: Level) -> Draft {
        let text = format!("def f():\n{}", "    print(1)\n".repeat(40));
        let language = loom_syntax::Language::from_id("python");
        let made = drafts(
            language,
            &text,
            &Compression::default(),
            &[level],
            &Limits::default(),
        );
        made.into_iter().next().unwrap()
    }

    #[test]
    fn drafts_are_kept_while_there_is_room_and_never_at_the_first_level() {
        let short = draft(Level::Aggressive);
        let room = Room::of(2 * short.text().len() + 1);
        assert!(room.keep(short.clone()).is_some() && room.keep(short.clone()).is_some());
        assert!(room.keep(short.clone()).is_none(), "the room is used up");
        assert!(Room::of(usize::MAX).keep(draft(Level::Minimal)).is_none());
        assert!(Room::of(0).keep(short).is_none());
    }
}
