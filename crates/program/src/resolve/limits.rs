//! Limits that were reached while following imports. A repository chooses the amount of work, and
//! the resolver does not follow imports beyond a limit. Each kind of limit is reported once.

use std::collections::BTreeMap;

/// Limits that were reached, with the first place and the number of places.
#[derive(Clone, Debug, Default)]
pub(super) struct LimitsMet(BTreeMap<&'static str, (String, usize)>);

impl LimitsMet {
    /// Records that `consequence` applies to `place`.
    pub(super) fn note(&mut self, consequence: &'static str, place: &str) {
        let (first, count) = self
            .0
            .entry(consequence)
            .or_insert_with(|| (place.to_owned(), 0));
        // The result names the same place, independent of the order of files.
        if place < first.as_str() {
            place.clone_into(first);
        }
        *count += 1;
    }

    /// Does the same for a place that reaches the limit many times.
    pub(super) fn note_once(&mut self, consequence: &'static str, place: &str) {
        if self
            .0
            .get(consequence)
            .is_none_or(|(first, _)| first != place)
        {
            self.note(consequence, place);
        }
    }

    /// Adds all records of `other`.
    pub(super) fn add(&mut self, other: &Self) {
        for (consequence, (place, count)) in &other.0 {
            for _ in 0..*count {
                self.note(consequence, place);
            }
        }
    }

    /// Returns one warning for each kind of limit.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        self.0
            .iter()
            .map(|(consequence, (first, count))| match count {
                0 | 1 => format!("{consequence}: {first} has more"),
                more => format!("{consequence}: {first} and {} more have more", more - 1),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_reported_once_with_its_first_place() {
        let mut reached = LimitsMet::default();
        for place in ["b/go.mod", "a/go.mod"] {
            reached.note("following 3 paths", place);
        }
        reached.note("following 2 modules", "c");
        let warnings: Vec<String> = reached.warnings().collect();
        assert_eq!(
            warnings,
            [
                "following 2 modules: c has more",
                "following 3 paths: a/go.mod and 1 more have more",
            ]
        );
    }
}
