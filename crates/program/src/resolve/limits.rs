//! The limits that following imports met: a repository decides how much there is, and what
//! is beyond a limit is not followed. Each kind of limit is told once.

use std::collections::BTreeMap;

/// The limits that were met, with the first place and the number of places.
#[derive(Clone, Debug, Default)]
pub(super) struct LimitsMet(BTreeMap<&'static str, (String, usize)>);

impl LimitsMet {
    /// Notes that `consequence` holds for what stands in `place`.
    pub(super) fn note(&mut self, consequence: &'static str, place: &str) {
        let (first, count) = self
            .0
            .entry(consequence)
            .or_insert_with(|| (place.to_owned(), 0));
        // Whatever is read first, the same place is named.
        if place < first.as_str() {
            place.clone_into(first);
        }
        *count += 1;
    }

    /// The same for a place that meets the limit many times.
    pub(super) fn note_once(&mut self, consequence: &'static str, place: &str) {
        if self
            .0
            .get(consequence)
            .is_none_or(|(first, _)| first != place)
        {
            self.note(consequence, place);
        }
    }

    /// Notes all that `other` has.
    pub(super) fn add(&mut self, other: &Self) {
        for (consequence, (place, count)) in &other.0 {
            for _ in 0..*count {
                self.note(consequence, place);
            }
        }
    }

    /// One warning for each kind of limit.
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
    fn each_kind_is_told_once_with_its_first_place() {
        let mut met = LimitsMet::default();
        for place in ["b/go.mod", "a/go.mod"] {
            met.note("following 3 paths", place);
        }
        met.note("following 2 modules", "c");
        let told: Vec<String> = met.warnings().collect();
        assert_eq!(
            told,
            [
                "following 2 modules: c has more",
                "following 3 paths: a/go.mod and 1 more have more",
            ]
        );
    }
}
