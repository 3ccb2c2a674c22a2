//! The files of a pack as lines, for a program that renders them itself. They are the files of the
//! snapshot, without another listing.

use std::sync::Arc;

use loom_host::{
    Compression, Filter, FilterKind, Fit, Format, IndexUse, LeftOut, Level, PackOptions, PackRun,
    Packer, Reason, RepoPath, SecretNumbers, Survey,
};
use loom_settings::FlagValue;
use loom_wire::{FORMAT_VERSION, PackFileInfo, PackFilesInfo, ReadLine, SkippedFileInfo};

use super::pack::Pack;
use super::{check, unusable};
use crate::layers::SearchLayer;
use crate::session::Choices;
use crate::values::Values;
use crate::{Budget, Control, Result, Snapshot};

/// The settings that decide which files are selected, and how.
#[derive(Debug, Default)]
struct Selection {
    /// In the order in which they were set: the last one that matches decides.
    filters: Vec<Filter>,
    level: Level,
    budget: Option<usize>,
}

impl Pack {
    /// Selects files as [`run`](Pack::run) does, and returns their redacted lines. A file counts
    /// with its path and the number of each line. Only files of the snapshot are selected: an
    /// include does not add a file that the rules skip. Values other than includes, excludes, a
    /// level and a budget are an error.
    ///
    /// # Errors
    /// If a value is invalid, or the run is cancelled.
    pub fn files(&self, snapshot: &Snapshot, control: &Control) -> Result<PackFilesInfo> {
        control.run(|| {
            let selection = Selection::read(self.values())?;
            let session = snapshot.session(&Choices::default(), control)?;
            let searcher = snapshot.lines(&session, IndexUse::Auto)?;
            let packer = selection.packer(&session.packer);
            let is_included = |path: &RepoPath| selection.includes(path);
            let mut survey = searcher.survey_among(&packer, is_included, &session.cancel)?;
            if let Some(budget) = selection.budget {
                survey = PackRun::new(&packer, &*session.progress, &session.cancel)
                    .fit(survey, budget)?;
            }
            let info = selection.info(&searcher, &survey);
            session.check()?;
            Ok(info)
        })
    }
}

impl Selection {
    fn read(values: &Values) -> Result<Self> {
        let (mut selection, mut problems) = (Self::default(), Vec::new());
        for (key, value) in values.iter() {
            let text = match value {
                FlagValue::Value(text) => text.to_str(),
                _ => None,
            };
            match (key, text) {
                ("scan.include", Some(glob)) => {
                    selection
                        .filters
                        .push(Filter::new(FilterKind::Include, glob)?);
                }
                ("scan.exclude", Some(glob)) => {
                    selection
                        .filters
                        .push(Filter::new(FilterKind::Exclude, glob)?);
                }
                ("pack.compress", Some(name)) => {
                    selection.level = Level::from_name(name).unwrap_or_default();
                }
                ("pack.budget", Some(text)) => {
                    selection.budget = Some(text.parse::<Budget>()?.tokens());
                }
                (key, _) => problems.push(unusable(format!("`{key}` has no effect on files"))),
            }
        }
        check(problems)?;
        Ok(selection)
    }

    /// Returns a packer that counts files with line numbers and a minimum of markup.
    fn packer(&self, base: &Arc<Packer>) -> Packer {
        let mut options: PackOptions = base.options().clone();
        options.format = Format::Compact;
        options.template = None;
        options.line_numbers = true;
        options.shorten.how = Compression::at(self.level);
        options.shorten.fit = Fit::Drop;
        base.with_options(options)
    }

    fn includes(&self, path: &RepoPath) -> bool {
        let is_include = |filter: &Filter| filter.kind() == FilterKind::Include;
        let decides = self.filters.iter().rev().find(|filter| filter.covers(path));
        decides.map_or_else(|| !self.filters.iter().any(is_include), is_include)
    }

    fn info(&self, searcher: &SearchLayer, survey: &Survey) -> PackFilesInfo {
        let (over, skipped): (Vec<&LeftOut>, Vec<&LeftOut>) = survey
            .left_out
            .iter()
            .partition(|left| left.reason == Reason::OverBudget);
        let skipped = skipped.into_iter().map(|left| SkippedFileInfo {
            path: left.path.to_string(),
            reason: left.reason.to_string(),
        });
        let mut info = PackFilesInfo {
            format_version: FORMAT_VERSION,
            files: Vec::new(),
            selected: survey.files().len(),
            over_budget: over.iter().map(|left| left.path.to_string()).collect(),
            skipped: skipped.collect(),
        };
        let mut numbers = SecretNumbers::default();
        for file in survey.files() {
            let path = file.path.display();
            let Some(shown) = searcher.shown_text(&path, self.level, &mut numbers) else {
                continue;
            };
            // If a file exceeds the budget as a whole, only its beginning is selected.
            let last = file.first_line + file.lines.max(1) - 1;
            let is_whole = self.level != Level::None || last >= shown.total;
            let last_line = if is_whole { shown.total } else { last };
            let lines = shown.lines.into_iter();
            let lines = lines.filter(|(number, _)| is_whole || *number <= last);
            info.files.push(PackFileInfo {
                path: path.into_owned(),
                total_lines: shown.total,
                last_line,
                is_whole,
                lines: lines.map(|(line, text)| ReadLine { line, text }).collect(),
            });
        }
        info
    }
}
