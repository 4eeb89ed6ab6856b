// Functions that are in every host process, and that no Swift module declares.
#pragma once
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

// glibc: how many columns a character takes, -1 for a control character. Hidden in <wchar.h> behind _XOPEN_SOURCE.
int wcwidth(wchar_t character);

// The Swift runtime: the declaration behind a mangled name. With a null buffer it allocates the result, which the caller
// frees; NULL when the name is not mangled. swift/include/swift/Demangling/Demangle.h.
char *_Nullable swift_demangle(
    const char *_Nonnull name, size_t length, char *_Nullable buffer, size_t *_Nullable buffer_size, uint32_t flags);

// glibc: the folder that a spawned program begins in. Hidden in <spawn.h> behind _GNU_SOURCE.
int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *_Nonnull actions, const char *_Nonnull path);

// glibc 2.34: closes in a spawned program this descriptor and all above it. Hidden in <spawn.h> behind _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull actions, int from);

// glibc: puts a file in the place of another, or exchanges them. Hidden in <stdio.h> behind _GNU_SOURCE.
int renameat2(
    int old_folder, const char *_Nonnull old_path, int new_folder, const char *_Nonnull new_path, unsigned int flags);

// glibc: a pipe whose ends are closed when another program takes over. Hidden in <unistd.h> behind _GNU_SOURCE.
int pipe2(int ends[_Nonnull 2], int flags);

// glibc: reads and sets a limit of another process. Hidden in <sys/resource.h> behind _GNU_SOURCE.
int prlimit(pid_t process, int resource, const struct rlimit *_Nullable limit, struct rlimit *_Nullable previous);

// Linux 5.3: a descriptor that is ready when a child has ended. glibc has a function for it since 2.36 only, and Swift imports no
// function with an open list of arguments, such as syscall.
static inline int pidfd_of(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// glibc 2.33: what malloc has given away, in bytes: by itself, and by mmap for large pieces. <malloc.h> is in no Swift module.
struct mallinfo2 {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
struct mallinfo2 mallinfo2(void);

// glibc: takes a connection whose descriptor no other program inherits. Hidden in <sys/socket.h> behind _GNU_SOURCE.
struct sockaddr;
int accept4(int listener, struct sockaddr *_Nullable address, unsigned int *_Nullable length, int flags);

// C: lets what is printed appear at the end of each line. The variable stdout, which Swift's print writes to, is none that Swift 6 lets
// one name.
static inline void buffer_output_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
