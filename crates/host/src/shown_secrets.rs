//! The secrets in the text that a survey's output shows. A survey finds the secrets of all files;
//! then a budget skips files, truncates one, or elides their text.

use std::collections::{HashMap, HashSet};

use loom_engine::Note;
use loom_source::Reason;

use crate::current::Current;
use crate::survey::Surveyed;
use crate::{FoundSecret, PackError, Packer, RepoPath, SecretsMode, Survey};

/// Returns the survey, or an error if it has secrets and the mode is `fail`.
pub(crate) fn refuse_secrets(packer: &Packer, survey: Survey) -> Result<Survey, PackError> {
    match packer.options.secrets.mode {
        SecretsMode::Fail if !survey.secrets.is_empty() => {
            let found = survey.secrets;
            Err(PackError::Secrets { found })
        }
        _ => Ok(survey),
    }
}

/// Returns the secrets of a survey that its output contains.
pub(crate) fn shown_secrets(packer: &Packer, survey: &Survey) -> Vec<FoundSecret> {
    let found = survey.found_secrets();
    let with_secrets: HashSet<&RepoPath> = found.iter().map(|one| &one.file).collect();
    let files = survey.files.iter();
    let partial = files
        .filter(|file| is_partial(file) && with_secrets.contains(&file.meta.path))
        .map(|file| (&file.meta.path, PartialFile::new(packer, file)));
    let mut partial: HashMap<&RepoPath, PartialFile<'_>> = partial.collect();
    let mut shown = found.clone();
    shown.retain(|one| match partial.get_mut(&one.file) {
        Some(file) => survey.run.secrets.is_in_section(one) || file.shows(one),
        None => true,
    });
    shown
}

impl Survey {
    /// Returns the secrets of the output, including those of files that changed while they were
    /// written.
    pub fn found_secrets(&self) -> Vec<FoundSecret> {
        let over = self.left_out.iter();
        let over = over.filter(|left| left.reason == Reason::OverBudget);
        let over: HashSet<&RepoPath> = over.map(|left| &left.path).collect();
        let secrets = &self.run.secrets;
        let late = secrets.found().into_iter().skip(self.recorded);
        let mut found = self.secrets.clone();
        found.extend(late);
        found.retain(|one| !over.contains(&one.file) || secrets.is_in_section(one));
        found
    }
}

/// Returns true if the output shows only parts of a file.
fn is_partial(file: &Surveyed) -> bool {
    file.meta.shortened.is_some() || has_lines(file)
}

/// Returns true if the output shows a range of lines.
fn has_lines(file: &Surveyed) -> bool {
    let mut notes = file.meta.notes.iter();
    notes.any(|note| matches!(note, Note::Lines { .. }))
}

/// A file that is truncated or compressed.
struct PartialFile<'a> {
    packer: &'a Packer,
    file: &'a Surveyed,
    /// Placeholders in the shown text that belong to no finding yet, by label.
    labels: HashMap<String, usize>,
}

impl<'a> PartialFile<'a> {
    fn new(packer: &'a Packer, file: &'a Surveyed) -> Self {
        Self {
            packer,
            file,
            labels: HashMap::new(),
        }
    }

    /// Returns true if the shown text contains the secret. In doubt it does.
    fn shows(&mut self, one: &FoundSecret) -> bool {
        let Some(label) = &one.placeholder else {
            let end = self.file.meta.first_line + self.file.meta.lines;
            return self.file.meta.shortened.is_some() || !has_lines(self.file) || one.line < end;
        };
        if !self.labels.contains_key(label) {
            let text = Current::read(self.packer, self.file).text;
            let count = text.matches(label.as_str()).count();
            self.labels.insert(label.clone(), count);
        }
        match self.labels.get_mut(label) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}
