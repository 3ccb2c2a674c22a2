// A second copy of the parser of tree-sitter, whose names `build.rs` prefixes, with one
// function replaced. Only the parses of `bounded.c` use it. Nodes and cursors remain
// those of the library, which has the same version and thus the same trees.
//
// The replaced function compares two interpretations of the same text. The library does
// that between two reports of progress and without an allocation, so its work was not
// counted: a list of which every element is ambiguous was compared from its start for
// each element. Here every compared pair of nodes is a step of the budget.

#include "loom_names.h" // has to come first

#define ts_subtree_compare loom_subtree_compare

#include "get_changed_ranges.c"
#include "language.c"
#include "lexer.c"
#include "node.c"
#include "parser.c"
#include "point.c"
#include "stack.c"
#include "tree.c"
#include "tree_cursor.c"
#include "wasm_store.c"

#undef ts_subtree_compare
#define ts_subtree_compare loom_subtree_compare_uncounted

#include "subtree.c"

void loom_count_step(void);

static bool is_same_node(Subtree left, Subtree right) {
    return !left.data.is_inline && !right.data.is_inline && left.ptr == right.ptr;
}

// Returns the same as the library's function, but does not enter what both sides share.
int loom_subtree_compare(Subtree left, Subtree right, SubtreePool *pool) {
    array_push(&pool->tree_stack, ts_subtree_to_mut_unsafe(left));
    array_push(&pool->tree_stack, ts_subtree_to_mut_unsafe(right));
    while (pool->tree_stack.size > 0) {
        loom_count_step();
        right = ts_subtree_from_mut(array_pop(&pool->tree_stack));
        left = ts_subtree_from_mut(array_pop(&pool->tree_stack));
        if (is_same_node(left, right)) continue;
        TSSymbol left_symbol = ts_subtree_symbol(left), right_symbol = ts_subtree_symbol(right);
        uint32_t left_count = ts_subtree_child_count(left);
        uint32_t right_count = ts_subtree_child_count(right);
        if (left_symbol != right_symbol || left_count != right_count) {
            array_clear(&pool->tree_stack);
            if (left_symbol != right_symbol) return left_symbol < right_symbol ? -1 : 1;
            return left_count < right_count ? -1 : 1;
        }
        for (uint32_t i = left_count; i > 0; i--) {
            Subtree left_child = ts_subtree_children(left)[i - 1];
            Subtree right_child = ts_subtree_children(right)[i - 1];
            array_push(&pool->tree_stack, ts_subtree_to_mut_unsafe(left_child));
            array_push(&pool->tree_stack, ts_subtree_to_mut_unsafe(right_child));
        }
    }
    return 0;
}
