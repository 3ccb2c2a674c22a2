// Scans the strings of SQL in dollars, `$tag$ … $tag$`, in place of the grammar's own
// scanner, which loses memory each time that it takes up a state. It finds the same tokens,
// and holds nothing outside its state.

#include <string.h>
#include <wctype.h>

#include "tree_sitter/api.h"

#include "parser.h" // has to come after the API

#include "sql_scanner.h"

// The external tokens in the grammar's order.
enum { START_TAG, END_TAG, WHOLE_STRING };

// Reads `$tag$`. A tag that does not fit into a state is none.
static bool read_tag(TSLexer *lexer, LoomSqlScanner *tag) {
    tag->length = 0;
    if (lexer->lookahead != '$') return false;
    bool fits = true;
    do {
        fits = fits && tag->length + 1 < sizeof(tag->text);
        if (fits) tag->text[tag->length++] = (char)lexer->lookahead;
        lexer->advance(lexer, false);
    } while (lexer->lookahead != '$' && !iswspace((wint_t)lexer->lookahead) && !lexer->eof(lexer));
    if (lexer->lookahead != '$') return false;
    if (fits) tag->text[tag->length++] = '$';
    lexer->advance(lexer, false);
    return fits;
}

static bool is_same(const LoomSqlScanner *one, const LoomSqlScanner *other) {
    return one->length == other->length && memcmp(one->text, other->text, one->length) == 0;
}

static void skip_space(TSLexer *lexer) {
    while (iswspace((wint_t)lexer->lookahead)) lexer->advance(lexer, true);
}

// Reads a string up to the tag that it began with.
static bool read_string(const LoomSqlScanner *open, TSLexer *lexer) {
    LoomSqlScanner start, end;
    lexer->mark_end(lexer);
    skip_space(lexer);
    if (!read_tag(lexer, &start)) return false;
    if (open->length && is_same(open, &start)) return false;
    while (!lexer->eof(lexer)) {
        bool is_tag = lexer->lookahead == '$';
        bool is_whole = read_tag(lexer, &end);
        if (!is_whole && !is_tag) lexer->advance(lexer, false);
        if (is_whole && is_same(&start, &end)) {
            lexer->mark_end(lexer);
            lexer->result_symbol = WHOLE_STRING;
            return true;
        }
    }
    return false;
}

bool loom_sql_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
    LoomSqlScanner *open = payload, tag;
    if (valid_symbols[START_TAG] && !open->length) {
        skip_space(lexer);
        if (!read_tag(lexer, &tag)) return false;
        *open = tag;
        lexer->result_symbol = START_TAG;
        return true;
    }
    if (valid_symbols[END_TAG] && open->length) {
        skip_space(lexer);
        if (!read_tag(lexer, &tag) || !is_same(open, &tag)) return false;
        open->length = 0;
        lexer->result_symbol = END_TAG;
        return true;
    }
    return valid_symbols[WHOLE_STRING] && read_string(open, lexer);
}

unsigned loom_sql_serialize(void *payload, char *buffer) {
    LoomSqlScanner *open = payload;
    memcpy(buffer, open->text, open->length);
    return open->length;
}

void loom_sql_deserialize(void *payload, const char *buffer, unsigned length) {
    LoomSqlScanner *open = payload;
    open->length = length < sizeof(open->text) ? length : 0;
    if (open->length) memcpy(open->text, buffer, open->length);
}
