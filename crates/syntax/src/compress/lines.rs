//! Which line of the original a line of a compressed text was.

/// The numbers of the lines of a text that has lost some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap {
    /// Where the difference changes: a line here, and the line it was, both from 1.
    steps: Vec<(usize, usize)>,
    count: usize,
}

impl LineMap {
    /// Of so many lines; `steps` are as [`LineMap::steps`] gives them.
    pub fn new(steps: Vec<(usize, usize)>, count: usize) -> Self {
        Self { steps, count }
    }

    /// Where the difference between a line and the line it was changes: both of them,
    /// counted from 1, in order.
    pub fn steps(&self) -> &[(usize, usize)] {
        &self.steps
    }

    /// Adds the next line, which was line `original`.
    pub(crate) fn push(&mut self, original: usize) {
        self.count += 1;
        if self.next_of(self.count) != original {
            self.steps.push((self.count, original));
        }
    }

    /// The line that the line `line` was, both counted from 1.
    pub fn original(&self, line: usize) -> usize {
        self.next_of(line)
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.count
    }

    fn next_of(&self, line: usize) -> usize {
        let after = self.steps.partition_point(|(here, _)| *here <= line);
        match after.checked_sub(1).and_then(|at| self.steps.get(at)) {
            Some((here, original)) => original + line - here,
            None => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        let mut map = LineMap::default();
        let originals = [1, 2, 5, 6, 7, 20, 20, 21];
        originals.into_iter().for_each(|line| map.push(line));
        let found: Vec<_> = (1..=8).map(|line| map.original(line)).collect();
        assert_eq!(found, originals);
        assert_eq!(map.count(), 8);
    }
}
