//! Maps lines of a compressed text to the original lines.

/// Original line numbers of a compressed text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap {
    /// Lines at which the difference changes: a line of the result and its original line, both from
    /// 1.
    steps: Vec<(usize, usize)>,
    count: usize,
}

impl LineMap {
    /// Creates a map of `count` lines; `steps` are those of [`LineMap::steps`].
    pub fn new(steps: Vec<(usize, usize)>, count: usize) -> Self {
        Self { steps, count }
    }

    /// Returns the lines at which the difference changes: a line of the result and its original
    /// line, both from 1, in order.
    pub fn steps(&self) -> &[(usize, usize)] {
        &self.steps
    }

    /// Adds the next line, whose original line is `original`.
    pub(crate) fn push(&mut self, original: usize) {
        self.count += 1;
        if self.next_of(self.count) != original {
            self.steps.push((self.count, original));
        }
    }

    /// Returns the original line of `line`, both counted from 1.
    pub fn original(&self, line: usize) -> usize {
        self.next_of(line)
    }

    /// Returns the number of lines.
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
    fn lines_map_to_their_original_numbers() {
        let mut map = LineMap::default();
        let originals = [1, 2, 5, 6, 7, 20, 20, 21];
        originals.into_iter().for_each(|line| map.push(line));
        let found: Vec<_> = (1..=8).map(|line| map.original(line)).collect();
        assert_eq!(found, originals);
        assert_eq!(map.count(), 8);
    }
}
