//! What git knows about the packed trees: which files changed, what they were
//! before, and the sections that the user asked for.

mod diff;
mod gate;
mod log;
mod renames;

use std::collections::BTreeMap;
use std::sync::Arc;

use loom_base::RepoPath;
use loom_engine::{Marks, Note, Section, SectionKind, cells};
use loom_source::{
    Change, Commit, FoundFile, History, HistoryError, LeftOut, ObjectId, Reason, Scan, Version,
    decode,
};

use crate::load::Loaded;
use crate::survey::Survey;
use crate::{PackError, Packer, Run};
use gate::Gate;

/// The repositories of a run and what changed in them.
pub(crate) struct Past {
    histories: Vec<History>,
    /// What changed since the base, by the path that people see: in which repository,
    /// and what it was. Empty where nobody asks.
    changes: BTreeMap<RepoPath, (usize, Option<Version>)>,
    /// Files that are gone since the base.
    gone: Vec<RepoPath>,
    /// How many files were not packed because they did not change.
    pub(crate) unchanged: usize,
}

impl Packer {
    /// Reads what git knows, where the options ask for it, and takes from `scan` what
    /// did not change, where only changes are wanted.
    pub(crate) fn past(&self, scan: &mut Scan) -> Result<Option<Past>, PackError> {
        let options = &self.options.history;
        let Some(flag) = options.flag() else {
            return Ok(None);
        };
        let failed = |source: HistoryError| PackError::History { flag, source };
        let histories = self.source.histories(scan).map_err(failed.clone())?;
        let mut past = Past {
            histories,
            changes: BTreeMap::new(),
            gone: Vec::new(),
            unchanged: 0,
        };
        if options.changed.is_some() || options.highlight {
            past.find_changes(options.base(), scan).map_err(failed)?;
        }
        if options.changed.is_some() {
            past.keep_changed(scan);
        }
        Ok(Some(past))
    }

    /// Takes from `scan` what did not change, where only changes are wanted.
    pub(crate) fn keep_changed(&self, scan: &mut Scan) -> Result<(), PackError> {
        match self.options.history.changed {
            Some(_) => self.past(scan).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The files that differ from the last commit.
    pub(crate) fn changed_files(&self, scan: &Scan) -> Result<Vec<RepoPath>, HistoryError> {
        let mut past = Past {
            histories: self.source.histories(scan)?,
            changes: BTreeMap::new(),
            gone: Vec::new(),
            unchanged: 0,
        };
        past.find_changes("HEAD", scan)?;
        Ok(past.changes.into_keys().collect())
    }

    /// Says what the survey is about, where changes are asked for.
    pub(crate) fn describe_past(&self, survey: &mut Survey) {
        let options = &self.options.history;
        if options.highlight {
            survey.overview.marked_since = Some(options.base().to_owned());
        }
        if options.changed.is_some() && survey.files.is_empty() {
            survey.warnings.push(format!(
                "no file to pack changed since {}: the pack holds no files",
                options.base()
            ));
        }
    }

    /// What the user asked for beside the files.
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

    /// Redacts a text that is no file: messages quote what people paste.
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
            // A repository inside a tree is worth a section when there is something.
            let text = match (text, history.is_inner()) {
                (Some(text), _) => text,
                (None, true) => return,
                (None, false) => "(nothing)\n".to_owned(),
            };
            // The headings of a diff name paths, which may contain secrets too.
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
        let gate = Gate::new(self, history, survey);
        let mut comparison = history.comparison().map_err(failed("--diff"))?;
        if options.diff {
            let changes = comparison.unstaged().map_err(failed("--diff"))?;
            let text = diff::text(&mut comparison, &gate, changes);
            add(
                SectionKind::Diff,
                "the working tree against the index",
                text,
            );
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
        Ok(sections)
    }
}

fn tree(commit: Option<Commit>) -> Option<ObjectId> {
    commit.map(|commit| commit.tree)
}

/// The commit that changes are told against. A repository inside the tree has its
/// own history, in which the user's revision means nothing.
fn base_of(history: &History, revision: &str) -> Result<Option<Commit>, HistoryError> {
    if revision == "HEAD" || history.is_inner() {
        history.head()
    } else {
        history.left(revision).map(Some)
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

impl Past {
    fn find_changes(&mut self, revision: &str, scan: &Scan) -> Result<(), HistoryError> {
        for (number, history) in self.histories.iter().enumerate() {
            let base = base_of(history, revision)?;
            let found = scan.files.iter().filter_map(|file| history.owns(file));
            let changes = history.comparison()?.since(tree(base), found)?;
            for Change { path, old, new, .. } in changes {
                if new.is_some() {
                    self.changes.insert(history.shown(&path), (number, old));
                } else if history.is_asked_for(&path) {
                    self.gone.push(history.shown(&path));
                }
            }
        }
        Ok(())
    }

    /// Leaves out what did not change, and names what is gone.
    fn keep_changed(&mut self, scan: &mut Scan) {
        let before = scan.files.len();
        let is_known = |file: &FoundFile| self.histories.iter().any(|one| one.owns(file).is_some());
        // What belongs to no repository has no earlier state: it counts as new.
        scan.files
            .retain(|file| self.changes.contains_key(&file.path) || !is_known(file));
        self.unchanged = before - scan.files.len();
        let named: Vec<RepoPath> = scan.left_out.iter().map(|left| left.path.clone()).collect();
        let gone = self.gone.iter().filter(|path| !named.contains(path));
        scan.left_out.extend(gone.map(|path| LeftOut {
            path: path.clone(),
            is_dir: false,
            reason: Reason::Deleted,
        }));
    }

    /// Marks what changed in a file that was read.
    pub(crate) fn mark(&self, found: &FoundFile, loaded: &mut Loaded, limit: u64) {
        let Some((number, old)) = self.changes.get(&found.path) else {
            return;
        };
        let Some(old) = old else {
            return loaded.meta.notes.push(Note::New);
        };
        let bytes = self.histories[*number].stored(old, limit);
        let Some(before) = bytes.and_then(|bytes| decode(bytes).ok()) else {
            return;
        };
        let before = match loaded.meta.notes.contains(&Note::NotebookCells) {
            true => cells(&before.text).unwrap_or_default(),
            false => before.text,
        };
        if let Some(marks) = Marks::between(&before, &loaded.text) {
            loaded.meta.marks = Some(Arc::new(marks));
            loaded.meta.notes.push(Note::Marked);
        }
    }
}
