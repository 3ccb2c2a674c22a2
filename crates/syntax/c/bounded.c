// Parses one text within a budget of memory and work.
//
// The parser is our copy in `core.c`, which counts what the library does not report.
// tree-sitter offers a callback between steps of a parser, but one step may allocate
// memory without bound: at the end of a text that it could not follow, it copies every
// path through its stack. Nothing but the allocator sees that, and an allocator of
// tree-sitter must not return null. So everything that a parse allocates comes from an
// arena of this parse, and beyond the budget the allocator leaves the parse altogether
// with longjmp. The arena is freed as a whole; no object of the parse outlives it.
//
// Only C frames lie between setjmp and longjmp: the callbacks are in this file.
//
// A scanner of a grammar allocates from the system, and what it holds in local variables
// would leak if the parse was left while it runs. So beyond the budget it reads the end of
// the text, and the parse is left once it has returned. What it holds is bounded without
// being counted: it starts from a state of at most 1,024 bytes, and only goes forward.
//
// Scanners check what they keep with assertions, which would end the program. Here one
// that fails ends the parse.

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom_names.h" // has to come before the API

#include "tree_sitter/api.h"

#include "parser.h" // struct TSLanguage; has to come after the API

#include "sql_scanner.h"

#if defined(_MSC_VER)
#define THREAD_LOCAL __declspec(thread)
#else
#define THREAD_LOCAL _Thread_local
#endif

#if defined(__SANITIZE_ADDRESS__)
#define LOOM_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOOM_SANITIZED
#endif
#endif

enum {
    ALIGNMENT = 16,
    // Larger blocks are the system's, so that growing arrays can move cheaply. All of them
    // are for AddressSanitizer, which sees the bounds of the system's blocks alone.
#if defined(LOOM_SANITIZED)
    SMALL_BLOCK = 0,
#else
    SMALL_BLOCK = 1024,
#endif
    FIRST_CHUNK = 32 * 1024,
    LAST_CHUNK = 1024 * 1024,
    // The lexer gets so many bytes at a time: what it reads again is counted to this
    // precision.
    BYTES_PER_READ = 64,
    // OP_COUNT_PER_PARSER_CALLBACK_CHECK of tree-sitter.
    STEPS_PER_REPORT = 100,
    // One run of a scanner may ask for the character behind the end of the text so often.
    // A scanner that knows the end asks a few times, one that does not would for ever.
    READS_PAST_END = 1000,
    // A scanner writes its state here first: some write a little more than they may.
    STATE_SIZE = 4 * TREE_SITTER_SERIALIZATION_BUFFER_SIZE,
};

// What a parse may use, and what it used. The fields are those of `Cost` in Rust.
typedef struct {
    uint64_t memory;    // most bytes held from the system at once
    uint64_t allocated; // bytes of all allocations together
    uint64_t read;      // bytes that the lexer read, each time that it read them
    uint64_t steps;     // operations of the parser, and pairs of nodes that it compared
} LoomCost;

typedef enum { LOOM_PARSED, LOOM_REFUSED, LOOM_NO_MEMORY, LOOM_TOO_LONG } LoomOutcome;

// Stands right before every block.
typedef struct {
    size_t size;
    char padding[ALIGNMENT - sizeof(size_t)];
} Head;

typedef union Chunk {
    union Chunk *next;
    char alignment[ALIGNMENT];
} Chunk;

typedef struct Large {
    struct Large *previous, *next;
    char padding[ALIGNMENT > 2 * sizeof(void *) ? ALIGNMENT - 2 * sizeof(void *) : ALIGNMENT];
    Head head;
} Large;

_Static_assert(sizeof(Head) == ALIGNMENT, "blocks are aligned");
_Static_assert(sizeof(Large) % ALIGNMENT == 0, "large blocks are aligned");
_Static_assert(offsetof(Large, head) + sizeof(Head) == sizeof(Large), "the head is last");

typedef struct LoomParse {
    Chunk *chunks;
    size_t chunk_size;
    char *free_space, *chunk_end;
    void *free_blocks[SMALL_BLOCK / ALIGNMENT + 1];
    Large *large;
    uint64_t held;
    LoomCost limit, used;
    const char *text;
    uint32_t length;
    // The language with hooks around its scanner, whose memory is the system's: it has to
    // be freed when the parse is left early.
    TSLanguage language;
    const TSLanguage *original;
    void *scanner;
    bool (*scan)(void *, TSLexer *, const bool *);
    char state[STATE_SIZE];
    LoomSqlScanner sql;
    // While the scanner runs: the function that its hook stands for, and how often it was
    // called at the end of the text.
    void (*advance)(TSLexer *, bool);
    uint32_t reads_past_end;
    bool is_scanning, is_over;
    LoomOutcome outcome;
    jmp_buf exit;
} LoomParse;

// The parse that runs on this thread. The parser of `core.c` runs only inside of one.
static THREAD_LOCAL LoomParse *current;

static _Noreturn void leave(LoomParse *self, LoomOutcome outcome) {
    self->outcome = outcome;
    longjmp(self->exit, 1);
}

static void *from_system(LoomParse *self, void *old, uint64_t old_size, uint64_t size) {
    uint64_t held = self->held - old_size + size;
    if (held > self->limit.memory || size > SIZE_MAX) leave(self, LOOM_NO_MEMORY);
    void *block = realloc(old, (size_t)size);
    if (!block) leave(self, LOOM_NO_MEMORY);
    self->held = held;
    if (held > self->used.memory) self->used.memory = held;
    return block;
}

static void count(LoomParse *self, size_t size) {
    self->used.allocated += size;
    if (self->used.allocated > self->limit.allocated) leave(self, LOOM_TOO_LONG);
}

static Large *large_of(void *block) {
    return (Large *)((char *)block - sizeof(Large));
}

static size_t size_of(void *block) {
    return ((Head *)((char *)block - sizeof(Head)))->size;
}

static void link_large(LoomParse *self, Large *large) {
    large->previous = NULL;
    large->next = self->large;
    if (self->large) self->large->previous = large;
    self->large = large;
}

static void unlink_large(LoomParse *self, Large *large) {
    if (large->previous) large->previous->next = large->next;
    else self->large = large->next;
    if (large->next) large->next->previous = large->previous;
}

static void add_chunk(LoomParse *self) {
    Chunk *chunk = from_system(self, NULL, 0, self->chunk_size);
    chunk->next = self->chunks;
    self->chunks = chunk;
    self->free_space = (char *)chunk + sizeof(Chunk);
    self->chunk_end = (char *)chunk + self->chunk_size;
    if (self->chunk_size < LAST_CHUNK) self->chunk_size *= 2;
}

static void *allocate(LoomParse *self, size_t wanted) {
    if (wanted > SIZE_MAX - sizeof(Large) - ALIGNMENT) leave(self, LOOM_NO_MEMORY);
    size_t size = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size == 0) size = ALIGNMENT;
    count(self, size);
    if (size > SMALL_BLOCK) {
        Large *large = from_system(self, NULL, 0, (uint64_t)sizeof(Large) + size);
        large->head.size = size;
        link_large(self, large);
        return large + 1;
    }
    void **free_block = &self->free_blocks[size / ALIGNMENT];
    if (*free_block) {
        void *block = *free_block;
        memcpy(free_block, block, sizeof(void *));
        return block;
    }
    if ((size_t)(self->chunk_end - self->free_space) < sizeof(Head) + size) add_chunk(self);
    Head *head = (Head *)self->free_space;
    self->free_space += sizeof(Head) + size;
    head->size = size;
    return head + 1;
}

static void release(LoomParse *self, void *block) {
    if (!block) return;
    size_t size = size_of(block);
    if (size > SMALL_BLOCK) {
        Large *large = large_of(block);
        unlink_large(self, large);
        self->held -= (uint64_t)sizeof(Large) + size;
        free(large);
        return;
    }
    void **free_block = &self->free_blocks[size / ALIGNMENT];
    memcpy(block, free_block, sizeof(void *));
    *free_block = block;
}

static void *reallocate(LoomParse *self, void *block, size_t wanted) {
    if (!block) return allocate(self, wanted);
    size_t old = size_of(block);
    if (wanted <= old) return block;
    if (old <= SMALL_BLOCK) {
        void *moved = allocate(self, wanted);
        memcpy(moved, block, old);
        release(self, block);
        return moved;
    }
    if (wanted > SIZE_MAX - sizeof(Large) - ALIGNMENT) leave(self, LOOM_NO_MEMORY);
    size_t size = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    count(self, size);
    Large *large = large_of(block);
    // The block stays in its list until it has moved, so that leaving frees it.
    uint64_t held = self->held - old + size;
    if (held > self->limit.memory) leave(self, LOOM_NO_MEMORY);
    unlink_large(self, large);
    Large *moved = realloc(large, sizeof(Large) + size);
    if (!moved) {
        link_large(self, large);
        leave(self, LOOM_NO_MEMORY);
    }
    self->held = held;
    if (held > self->used.memory) self->used.memory = held;
    moved->head.size = size;
    link_large(self, moved);
    return moved + 1;
}

static void *hook_malloc(size_t size) {
    return allocate(current, size);
}

static void *hook_calloc(size_t number, size_t size) {
    if (size && number > SIZE_MAX / size) leave(current, LOOM_NO_MEMORY);
    void *block = allocate(current, number * size);
    return memset(block, 0, number * size);
}

static void *hook_realloc(void *block, size_t size) {
    return reallocate(current, block, size);
}

static void hook_free(void *block) {
    release(current, block);
}

// The allocator of `core.c`.
void *(*ts_current_malloc)(size_t) = hook_malloc;
void *(*ts_current_calloc)(size_t, size_t) = hook_calloc;
void *(*ts_current_realloc)(void *, size_t) = hook_realloc;
void (*ts_current_free)(void *) = hook_free;

static void *create_scanner(void) {
    return current->scanner = current->original->external_scanner.create();
}

static void destroy_scanner(void *scanner) {
    current->original->external_scanner.destroy(scanner);
    current->scanner = NULL;
}

static void advance(TSLexer *lexer, bool skip) {
    LoomParse *self = current;
    if (lexer->lookahead == 0 && lexer->eof(lexer) &&
        ++self->reads_past_end > READS_PAST_END) {
        leave(self, LOOM_TOO_LONG);
    }
    self->advance(lexer, skip);
}

static bool scan(void *scanner, TSLexer *lexer, const bool *valid_symbols) {
    LoomParse *self = current;
    self->advance = lexer->advance;
    self->reads_past_end = 0;
    self->is_scanning = true;
    lexer->advance = advance;
    bool is_found = self->scan(scanner, lexer, valid_symbols);
    lexer->advance = self->advance;
    self->is_scanning = false;
    if (self->is_over) leave(self, LOOM_TOO_LONG);
    return is_found;
}

// The length of a chunk that starts at `at` and ends between two characters. If a chunk ended
// inside of one, tree-sitter would ask again, and it decodes even an empty answer.
static uint32_t chunk_length(const LoomParse *self, uint32_t at) {
    uint32_t rest = self->length - at;
    if (rest <= BYTES_PER_READ) return rest;
    uint32_t length = BYTES_PER_READ;
    while (length > 1 && ((unsigned char)self->text[at + length] & 0xC0) == 0x80) length--;
    return length;
}

static const char *read_text(void *payload, uint32_t at, TSPoint point, uint32_t *length) {
    LoomParse *self = payload;
    (void)point;
    if (at >= self->length || self->is_over) {
        *length = 0;
        return "";
    }
    *length = chunk_length(self, at);
    self->used.read += *length;
    if (self->used.read > self->limit.read) {
        if (!self->is_scanning) leave(self, LOOM_TOO_LONG);
        self->is_over = true;
        *length = 0;
    }
    return self->text + at;
}

static bool report_progress(TSParseState *state) {
    LoomParse *self = state->payload;
    self->used.steps += STEPS_PER_REPORT;
    if (self->used.steps > self->limit.steps) leave(self, LOOM_TOO_LONG);
    return false;
}

// Counts a step that the parser does not report.
void loom_count_step(void) {
    LoomParse *self = current;
    if (++self->used.steps > self->limit.steps) leave(self, LOOM_TOO_LONG);
}

// Takes the place of the C library's function in this program. Hidden, so that a program
// that loads us as a library keeps its own.
#if defined(__APPLE__)
__attribute__((noreturn, visibility("hidden"))) void __assert_rtn(
    const char *function, const char *file, int line, const char *condition
) {
#elif defined(__unix__)
__attribute__((noreturn, visibility("hidden"))) void __assert_fail(
    const char *condition, const char *file, unsigned line, const char *function
) {
#endif
#if defined(__APPLE__) || defined(__unix__)
    if (current) leave(current, LOOM_REFUSED);
    fprintf(stderr, "%s:%d: %s: assertion `%s` failed\n", file, (int)line, function, condition);
    abort();
}
#endif

static unsigned serialize(void *scanner, char *buffer) {
    LoomParse *self = current;
    unsigned length = self->original->external_scanner.serialize(scanner, self->state);
    if (length > TREE_SITTER_SERIALIZATION_BUFFER_SIZE) leave(self, LOOM_REFUSED);
    memcpy(buffer, self->state, length);
    return length;
}

extern void *tree_sitter_sql_external_scanner_create(void);

static void *create_sql(void) {
    return &current->sql;
}

static void destroy_sql(void *scanner) {
    (void)scanner;
}

static void copy_language(LoomParse *self, const TSLanguage *language) {
    // Older languages lack the last fields.
    size_t size = language->abi_version >= 15   ? sizeof(TSLanguage)
                  : language->abi_version == 14 ? offsetof(TSLanguage, name)
                                                : offsetof(TSLanguage, primary_state_ids);
    memcpy(&self->language, language, size);
    self->original = language;
    self->scan = language->external_scanner.scan;
    if (language->external_scanner.create == tree_sitter_sql_external_scanner_create) {
        self->language.external_scanner.create = create_sql;
        self->language.external_scanner.destroy = destroy_sql;
        self->language.external_scanner.serialize = loom_sql_serialize;
        self->language.external_scanner.deserialize = loom_sql_deserialize;
        self->scan = loom_sql_scan;
    } else if (language->external_scanner.create) {
        self->language.external_scanner.create = create_scanner;
        self->language.external_scanner.destroy = destroy_scanner;
        self->language.external_scanner.serialize = serialize;
    }
    if (self->scan) self->language.external_scanner.scan = scan;
}

static TSTree *parse(LoomParse *self) {
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, &self->language)) return NULL;
    TSInput input = {.payload = self, .read = read_text, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = self, .progress_callback = report_progress};
    // The parser itself is not deleted: its memory is the arena's.
    return ts_parser_parse_with_options(parser, NULL, input, options);
}

// Frees a parse with its tree. Nodes and cursors of the tree must be gone.
void loom_parse_free(LoomParse *self) {
    if (!self) return;
    while (self->large) {
        Large *large = self->large;
        self->large = large->next;
        free(large);
    }
    while (self->chunks) {
        Chunk *chunk = self->chunks;
        self->chunks = chunk->next;
        free(chunk);
    }
    free(self);
}

// Parses the text. Gives the parse, whose tree is in `tree` if there is one; null where
// the system has no memory. `cost` is the limit before and what was used after.
LoomParse *loom_parse(
    const TSLanguage *language,
    const char *text,
    uint32_t length,
    LoomCost *cost,
    TSTree **tree,
    int *outcome
) {
    *tree = NULL;
    *outcome = LOOM_NO_MEMORY;
    LoomParse *self = calloc(1, sizeof(LoomParse));
    if (!self) return NULL;
    self->chunk_size = FIRST_CHUNK;
    self->limit = *cost;
    self->text = text;
    self->length = length;
    copy_language(self, language);
    current = self;
    if (setjmp(self->exit) == 0) {
        *tree = parse(self);
        self->outcome = *tree ? LOOM_PARSED : LOOM_REFUSED;
    } else if (self->scanner) {
        destroy_scanner(self->scanner);
    }
    current = NULL;
    *cost = self->used;
    *outcome = self->outcome;
    return self;
}
