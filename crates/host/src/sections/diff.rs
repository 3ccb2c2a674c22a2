//! Changes as one patch. Omitted changes are listed on lines that start with `#`, which programs
//! that read patches ignore.

use std::fmt::Write;

use loom_base::RepoPath;
use loom_engine::{Body, FileMode, Patch, Side};
use loom_source::{Change, Comparison, Version, VersionKind};

use super::gate::{DiffGuard, DiffSide};
use crate::past::{COMPARISONS, Moved, join_renames};

/// Size in bytes above which further files are only listed: about four million tokens, more than
/// any model reads.
const LARGEST: usize = 16 << 20;

/// Returns the patch of all `changes`; `None` without changes.
pub(super) fn text(
    comparison: &mut Comparison<'_>,
    gate: &DiffGuard<'_>,
    changes: Vec<Change>,
) -> Option<String> {
    let asked: Vec<_> = changes
        .into_iter()
        .filter(|change| gate.is_asked_for(&change.path))
        .collect();
    let mut text = String::new();
    let mut comparisons = COMPARISONS;
    let joined = join_renames(asked, &mut comparisons, |change| {
        let version = change.old.or(change.new)?;
        let may_be_shown = gate.hidden_reason(&change.path).is_none();
        let shown = may_be_shown.then(|| gate.shown(comparison, &change.path, &version));
        shown?.ok()?.text
    });
    if let Some(note) = joined.note {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {note}");
    }
    for one in joined.moved {
        one.push(comparison, gate, &mut text);
    }
    (!text.is_empty()).then_some(text)
}

impl Moved {
    fn push(&self, comparison: &mut Comparison<'_>, gate: &DiffGuard<'_>, text: &mut String) {
        if text.len() > LARGEST {
            return self.name_only("16 MiB of changes are shown already", text);
        }
        let closed = [&self.from, &self.change.path];
        if let Some(reason) = closed.into_iter().find_map(|path| gate.hidden_reason(path)) {
            return self.name_only(&reason, text);
        }
        let mut side = |path: &RepoPath, version: &Option<Version>| {
            let version = version.as_ref();
            version
                .map(|version| gate.shown(comparison, path, version))
                .transpose()
        };
        let old = side(&self.from, &self.change.old);
        let new = side(&self.change.path, &self.change.new);
        match (old, new) {
            (Ok(old), Ok(new)) => self.push_patch(old.as_ref(), new.as_ref(), text),
            (Err(reason), _) | (_, Err(reason)) => self.name_only(&reason, text),
        }
    }

    fn push_patch(&self, old: Option<&DiffSide>, new: Option<&DiffSide>, text: &mut String) {
        let Change {
            path,
            old: was,
            new: is,
            is_unmerged,
        } = &self.change;
        if *is_unmerged {
            line(
                text,
                path,
                "in conflict; the patch is against our side of the merge",
            );
        }
        let mut notes = [old, new]
            .into_iter()
            .flatten()
            .filter_map(|side| side.note.as_ref());
        if let Some(note) = notes.next_back() {
            line(text, path, note);
        }
        let old = old
            .zip(was.as_ref())
            .map(|(shown, version)| side(&self.from, version, shown));
        let new = new
            .zip(is.as_ref())
            .map(|(shown, version)| side(path, version, shown));
        match (old, new) {
            (Some(old), Some(new)) if is_same(&old, &new) => {
                // Many programs reject a patch that contains an entry without a body.
                line(
                    text,
                    path,
                    "the same text: only its encoding or line ends differ",
                );
            }
            (Some(old), Some(new)) => Patch::changed(old, new).push(text),
            (Some(old), None) => Patch::deleted(old).push(text),
            (None, Some(new)) => Patch::added(new).push(text),
            (None, None) => {}
        }
    }

    fn name_only(&self, reason: &str, text: &mut String) {
        let what = match (&self.change.old, &self.change.new) {
            (None, _) => "new",
            (_, None) => "deleted",
            _ => "changed",
        };
        line(
            text,
            &self.change.path,
            &format!("{what}, not shown: {reason}"),
        );
    }
}

fn line(text: &mut String, path: &RepoPath, what: &str) {
    let what = what.replace(['\n', '\r'], " ");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# {}: {what}", path.display());
}

/// Returns true if the two sides look the same.
fn is_same(old: &Side<'_>, new: &Side<'_>) -> bool {
    let text = |body: &Body<'_>| match body {
        Body::Text(text) => Some(text.to_string()),
        _ => None,
    };
    old.path == new.path
        && old.mode == new.mode
        && text(&old.body).is_some_and(|old| text(&new.body) == Some(old))
}

fn side<'a>(path: &'a RepoPath, version: &Version, shown: &'a DiffSide) -> Side<'a> {
    Side {
        path,
        mode: match version.kind {
            VersionKind::Plain => FileMode::Plain,
            VersionKind::Executable => FileMode::Executable,
            VersionKind::Link => FileMode::Link,
            VersionKind::Submodule => FileMode::Submodule,
        },
        body: match &shown.text {
            Some(text) => Body::Text(text),
            None => Body::Binary,
        },
    }
}
