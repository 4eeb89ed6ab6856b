// A handler for crashes of this process. It names the module at fault on standard error and in a file.
#pragma once
#include <errno.h>
#include <signal.h>
#include "crash_frames.h"
#include "supervised.h"

// <fcntl.h>, <stdio.h>, <sys/stat.h> and <time.h>: declared here, because these headers would hide types that Glibc
// declares.
int open(const char *path, int flags, ...);
int rename(const char *from, const char *to);
int mkdir(const char *path, mode_t mode);
struct termios;
int tcsetattr(int descriptor, int actions, const struct termios *modes);
int clock_gettime(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *time, struct timespec *rest);

enum { crash_unwinding = 1, crash_naming = 2, crash_done = 3 };

// What a terminal needs after a front end has drawn on it: its earlier modes, and the text that ends the drawing.
struct crash_terminal {
    int input, output;
    const void *modes;
    const char *text;
    size_t length;
};

struct crash_state {
    // Null while no front end uses the terminal.
    const struct crash_terminal *terminal;
    const struct crash_image *images;
    struct sigaction previous[NSIG];
    // The path of the report, and its path until it is complete. Empty in a worker, whose host reads standard error.
    char path[4096], unfinished[4096];
    // A descriptor that the handler closes, so that it can open its file if no other descriptor is free. Negative if
    // there is none.
    int spare;
    int is_worker;
    pid_t process;
    // The first thread that crashed, its progress, and its signal.
    int thread, stage;
    // The image in which the first thread crashed, while its function is looked up.
    const struct crash_image *image;
    siginfo_t *info;
    void *context;
};

// The state of the handler. Only CrashHandler.swift may use the functions in this file, because each object file that
// uses them has its own copy of the variable.
static inline struct crash_state * crash_state(void) {
    static struct crash_state state;
    return &state;
}

struct crash_line { char text[2048]; size_t length; };

// Adds text to a line. A line that is too long is cut off.
static inline void crash_add(struct crash_line *line, const char *text) {
    while (*text && line->length < sizeof line->text - 1) line->text[line->length++] = *text++;
}

static inline void crash_add_number(struct crash_line *line, long long number) {
    char digits[24];
    char *first = digits + sizeof digits - 1;
    *first = 0;
    do *--first = (char)('0' + number % 10); while (number /= 10);
    crash_add(line, first);
}

// Adds a field. A symbol can have any name, so bytes other than visible ASCII characters are replaced.
static inline void crash_add_field(struct crash_line *line, const char *text) {
    crash_add(line, *text ? " " : " -");
    for (; *text && line->length < sizeof line->text - 1; text++) {
        line->text[line->length++] = *text > ' ' && *text < 0x7F ? *text : '?';
    }
}

// Returns 1 if the whole line was written.
static inline int crash_write(int descriptor, struct crash_line *line) {
    line->text[line->length++] = '\n';
    return write(descriptor, line->text, line->length) == (ssize_t)line->length;
}

// The beginning of poll(2), which <poll.h> declares.
struct crash_poll { int descriptor; short wanted, ready; };

static inline void crash_say(struct crash_line *line) {
    // A reader of standard error that has stopped, or a terminal that was stopped with Ctrl-S, must not keep the process
    // from ending. Neither is ready then, and the line is lost. The report has been stored before.
    struct crash_poll errors = {STDERR_FILENO, 4 /* POLLOUT */, 0};
    struct timespec none = {0, 0};
    if (ppoll((struct pollfd *)&errors, 1, &none, NULL) == 1) crash_write(STDERR_FILENO, line);
}

// Gives the terminal back, so that the report below is readable. Does nothing if no front end uses the terminal.
static inline void crash_leave_terminal(struct crash_state *state) {
    const struct crash_terminal *terminal = __atomic_exchange_n(&state->terminal, NULL, __ATOMIC_ACQ_REL);
    if (!terminal) return;
    // A process in the background must not stop here.
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGTTOU, &ignored, NULL);
    struct crash_poll output = {terminal->output, 4 /* POLLOUT */, 0};
    struct timespec none = {0, 0};
    if (ppoll((struct pollfd *)&output, 1, &none, NULL) == 1) {
        ssize_t written = write(terminal->output, terminal->text, terminal->length);
        (void)written;
    }
    tcsetattr(terminal->input, 0 /* TCSANOW */, terminal->modes);
}

// Writes the report to its file, which gets its name when it is complete. The fields are the format's version, the
// signal, the time, and the module's name, version, digest and function, each "-" if unknown.
static inline void crash_store(
    struct crash_state *state, int number, const struct crash_image *image, const char *symbol) {
    if (!state->path[0]) return;
    struct timespec now = {0, 0};
    clock_gettime(0 /* CLOCK_REALTIME */, &now);
    struct crash_line line = {.length = 0};
    crash_add(&line, "1 ");
    crash_add_number(&line, number);
    crash_add(&line, " ");
    crash_add_number(&line, now.tv_sec);
    const char *fields[] = {
        image ? image->module : "-", image ? image->version : "-", image ? image->digest : "-", symbol};
    for (int index = 0; index < 4; index++) crash_add_field(&line, fields[index]);
    // The folders may not exist yet.
    for (char *slash = state->unfinished + 1; *slash; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        mkdir(state->unfinished, 0700);
        *slash = '/';
    }
    close(state->spare);
    // O_WRONLY, O_CREAT, O_EXCL and O_CLOEXEC. An existing file or link is not overwritten.
    int file = open(state->unfinished, 01 | 0100 | 0200 | 02000000, 0600);
    if (file < 0) return;
    // A write beyond the limit for the size of files must fail. By default, SIGXFSZ ends the process before the file is
    // removed.
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignored, NULL);
    int is_complete = crash_write(file, &line);
    close(file);
    if (!is_complete || rename(state->unfinished, state->path) != 0) unlink(state->unfinished);
}

static inline void crash_report(
    struct crash_state *state, int number, const struct crash_image *image, const char *symbol) {
    crash_store(state, number, image, symbol);
    struct crash_line line = {.length = 0};
    crash_add(&line, "host: crash: signal ");
    crash_add_number(&line, number);
    crash_add(&line, image ? " in module " : " in unknown code");
    if (image) {
        crash_add(&line, image->module);
        crash_add_field(&line, image->version);
        if (*symbol != '-') {
            crash_add(&line, " at");
            crash_add_field(&line, symbol);
        }
    }
    crash_say(&line);
    __atomic_store_n(&state->stage, crash_done, __ATOMIC_RELEASE);
}

static inline void crash_name(struct crash_state *state, int number, struct crash_search *search) {
    state->image = search->image;
    // A damaged symbol table can crash the lookup.
    state->stage = crash_naming;
    crash_report(state, number, search->image, search->image ? crash_symbol(search) : "-");
}

// Sends this thread a signal with the default action. It is delivered at the latest when the handler returns.
static inline void crash_end_by(int number) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(number, &usual, NULL);
    syscall(SYS_tgkill, (long)getpid(), syscall(SYS_gettid), (long)number);
}

static inline void crash_chain(struct crash_state *state, int number, siginfo_t *info, void *context) {
    const struct sigaction *previous = &state->previous[number];
    if (previous->sa_flags & SA_SIGINFO) {
        previous->sa_sigaction(number, info, context);
    } else if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
        previous->sa_handler(number);
    }
    // The crash has been reported, so the process must end, even if the previous handler returns.
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(number, &usual, NULL);
    // A faulty instruction runs again and faults again. A breakpoint does not, and another signal would be lost.
    if (info->si_code <= 0 || number == SIGTRAP) crash_end_by(number);
}

static inline void crash_handle(int number, siginfo_t *info, void *context) {
    struct crash_state *state = crash_state();
    int saved = errno;
    // A child that a module has forked is not this process.
    if (getpid() != state->process) return crash_chain(state, number, info, context);
    crash_leave_terminal(state);
    if (info->si_code <= 0 && info->si_pid != state->process) {
        struct crash_line line = {.length = 0};
        crash_add(&line, "host: process ");
        crash_add_number(&line, info->si_pid);
        crash_add(&line, " sent signal ");
        crash_add_number(&line, number);
        crash_say(&line);
        // The host of a worker would blame the module for the signal itself.
        return crash_end_by(state->is_worker ? SIGKILL : number);
    }
    int thread = (int)syscall(SYS_gettid), none = 0;
    struct crash_search search = {.images = __atomic_load_n(&state->images, __ATOMIC_ACQUIRE)};
    if (__atomic_compare_exchange_n(&state->thread, &none, thread, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        state->info = info;
        state->context = context;
        state->stage = crash_unwinding;
        // libgcc reads the code at the address, which crashes if there is none.
        struct crash_object object;
        if (crash_find(crash_registers(context).code, &object)) _Unwind_Backtrace(crash_visit, &search);
        if (!search.image) crash_follow(&search, context);
        crash_name(state, number, &search);
    } else if (none == thread && state->stage != crash_done) {
        // The stack or a symbol table is damaged, and reading it has crashed. Report the first crash.
        info = state->info;
        context = state->context;
        if (state->stage == crash_unwinding) {
            crash_follow(&search, context);
            crash_name(state, info->si_signo, &search);
        } else {
            crash_report(state, info->si_signo, state->image, "-");
        }
    } else if (none != thread) {
        // Another thread has crashed first. Its report must be written before this signal ends the process.
        struct timespec pause = {0, 10000000};
        for (int count = 0; count < 100; count++) {
            if (__atomic_load_n(&state->stage, __ATOMIC_ACQUIRE) == crash_done) break;
            nanosleep(&pause, NULL);
        }
    }
    errno = saved;
    crash_chain(state, number, info, context);
}

// Adds a library before it is loaded. The image and its strings must exist as long as the process.
static inline void crash_add_image(struct crash_image *image) {
    struct crash_state *state = crash_state();
    image->next = __atomic_load_n(&state->images, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(
        &state->images, &image->next, image, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {}
}

// Sets what the terminal needs after a crash. Null if it needs nothing. The value must exist as long as the process.
static inline void crash_set_terminal(const struct crash_terminal *terminal) {
    __atomic_store_n(&crash_state()->terminal, terminal, __ATOMIC_RELEASE);
}

static inline int crash_ignore(struct _Unwind_Context *context, void *argument) { return crash_end_of_stack; }

// Installs the handler in front of those that are installed now, such as that of Swift's backtraces.
static inline void crash_install(const char *path, const char *unfinished, int is_worker) {
    struct crash_state *state = crash_state();
    size_t length = strlen(path), other = strlen(unfinished);
    if (length < sizeof state->path && other < sizeof state->unfinished) {
        memcpy(state->path, path, length + 1);
        memcpy(state->unfinished, unfinished, other + 1);
    }
    state->spare = *path ? open("/dev/null", 02000000 /* O_CLOEXEC */) : -1;
    state->is_worker = is_worker;
    state->process = getpid();
    // The dynamic linker resolves the function now, and not in the handler.
    _Unwind_Backtrace(crash_ignore, NULL);
    const int numbers[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        struct sigaction *previous = &state->previous[numbers[index]];
        sigaction(numbers[index], NULL, previous);
        struct sigaction action = *previous;
        if (!(action.sa_flags & SA_SIGINFO)) sigemptyset(&action.sa_mask);
        // The alternate stack is that of Swift's runtime, and only of the first thread. With SA_NODEFER, a crash of the
        // unwinder comes here again.
        action.sa_flags |= SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        action.sa_sigaction = crash_handle;
        sigaction(numbers[index], &action, NULL);
    }
}
