//! How much of a file is looked at: bounds on its size, on its nesting and on the
//! steps of a parser. No clock: the same file always gets the same answer.

/// The bounds for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest text that is parsed, in bytes.
    pub bytes: usize,
    /// The longest line that is parsed, in bytes.
    pub line: usize,
    /// The deepest nesting of brackets.
    pub brackets: usize,
    /// The deepest nodes of a tree that are looked at.
    pub depth: usize,
    /// The steps for each byte of the text, beside those that are free.
    pub steps_per_byte: usize,
    /// Whether minified and generated files are parsed too.
    pub all: bool,
}

impl Limits {
    #[cfg(feature = "grammars")]
    /// Steps that every file may take, so that a small one is not measured finely.
    const FREE_STEPS: usize = 200_000;

    #[cfg(feature = "grammars")]
    pub(crate) fn steps(&self, bytes: usize) -> usize {
        Self::FREE_STEPS.saturating_add(bytes.saturating_mul(self.steps_per_byte))
    }
}

impl Default for Limits {
    /// 8 MB is more than the largest source file of the Linux kernel that is not a
    /// table of registers; nobody writes 100,000 bytes in a line or nests 2,000
    /// brackets, while a sum of strings can be a tree of some thousand levels.
    /// Ordinary code takes about one step for two bytes.
    fn default() -> Self {
        Self {
            bytes: 8_000_000,
            line: 100_000,
            brackets: 2_000,
            depth: 10_000,
            steps_per_byte: 16,
            all: false,
        }
    }
}
