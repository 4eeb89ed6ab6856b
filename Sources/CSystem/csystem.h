// Functions that are in every host process, and that no Swift module declares.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

// glibc: how many columns a character takes, -1 for a control character. Hidden in <wchar.h> behind _XOPEN_SOURCE.
int wcwidth(wchar_t character);

// The Swift runtime: the declaration behind a mangled name. With a null buffer it allocates the result, which the caller
// frees; NULL when the name is not mangled. swift/include/swift/Demangling/Demangle.h.
char *_Nullable swift_demangle(
    const char *_Nonnull name, size_t length, char *_Nullable buffer, size_t *_Nullable buffer_size, uint32_t flags);
