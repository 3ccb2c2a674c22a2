//! Tokens with the same priority of merging: among those, the leftmost merges first. In most
//! vocabularies every token has its own priority.

/// Ranges of ranks with the same priority.
#[derive(Default)]
pub(crate) struct Ties(Vec<(u32, u32)>);

impl Ties {
    /// Finds the ties in an ordered list of priorities, whose first rank is `first`.
    pub(crate) fn new(priorities: impl IntoIterator<Item = u32>, first: u32) -> Self {
        let (mut ties, mut last): (Vec<(u32, u32)>, _) = (Vec::new(), None);
        for (rank, priority) in (first..).zip(priorities) {
            match (last == Some(priority), ties.last_mut()) {
                (true, Some(tie)) if tie.1 == rank => tie.1 += 1,
                (true, _) => ties.push((rank - 1, rank + 1)),
                (false, _) => {}
            }
            last = Some(priority);
        }
        Self(ties)
    }

    /// Returns the first rank with the same priority as `rank`.
    #[inline]
    pub(crate) fn first(&self, rank: u32) -> u32 {
        if self.0.is_empty() {
            return rank;
        }
        let at = self.0.partition_point(|&(_, end)| end <= rank);
        match self.0.get(at) {
            Some(&(start, _)) if start <= rank => start,
            _ => rank,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_with_the_same_priority_share_the_first() {
        let ties = Ties::new([1, 2, 2, 2, 3, 4, 4], 10);
        let firsts: Vec<u32> = (9..18).map(|rank| ties.first(rank)).collect();
        assert_eq!(firsts, [9, 10, 11, 11, 11, 14, 15, 15, 17]);
        assert_eq!(Ties::default().first(7), 7);
    }
}
