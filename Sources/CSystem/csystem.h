// C functions that the host needs and that no Swift module declares.
#pragma once
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

// glibc: the number of columns of a character, or -1 for a control character. Declared in <wchar.h> behind
// _XOPEN_SOURCE.
int wcwidth(wchar_t character);

// The Swift runtime: demangles a name. If the buffer is null, allocates the result, which the caller frees. Returns
// NULL if the name is not mangled. Declared in swift/include/swift/Demangling/Demangle.h.
char *_Nullable swift_demangle(
    const char *_Nonnull name, size_t length, char *_Nullable buffer, size_t *_Nullable buffer_size, uint32_t flags);

// glibc: returns a fact about a loaded library. With the request RTLD_DI_ORIGIN, the fact is the library's folder, a
// string of at most PATH_MAX bytes. With RTLD_DI_LINKMAP, it is a pointer to the library's link_map. Declared in <dlfcn.h>
// behind _GNU_SOURCE.
int dlinfo(void *_Nonnull library, int request, void *_Nonnull fact);
static const int origin_of_library = 6;
static const int map_of_library = 2;

// glibc: sets the working folder of a spawned program. Declared in <spawn.h> behind _GNU_SOURCE.
int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *_Nonnull actions, const char *_Nonnull path);

// glibc 2.34: closes a descriptor and all descriptors above it in a spawned program. Declared in <spawn.h> behind
// _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull actions, int from);

// glibc: renames a file, or exchanges two files. Declared in <stdio.h> behind _GNU_SOURCE.
int renameat2(
    int old_folder, const char *_Nonnull old_path, int new_folder, const char *_Nonnull new_path, unsigned int flags);

// glibc: creates a pipe, with O_CLOEXEC among the possible flags. Declared in <unistd.h> behind _GNU_SOURCE.
int pipe2(int ends[_Nonnull 2], int flags);

// glibc: gets and sets a resource limit of a process. Declared in <sys/resource.h> behind _GNU_SOURCE.
int prlimit(pid_t process, int resource, const struct rlimit *_Nullable limit, struct rlimit *_Nullable previous);

// glibc: gets and sets the processors that a thread may use, with one bit for each. Thread 0 is the calling one. Declared
// in <sched.h> behind _GNU_SOURCE.
int sched_getaffinity(pid_t thread, size_t size, unsigned long *_Nonnull processors);
int sched_setaffinity(pid_t thread, size_t size, const unsigned long *_Nonnull processors);

// Linux 5.3: returns a descriptor that becomes readable when a child exits. glibc has a function for this only since
// 2.36, and Swift does not import variadic functions such as syscall.
static inline int pidfd_of(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// glibc 2.33: statistics of malloc, in bytes. `uordblks` is the size of the allocations in the heap. `hblkhd` is the
// size of the large allocations that use mmap. <malloc.h> is in no Swift module.
struct mallinfo2 {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
struct mallinfo2 mallinfo2(void);

// Linux: O_PATH, which opens a path for use as a reference and needs no permission on the file. Declared in <fcntl.h>
// behind _GNU_SOURCE.
static const int open_as_path = 010000000;

// glibc: gets an extended attribute of a file. <sys/xattr.h> is in no Swift module.
ssize_t getxattr(
    const char *_Nonnull path, const char *_Nonnull name, void *_Nullable value, size_t size);

// glibc: accepts a connection, with SOCK_CLOEXEC among the possible flags. Declared in <sys/socket.h> behind
// _GNU_SOURCE.
struct sockaddr;
int accept4(int listener, struct sockaddr *_Nullable address, unsigned int *_Nullable length, int flags);

// glibc: returns the first occurrence of bytes in other bytes, or NULL. Declared in <string.h> behind _GNU_SOURCE.
const void *_Nullable memmem(
    const void *_Nonnull bytes, size_t length, const void *_Nonnull sought, size_t sought_length);

// C: flushes standard output after each line. Swift 6 does not allow references to the global variable stdout, which
// print writes to.
static inline void buffer_output_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

// The descriptors that a forked child closes, one bit each. Only CloseOnFork.swift may use this function and the next
// three, because each object file that uses them has its own copy of the variable.
static inline unsigned long *_Nonnull closed_on_fork(void) {
    static unsigned long words[(1 << 20) / 64];
    return words;
}

// Runs in a forked child of a process with several threads. It therefore calls only async-signal-safe functions, such
// as close.
static inline void close_marked_after_fork(void) {
    unsigned long *words = closed_on_fork();
    for (int word = 0; word < (1 << 20) / 64; word++) {
        for (int bit = 0; words[word] && bit < 64; bit++) {
            if (words[word] >> bit & 1) close(word * 64 + bit);
        }
        // The child may reuse these numbers for its own files, and fork again.
        words[word] = 0;
    }
}

// Marks or unmarks a descriptor. Ignores descriptors of 2^20 and above, which exist only if the limit of the process
// was raised.
static inline void set_closed_on_fork(int descriptor, int is_closed) {
    if (descriptor < 0 || descriptor >= 1 << 20) return;
    unsigned long bit = 1ul << descriptor % 64;
    unsigned long *word = closed_on_fork() + descriptor / 64;
    if (is_closed) __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    else __atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
}

static inline int begin_closing_on_fork(void) { return pthread_atfork(NULL, NULL, close_marked_after_fork); }

// Linux: returns the magic number of an open file's file system, or 0 if it is unknown. The number is the first word of
// struct statfs, which has fewer than 32 words. <sys/vfs.h> is in no Swift module, and including it here would hide
// types that Glibc declares.
static inline uint32_t file_system_of(int descriptor) {
    long status[32];
    return syscall(SYS_fstatfs, descriptor, status) == 0 ? (uint32_t)status[0] : 0;
}
