//! What a file system says about a version of a file without its contents.

/// A version of a file as its file system tells it: while all of it is the same, and
/// the last change is long enough past for the clock of the file system to have moved
/// on, the contents are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The size in bytes.
    pub size: u64,
    /// The last change of the contents, in nanoseconds since 1970. A program can set
    /// it.
    pub modified: i64,
    /// The last change of anything about the file, in nanoseconds since 1970. No
    /// program can set it.
    pub changed: i64,
    /// The file itself, so that one that took its place is another.
    pub file: u64,
    /// The file system.
    pub device: u64,
}

impl Stamp {
    /// How coarse the clocks of file systems are, in nanoseconds: a change at less than
    /// this before a look may have another one behind it that shows the same time.
    pub const COARSEST: i64 = 2_000_000_000;

    /// Whether a look at `now`, in nanoseconds since 1970, can be trusted to have seen
    /// the last version with this stamp, where the clock is as coarse as `coarseness`.
    /// A time in the future says nothing.
    pub fn is_settled(&self, now: i64, coarseness: i64) -> bool {
        let last = self.modified.max(self.changed);
        now.checked_sub(last).is_some_and(|age| age > coarseness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_past_is_settled() {
        let stamp = |modified, changed| Stamp {
            size: 1,
            modified,
            changed,
            file: 1,
            device: 1,
        };
        let now = 10_000_000_000;
        let is_settled = |stamp: Stamp, now| stamp.is_settled(now, Stamp::COARSEST);
        assert!(is_settled(stamp(1, 7_000_000_000), now));
        assert!(!is_settled(stamp(1, 8_000_000_000), now));
        assert!(!is_settled(stamp(9_000_000_000, 1), now));
        assert!(!is_settled(stamp(now + 1, 1), now));
        assert!(!is_settled(stamp(i64::MIN, i64::MIN), i64::MAX));
    }
}
