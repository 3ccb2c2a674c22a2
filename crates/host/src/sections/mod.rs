//! The sections of a pack in addition to its files: the last commits, and changes as patches.

mod diff;
mod gate;
mod log;

use loom_base::RepoPath;
use loom_engine::{Section, SectionKind};
use loom_source::{Commit, History, HistoryError};

use crate::past::{Past, base_of, tree};
use crate::survey::Survey;
use crate::{PackError, Packer, Run};
use gate::DiffGuard;

impl Packer {
    /// Returns the sections that the options select.
    pub(crate) fn all_sections(
        &self,
        past: &Past,
        survey: &Survey,
    ) -> Result<Vec<Section>, PackError> {
        let mut sections = Vec::new();
        for history in &past.histories {
            sections.extend(self.sections(history, survey)?);
        }
        Ok(sections)
    }

    /// Redacts a text outside the files: commit messages may quote secrets.
    fn clean_other(&self, run: &Run, name: &str, text: String) -> String {
        let path = RepoPath::new(name).unwrap_or_else(|_| RepoPath::root());
        run.secrets.clean(&self.options.secrets, &path, text)
    }

    fn sections(&self, history: &History, survey: &Survey) -> Result<Vec<Section>, PackError> {
        let options = &self.options.history;
        let failed = |flag: &str| {
            let flag = flag.to_owned();
            move |source: HistoryError| PackError::History { flag, source }
        };
        let mut sections = Vec::new();
        let mut add = |kind, title: &str, text: Option<String>| {
            let name = history.name();
            let repository = (!name.is_root()).then(|| name.to_string());
            // A nested repository gets a section only if it is not empty.
            let text = match (text, history.is_inner()) {
                (Some(text), _) => text,
                (None, true) => return,
                (None, false) => "(nothing)\n".to_owned(),
            };
            // The headings of a diff contain paths, which may contain secrets, too.
            let text = self.clean_other(&survey.run, "(section)", text);
            sections.push(Section::new(kind, title, repository, text));
        };
        if options.log > 0 {
            let text = log::text(history, options.log, self.options.max_file_size)
                .map(|text| text.map(|text| self.clean_other(&survey.run, "(log)", text)));
            let title = format!("the last {} commits at most, newest first", options.log);
            add(SectionKind::Log, &title, text.map_err(failed("--log"))?);
        }
        if !(options.diff || options.staged || options.since.is_some()) {
            return Ok(sections);
        }
        let gate = DiffGuard::new(self, history, survey);
        let mut comparison = history.comparison().map_err(failed("--diff"))?;
        if options.diff {
            let changes = comparison.unstaged().map_err(failed("--diff"))?;
            let text = diff::text(&mut comparison, &gate, changes);
            let title = "the working tree against the index";
            add(SectionKind::Diff, title, text);
        }
        if options.staged {
            let staged = || comparison.staged(tree(history.head()?));
            let changes = staged().map_err(failed("--staged"))?;
            let text = diff::text(&mut comparison, &gate, changes);
            add(SectionKind::Staged, "the index against HEAD", text);
        }
        if let Some(revision) = &options.since {
            let flag = format!("--since {revision}");
            let base = base_of(history, revision).map_err(failed(&flag))?;
            let found = survey
                .files
                .iter()
                .filter_map(|file| history.owns(&file.found));
            let changes = comparison.since(tree(base), found).map_err(failed(&flag))?;
            let text = diff::text(&mut comparison, &gate, changes);
            let title = title_of_base(history, revision, base);
            add(SectionKind::Since, &title, text);
        }
        survey.run.unread.warn(comparison.warnings());
        Ok(sections)
    }
}

fn title_of_base(history: &History, revision: &str, base: Option<Commit>) -> String {
    let short = |commit: Commit| commit.id.to_string().chars().take(12).collect::<String>();
    let packed = match history.packed_commit() {
        Some(commit) => format!("the commit {}", short(commit)),
        None => "the working tree".to_owned(),
    };
    let Some(base) = base else {
        return format!("{packed}; there is no commit before it");
    };
    let is_named = history.commit(revision);
    let is_named = is_named.is_ok_and(|named| named.id == base.id);
    match is_named || history.is_inner() {
        true => format!("{packed} against {}", short(base)),
        false => format!("{packed} against {}, where it left {revision}", short(base)),
    }
}
