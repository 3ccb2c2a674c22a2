//! Parses one text within a budget of memory and work, which `c/bounded.c` enforces. Every
//! parse of this crate goes through here. How large a budget is, [`Limits`] decides.
//!
//! [`Limits`]: crate::Limits

#![expect(unsafe_code, reason = "calls the C code that bounds a parse")]

use std::ffi::{c_char, c_int};
use std::marker::{PhantomData, PhantomPinned};
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::sync::Once;

use tree_sitter::{Language, Node, Tree, ffi};

use crate::FindingKind;

/// What a parse may use, or what it used. The same text always uses the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ParseCost {
    /// The most bytes that the parser held at once.
    pub memory: u64,
    /// The bytes of all allocations together.
    pub allocated: u64,
    /// The bytes that the lexer read, each time that it read them.
    pub read: u64,
    /// The operations of the parser.
    pub steps: u64,
}

impl ParseCost {
    /// Gives the smaller of each.
    pub(crate) fn least(self, other: &Self) -> Self {
        Self {
            memory: self.memory.min(other.memory),
            allocated: self.allocated.min(other.allocated),
            read: self.read.min(other.read),
            steps: self.steps.min(other.steps),
        }
    }

    /// Subtracts the work of a parse from what is left. Memory is free again.
    pub(crate) fn spend(&mut self, used: &Self) {
        self.allocated = self.allocated.saturating_sub(used.allocated);
        self.read = self.read.saturating_sub(used.read);
        self.steps = self.steps.saturating_sub(used.steps);
    }
}

/// A tree, with the memory that it is in.
pub(crate) struct Parsed {
    /// Never dropped: its memory goes with `parse`.
    tree: ManuallyDrop<Tree>,
    parse: RawParse,
}

impl Parsed {
    /// Parses a text. Gives what was used, and the tree or the reason for having none.
    pub(crate) fn new(
        language: &Language,
        text: &[u8],
        limit: ParseCost,
    ) -> (ParseCost, Result<Self, FindingKind>) {
        let Ok(length) = u32::try_from(text.len()) else {
            return (ParseCost::default(), Err(FindingKind::TooLarge));
        };
        install_hooks();
        let (mut cost, mut tree, mut outcome) = (limit, ptr::null_mut(), NO_MEMORY);
        let language = language.clone().into_raw();
        // SAFETY: `text` has `length` bytes and outlives the call, and the three pointers
        // are to locals of the types that the C code declares. The language is that of a
        // grammar, which lives as long as the program.
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
        // SAFETY: the C code made the tree, nothing else has it, and it is valid while
        // `parse` is, which is dropped with it.
        let tree = ManuallyDrop::new(unsafe { Tree::from_raw(tree.as_ptr()) });
        (cost, Ok(Self { tree, parse }))
    }

    /// Gives the root; no node and no cursor outlives this value.
    pub(crate) fn root_node(&self) -> Node<'_> {
        let _ = &self.parse;
        self.tree.root_node()
    }
}

/// A parse of the C code, freed when dropped.
struct RawParse(NonNull<LoomParse>);

impl Drop for RawParse {
    fn drop(&mut self) {
        // SAFETY: `loom_parse` gave the pointer, and it is freed once. What borrowed from
        // the tree is gone, because `Parsed` hands out nothing but borrows.
        unsafe { loom_parse_free(self.0.as_ptr()) }
    }
}

fn install_hooks() {
    static INSTALLED: Once = Once::new();
    // SAFETY: runs once. Outside of a parse of this module the hooks call the allocator
    // that was set before, so what it gave to others on any thread goes back to it.
    INSTALLED.call_once(|| unsafe { loom_install_hooks() });
}

/// `LOOM_NO_MEMORY` in C.
const NO_MEMORY: c_int = 2;

#[repr(C)]
struct LoomParse {
    data: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

// SAFETY: the signatures are those in `c/bounded.c`.
unsafe extern "C" {
    fn loom_install_hooks();
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
