// The scanner of SQL: its state is the tag of the string that is open, if one is.

#ifndef LOOM_SQL_SCANNER_H
#define LOOM_SQL_SCANNER_H

#include <stdbool.h>

typedef struct {
    unsigned length;
    char text[TREE_SITTER_SERIALIZATION_BUFFER_SIZE];
} LoomSqlScanner;

bool loom_sql_scan(void *payload, TSLexer *lexer, const bool *valid_symbols);
unsigned loom_sql_serialize(void *payload, char *buffer);
void loom_sql_deserialize(void *payload, const char *buffer, unsigned length);

#endif
