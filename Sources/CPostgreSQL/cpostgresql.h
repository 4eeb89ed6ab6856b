// The system's libpq, with replacements for macros that Swift cannot import.
#pragma once
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

static const int cpostgresql_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int cpostgresql_state = PG_DIAG_SQLSTATE;
static const int cpostgresql_message = PG_DIAG_MESSAGE_PRIMARY;
