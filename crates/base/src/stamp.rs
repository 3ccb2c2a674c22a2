//! The metadata by which a file system identifies a version of a file without its contents.

/// Version of a file according to its file system. If two stamps are equal, and the last change is
/// older than the resolution of the file system's clock, the contents are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change of the contents, in nanoseconds since 1970. A program can set it.
    pub modified: i64,
    /// Time of the last change of contents or metadata, in nanoseconds since 1970. No program can
    /// set it.
    pub changed: i64,
    /// Inode or file id: a file that replaces another one has a different number.
    pub file: u64,
    /// Device of the file system.
    pub device: u64,
}

impl Stamp {
    /// Coarsest resolution of a file system's clock that we know, in nanoseconds. If a file changed
    /// less than this before its stamp was taken, a further change may have the same time.
    pub const COARSEST: i64 = 2_000_000_000;

    /// Returns whether a stamp that was taken at `now`, in nanoseconds since 1970, identifies the
    /// last version of the file, given a clock with the resolution `coarseness`. Returns false for
    /// a time in the future.
    pub fn is_settled(&self, now: i64, coarseness: i64) -> bool {
        let last = self.modified.max(self.changed);
        now.checked_sub(last).is_some_and(|age| age > coarseness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamp_is_settled_after_the_resolution_of_the_clock() {
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
