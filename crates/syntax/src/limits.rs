//! Limits for one file: its size, its nesting, and the memory and work of a parser. They do not
//! measure time, so the same file always gives the same result.

#[cfg(feature = "grammars")]
use crate::bounded::ParseCost;

/// Limits for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a parsed text, in bytes.
    pub bytes: usize,
    /// Maximum length of a parsed line, in bytes.
    pub line: usize,
    /// Maximum nesting of brackets.
    pub brackets: usize,
    /// Maximum depth of visited nodes.
    pub depth: usize,
    /// Parser operations and compared nodes per byte of the text, in addition to the free ones.
    pub steps_per_byte: usize,
    /// Bytes that a lexer reads per byte of the text, in addition to the free ones.
    pub read_per_byte: usize,
    /// Bytes of all allocations per byte of the text, in addition to the free ones.
    pub allocated_per_byte: usize,
    /// Bytes that a parser may allocate at the same time per byte of the text, in addition to the
    /// free ones.
    pub memory_per_byte: usize,
    /// Maximum number of bytes that a parser may allocate at the same time, for a text of any size.
    pub memory: u64,
    /// True to parse minified and generated files, too.
    pub all: bool,
}

#[cfg(feature = "grammars")]
impl Limits {
    /// Free allowance of every file, so that the limits of a small one are not too tight.
    const FREE: ParseCost = ParseCost {
        memory: 32_000_000,
        allocated: 64_000_000,
        read: 4_000_000,
        steps: 200_000,
    };

    /// Returns the budget of a parse: linear in the size of the text, with at most [`Self::memory`]
    /// bytes of memory.
    pub fn budget(&self, bytes: usize) -> ParseCost {
        let scaled = |free: u64, each: usize| {
            let bytes = u64::try_from(bytes.saturating_mul(each)).unwrap_or(u64::MAX);
            free.saturating_add(bytes)
        };
        ParseCost {
            memory: scaled(Self::FREE.memory, self.memory_per_byte).min(self.memory),
            allocated: scaled(Self::FREE.allocated, self.allocated_per_byte),
            read: scaled(Self::FREE.read, self.read_per_byte),
            steps: scaled(Self::FREE.steps, self.steps_per_byte),
        }
    }
}

impl Default for Limits {
    /// Returns limits that real code does not reach. 8 MB is more than the largest source file of
    /// the Linux kernel that is not a table of registers. People do not write 100,000 bytes in a
    /// line or nest 2,000 brackets, but a sum of strings can be a tree with some thousand levels.
    /// Ordinary code takes one or two steps per byte, and 60 to 140 bytes of memory. Published
    /// packages stay far below: `parse_bounds files DIR` prints the largest share. 192 MB of memory
    /// are three quarters of the memory of a run.
    fn default() -> Self {
        Self {
            bytes: 8_000_000,
            line: 100_000,
            brackets: 2_000,
            depth: 10_000,
            steps_per_byte: 16,
            read_per_byte: 64,
            allocated_per_byte: 1_000,
            memory_per_byte: 300,
            memory: 192_000_000,
            all: false,
        }
    }
}
