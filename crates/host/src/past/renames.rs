//! Joins deleted and new files that are renames. Equal contents are found by hash; similar ones are
//! compared if there are few.

use std::collections::HashMap;

use loom_base::RepoPath;
use loom_engine::similarity;
use loom_source::{Change, ObjectId, VersionKind};

/// Maximum number of comparisons of similar files, so few that a user does not notice the time.
pub(crate) const COMPARISONS: usize = 400;

/// Size in bytes above which texts are not compared.
const LARGEST: usize = 1 << 18;

/// Minimum similarity in percent, the same as git's default.
const ALIKE: usize = 50;

/// A change with the path before it, which differs for a rename.
pub(crate) struct Moved {
    pub(crate) from: RepoPath,
    pub(crate) change: Change,
}

/// Changes with joined renames.
pub(crate) struct Joined {
    /// Changes, ordered by path.
    pub(crate) moved: Vec<Moved>,
    /// Note about files that were not compared because of a limit.
    pub(crate) note: Option<String>,
}

/// Joins renames, and lowers `comparisons` by those that it made. `text` returns the text of the only
/// side of a change, if it may be compared. Returns the changes ordered by path.
pub(crate) fn join_renames(
    changes: Vec<Change>,
    comparisons: &mut usize,
    mut text: impl FnMut(&Change) -> Option<String>,
) -> Joined {
    let is_gone = |change: &Change| change.new.is_none() && is_file(change);
    let (mut gone, rest): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_gone);
    let (mut new, rest): (Vec<_>, Vec<_>) = rest
        .into_iter()
        .partition(|change| change.old.is_none() && is_file(change));
    let mut moved: Vec<Moved> = rest.into_iter().map(unmoved).collect();
    same_contents(&mut gone, &mut new, &mut moved);
    let note = match comparisons.checked_sub(gone.len() * new.len()) {
        Some(left) => {
            *comparisons = left;
            similar_contents(&mut text, &mut gone, &mut new, &mut moved)
        }
        None => Some(too_many(gone.len(), new.len())),
    };
    moved.extend(gone.into_iter().chain(new).map(unmoved));
    moved.sort_by(|a, b| a.change.path.cmp(&b.change.path));
    Joined { moved, note }
}

fn too_many(gone: usize, new: usize) -> String {
    format!(
        "deleted files ({gone}) and new ones ({new}) are too many to be compared for renames \
         ({COMPARISONS} comparisons)"
    )
}

fn unmoved(change: Change) -> Moved {
    Moved {
        from: change.path.clone(),
        change,
    }
}

fn is_file(change: &Change) -> bool {
    let version = change.old.or(change.new);
    let is_file = |kind| matches!(kind, VersionKind::Plain | VersionKind::Executable);
    version.is_some_and(|version| is_file(version.kind)) && !change.is_unmerged
}

fn same_contents(gone: &mut Vec<Change>, new: &mut Vec<Change>, moved: &mut Vec<Moved>) {
    let id = |version: &Option<loom_source::Version>| version.and_then(|version| version.id);
    let mut by_id: HashMap<ObjectId, Vec<Change>> = HashMap::new();
    // `pop` takes the last change first, so add them in reverse order of the paths.
    for change in gone.drain(..).rev() {
        if let Some(id) = id(&change.old) {
            by_id.entry(id).or_default().push(change);
        }
    }
    let mut left = Vec::new();
    for change in new.drain(..) {
        let found = id(&change.new)
            .and_then(|id| by_id.get_mut(&id))
            .and_then(Vec::pop);
        match found {
            Some(old) => moved.push(joined(old, change)),
            None => left.push(change),
        }
    }
    *new = left;
    gone.extend(by_id.into_values().flatten());
    gone.sort_by(|a, b| a.path.cmp(&b.path));
}

fn similar_contents(
    text: &mut impl FnMut(&Change) -> Option<String>,
    gone: &mut Vec<Change>,
    new: &mut Vec<Change>,
    moved: &mut Vec<Moved>,
) -> Option<String> {
    if gone.is_empty() || new.is_empty() {
        return None;
    }
    let mut large = 0;
    let mut text = |change: &Change| {
        let text = text(change)?;
        large += usize::from(text.len() > LARGEST);
        Some(text).filter(|text| text.len() <= LARGEST)
    };
    let olds: Vec<_> = gone.iter().map(&mut text).collect();
    let news: Vec<_> = new.iter().map(&mut text).collect();
    let mut pairs = Vec::new();
    for (at, old) in olds.iter().enumerate() {
        for (to, new) in news.iter().enumerate() {
            if let (Some(old), Some(new)) = (old, new) {
                pairs.push((likeness(old, new), at, to));
            }
        }
    }
    pairs.retain(|(score, ..)| *score >= ALIKE);
    pairs.sort_by_key(|(score, at, to)| (std::cmp::Reverse(*score), *at, *to));
    let (mut taken, mut given) = (vec![None; gone.len()], vec![false; new.len()]);
    for (_, at, to) in pairs {
        if taken[at].is_none() && !given[to] {
            taken[at] = Some(to);
            given[to] = true;
        }
    }
    let mut news: Vec<_> = std::mem::take(new).into_iter().map(Some).collect();
    let olds = std::mem::take(gone);
    for (old, to) in olds.into_iter().zip(taken) {
        match to.and_then(|to| news[to].take()) {
            Some(new) => moved.push(joined(old, new)),
            None => gone.push(old),
        }
    }
    new.extend(news.into_iter().flatten());
    (large > 0).then(|| format!("files above 256 KiB are not compared for renames: {large}"))
}

/// Returns the similarity of two texts in percent; 0 if their sizes already exclude a rename.
fn likeness(old: &str, new: &str) -> usize {
    let (small, large) = (old.len().min(new.len()), old.len().max(new.len()));
    match small * 100 < large * ALIKE || small == 0 {
        true => 0,
        false => similarity(old, new),
    }
}

fn joined(old: Change, new: Change) -> Moved {
    Moved {
        from: old.path,
        change: Change {
            old: old.old,
            ..new
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_of_very_different_sizes_are_no_renames() {
        let lines = |count: usize| "a line\n".repeat(count);
        for (old, new, expected) in [
            (lines(10), lines(10), 100),
            (lines(10), lines(21), 0),
            (lines(10), String::new(), 0),
            (String::new(), String::new(), 0),
        ] {
            assert_eq!(likeness(&old, &new), expected);
        }
        assert!(likeness(&lines(10), &lines(20)) >= ALIKE);
    }

    #[test]
    fn note_names_both_numbers_and_the_limit() {
        let note = too_many(21, 30);
        assert!(
            note.contains("(21)") && note.contains("(30)") && note.contains("(400 comparisons)")
        );
    }

    proptest! {
        #[test]
        fn likeness_is_a_percentage_and_symmetric_for_equal_texts(old in "([ab]{1,3}\n){0,12}", new in "([ab]{1,3}\n){0,12}") {
            prop_assert!(likeness(&old, &new) <= 100);
            if !old.is_empty() {
                prop_assert_eq!(likeness(&old, &old), 100);
            }
        }
    }
}
