//! How much of a file is looked at: bounds on its size, on its nesting and on the memory
//! and the work of a parser. No clock: the same file always gets the same answer.

#[cfg(feature = "grammars")]
use crate::bounded::ParseCost;

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
    /// The operations of a parser for each byte of the text, beside those that are free.
    pub steps_per_byte: usize,
    /// The bytes that a lexer reads for each byte of the text, beside those that are free.
    pub read_per_byte: usize,
    /// The bytes of all allocations for each byte of the text, beside those that are free.
    pub allocated_per_byte: usize,
    /// The bytes that a parser may hold at once for each byte of the text, beside those
    /// that are free.
    pub memory_per_byte: usize,
    /// The most bytes that a parser may hold at once, however large the text is.
    pub memory: u64,
    /// Whether minified and generated files are parsed too.
    pub all: bool,
}

#[cfg(feature = "grammars")]
impl Limits {
    /// What every file may use, so that a small one is not measured finely.
    const FREE: ParseCost = ParseCost {
        memory: 32_000_000,
        allocated: 64_000_000,
        read: 4_000_000,
        steps: 200_000,
    };

    /// Gives the budget of a parse: linear in the size of the text, and of memory at most
    /// [`Self::memory`].
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
    /// 8 MB is more than the largest source file of the Linux kernel that is not a
    /// table of registers; nobody writes 100,000 bytes in a line or nests 2,000
    /// brackets, while a sum of strings can be a tree of some thousand levels.
    /// Ordinary code takes one or two steps a byte, and 60 to 140 bytes of memory. Published
    /// packages stay far below: `parse_bounds files DIR` prints the largest share. 192 MB of
    /// memory are three quarters of the memory of a run.
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
