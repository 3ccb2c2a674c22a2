//! Parses one text within a budget of memory and work, which `c/bounded.c` enforces. Every parse of
//! this crate uses it. [`Limits`] computes the budget.
//!
//! [`Limits`]: crate::Limits

#![expect(unsafe_code, reason = "calls the C code that bounds a parse")]

use std::ffi::{c_char, c_int};
use std::marker::{PhantomData, PhantomPinned};
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};

use tree_sitter::{Language, Node, Tree, ffi};

use crate::FindingKind;

/// Budget of a parse, or its use. The same text always uses the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ParseCost {
    /// Maximum number of bytes that the parser held at the same time.
    pub memory: u64,
    /// Bytes of all allocations together.
    pub allocated: u64,
    /// Bytes that the lexer read, counted for each read.
    pub read: u64,
    /// Number of parser operations, and of pairs of nodes that the parser compared.
    pub steps: u64,
}

impl ParseCost {
    /// Returns the smaller value of each field.
    pub(crate) fn least(self, other: &Self) -> Self {
        Self {
            memory: self.memory.min(other.memory),
            allocated: self.allocated.min(other.allocated),
            read: self.read.min(other.read),
            steps: self.steps.min(other.steps),
        }
    }

    /// Subtracts the work of a parse from the budget. Memory is available again.
    pub(crate) fn spend(&mut self, used: &Self) {
        self.allocated = self.allocated.saturating_sub(used.allocated);
        self.read = self.read.saturating_sub(used.read);
        self.steps = self.steps.saturating_sub(used.steps);
    }
}

/// Syntax tree with its memory.
pub(crate) struct Parsed {
    /// Never dropped: `parse` frees its memory.
    tree: ManuallyDrop<Tree>,
    parse: RawParse,
}

impl Parsed {
    /// Parses a text. Returns the use of the budget, and the tree or the reason for its absence.
    pub(crate) fn new(
        language: &Language,
        text: &[u8],
        limit: ParseCost,
    ) -> (ParseCost, Result<Self, FindingKind>) {
        let Ok(length) = u32::try_from(text.len()) else {
            return (ParseCost::default(), Err(FindingKind::TooLarge));
        };
        let (mut cost, mut tree, mut outcome) = (limit, ptr::null_mut(), NO_MEMORY);
        let language = language.clone().into_raw();
        // SAFETY: `text` has `length` bytes and outlives the call, and the three pointers are to
        // locals of the types that the C code declares. The language belongs to a grammar, which
        // lives as long as the program.
        let parse = unsafe {
            loom_parse(
                language,
                text.as_ptr().cast(),
                length,
                &raw mut cost,
                &raw mut tree,
                &raw mut outcome,
            )
        };
        let Some(parse) = NonNull::new(parse) else {
            return (ParseCost::default(), Err(FindingKind::TooMuchMemory));
        };
        let parse = RawParse(parse);
        let Some(tree) = NonNull::new(tree) else {
            let kind = match outcome {
                NO_MEMORY => FindingKind::TooMuchMemory,
                _ => FindingKind::TooManySteps,
            };
            return (cost, Err(kind));
        };
        // SAFETY: the C code made the tree, no other code owns it, and it is valid as long as
        // `parse`, which is dropped with it.
        let tree = ManuallyDrop::new(unsafe { Tree::from_raw(tree.as_ptr()) });
        (cost, Ok(Self { tree, parse }))
    }

    /// Returns the root; no node or cursor outlives this value.
    pub(crate) fn root_node(&self) -> Node<'_> {
        let _ = &self.parse;
        self.tree.root_node()
    }
}

/// Parse of the C code, freed on drop.
struct RawParse(NonNull<LoomParse>);

impl Drop for RawParse {
    fn drop(&mut self) {
        // SAFETY: `loom_parse` returned the pointer, and it is freed once. No borrow of the tree is
        // left, because `Parsed` only lends it.
        unsafe { loom_parse_free(self.0.as_ptr()) }
    }
}

/// Value of `LOOM_NO_MEMORY` in C.
const NO_MEMORY: c_int = 2;

#[repr(C)]
struct LoomParse {
    data: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

// SAFETY: the signatures match those in `c/bounded.c`.
unsafe extern "C" {
    fn loom_parse(
        language: *const ffi::TSLanguage,
        text: *const c_char,
        length: u32,
        cost: *mut ParseCost,
        tree: *mut *mut ffi::TSTree,
        outcome: *mut c_int,
    ) -> *mut LoomParse;
    fn loom_parse_free(parse: *mut LoomParse);
}
