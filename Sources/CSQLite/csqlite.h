// The system's SQLite, with a replacement for a macro that Swift cannot import.
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT, a number cast to a function pointer, tells SQLite to copy the text before the call returns. An
// empty Swift array may have a null pointer, which SQLite would bind as NULL.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 length) {
    return sqlite3_bind_text64(
        statement, index, text ? (const char *)text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
