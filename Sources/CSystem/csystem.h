// Functions that are in every host process, and that no Swift module declares.
#pragma once
#include <pthread.h>
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

// Linux: opens a path without reading what is there, which needs no permission of it. Hidden in <fcntl.h> behind _GNU_SOURCE.
static const int open_as_path = 010000000;

// glibc: reads an extended attribute of a file. <sys/xattr.h> is in no Swift module.
ssize_t getxattr(
    const char *_Nonnull path, const char *_Nonnull name, void *_Nullable value, size_t size);

// glibc: takes a connection whose descriptor no other program inherits. Hidden in <sys/socket.h> behind _GNU_SOURCE.
struct sockaddr;
int accept4(int listener, struct sockaddr *_Nullable address, unsigned int *_Nullable length, int flags);

// glibc: the first place of some bytes in others, or NULL. Hidden in <string.h> behind _GNU_SOURCE.
const void *_Nullable memmem(
    const void *_Nonnull bytes, size_t length, const void *_Nonnull sought, size_t sought_length);

// C: lets what is printed appear at the end of each line. The variable stdout, which Swift's print writes to, is none that Swift 6 lets
// one name.
static inline void buffer_output_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

// Descriptors that a forked child closes, a bit for each number. Only CloseOnFork.swift may use this and the functions below: each
// object file that does has a variable of its own.
static inline unsigned long *_Nonnull closed_on_fork(void) {
    static unsigned long words[(1 << 20) / 64];
    return words;
}

// Runs in the child. The parent has threads, so that only functions that are safe in a signal handler may be called: close is.
static inline void close_marked_after_fork(void) {
    unsigned long *words = closed_on_fork();
    for (int word = 0; word < (1 << 20) / 64; word++) {
        for (int bit = 0; words[word] && bit < 64; bit++) {
            if (words[word] >> bit & 1) close(word * 64 + bit);
        }
        // The child may give the numbers to files of its own, and fork again.
        words[word] = 0;
    }
}

// Marks a descriptor, or removes the mark. Does nothing with a number from 2^20 on, which a process has only if its limit was raised.
static inline void set_closed_on_fork(int descriptor, int is_closed) {
    if (descriptor < 0 || descriptor >= 1 << 20) return;
    unsigned long bit = 1ul << descriptor % 64;
    unsigned long *word = closed_on_fork() + descriptor / 64;
    if (is_closed) __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    else __atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
}

static inline int begin_closing_on_fork(void) { return pthread_atfork(NULL, NULL, close_marked_after_fork); }

// Linux: the magic number of the file system that an open file is on, 0 if it is unknown. It is the first word of a struct statfs, which
// has less than 32. <sys/vfs.h> is in no Swift module, and including it here would hide types that Glibc has.
static inline uint32_t file_system_of(int descriptor) {
    long status[32];
    return syscall(SYS_fstatfs, descriptor, status) == 0 ? (uint32_t)status[0] : 0;
}
