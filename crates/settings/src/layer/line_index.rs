//! Lines of a text by byte offset, so that locating a key reads its line and not all the text
//! before it.

/// Text with the offsets at which its lines start.
pub(super) struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        let after_newlines = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after_newlines).collect(),
        }
    }

    /// Returns the line of `offset`, from 1, and the text before it on that line. An offset outside
    /// the text counts as its end.
    pub(super) fn locate(&self, offset: usize) -> (usize, &'a str) {
        let offset = match self.text.is_char_boundary(offset) {
            true => offset,
            false => self.text.len(),
        };
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line.saturating_sub(1)];
        (line, &self.text[start..offset])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_have_lines_and_text_before_them() {
        let index = LineIndex::new("ab\ncé\n");
        for (offset, expected) in [
            (0, (1, "")),
            (1, (1, "a")),
            (3, (2, "")),
            (4, (2, "c")),
            (5, (3, "")),
            (7, (3, "")),
            (99, (3, "")),
        ] {
            assert_eq!(index.locate(offset), expected, "{offset}");
        }
        assert_eq!(LineIndex::new("").locate(0), (1, ""));
    }

    /// A settings file of a repository has as many keys as it has lines.
    #[test]
    fn locating_every_key_reads_each_line_once() {
        let read_for = |rules: usize| {
            let text = "[[compress]]\nmatch = \"a\"\nlevel = \"none\"\n".repeat(rules);
            let index = LineIndex::new(&text);
            let keys = text.match_indices(" =").map(|(at, _)| at);
            let read = keys.map(|at| index.locate(at).1.len()).sum::<usize>();
            (read, text.len())
        };
        for rules in [1_000, 2_000, 4_000] {
            let (read, length) = read_for(rules);
            assert!(read <= length, "{rules} rules: {read} bytes of {length}");
        }
    }
}
