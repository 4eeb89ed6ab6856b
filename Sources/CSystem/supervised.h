// A function that starts a worker under a supervisor, which is a process between the host and the worker.
#pragma once
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>
#include "csystem.h"

// glibc: declared in <unistd.h>, <sys/prctl.h>, <fcntl.h> and <poll.h>. Some of these declarations require _GNU_SOURCE.
// Some of these headers are in no Swift module, or would hide types that Glibc declares if they were included here.
int dup3(int from, int to, int flags);
void closefrom(int first);
int prctl(int option, ...);
int fcntl(int descriptor, int command, ...);
enum {
    supervised_death_signal = 1,     // PR_SET_PDEATHSIG
    supervised_subreaper = 36,       // PR_SET_CHILD_SUBREAPER
    supervised_copy = 1030,          // F_DUPFD_CLOEXEC
    supervised_close_on_exec = 02000000,  // O_CLOEXEC
};

struct pollfd;
struct timespec;
int ppoll(
    struct pollfd *_Nonnull descriptors, unsigned long count, const struct timespec *_Nullable time,
    const sigset_t *_Nullable mask);

// The arguments of a worker and its supervisor. The first argument of each is the path of its program.
struct supervised_start {
    char *_Nullable const *_Nonnull worker;
    char *_Nullable const *_Nonnull supervisor;
    char *_Nullable const *_Nonnull environment;
    int connection, errors, control;
};

// The next two functions run in children of a process with several threads. The children share the parent's memory
// until they execute a program. These functions therefore call only async-signal-safe functions, never return, and
// write only to their own stack frames. They are not inlined, because they would then write to the parent's frame.

__attribute__((noinline, noreturn)) static void supervised_run_worker(
    const struct supervised_start *_Nonnull start, pid_t supervisor, int connection, int errors, int failure) {
    // The kernel sends this signal when the parent thread exits. The supervisor has only one thread.
    prctl(supervised_death_signal, SIGKILL);
    if (getppid() != supervisor) _exit(127);
    // The worker gets its own process group, so that Ctrl-C does not reach it, and signals to its group do not reach
    // the supervisor.
    setpgid(0, 0);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(connection, 0) >= 0 && dup2(connection, 1) >= 0 && dup2(errors, 2) >= 0
        && dup3(failure, 3, supervised_close_on_exec) >= 0) {
        failure = 3;
        // Modules in the parent may have opened descriptors without close-on-exec.
        closefrom(4);
        execve(start->worker[0], start->worker, start->environment);
    }
    int error = errno;
    if (write(failure, &error, sizeof error) < 0) _exit(126);
    _exit(127);
}

__attribute__((noinline, noreturn)) static void supervised_run_supervisor(
    const struct supervised_start *_Nonnull start) {
    // The subreaper setting survives execve. Orphaned descendants become children of this process.
    prctl(supervised_subreaper, 1);
    setpgid(0, 0);
    // Copies the descriptors to numbers above those of the worker, so that dup2 cannot overwrite one before it is
    // copied.
    int control = fcntl(start->control, supervised_copy, 4);
    int connection = fcntl(start->connection, supervised_copy, 4);
    int errors = fcntl(start->errors, supervised_copy, 4);
    // The pipe reports a failed start. If the worker executes its program, the pipe closes without transferring any
    // bytes.
    int ends[2] = {-1, -1}, failure = -1, report = -1;
    if (control >= 0 && connection >= 0 && errors >= 0 && pipe2(ends, supervised_close_on_exec) == 0) {
        failure = fcntl(ends[1], supervised_copy, 4);
    }
    if (failure >= 0) {
        pid_t self = getpid();
        report = vfork();
        if (report == 0) supervised_run_worker(start, self, connection, errors, failure);
    }
    int error = errno;
    close(ends[1]);
    close(failure);
    if (report > 0 && read(ends[0], &error, sizeof error) == sizeof error) report = -1;
    if (report < 0) report = -error;
    if (write(control, &report, sizeof report) < 0 || report < 0) _exit(127);
    if (dup2(control, 0) >= 0) {
        closefrom(1);
        execve(start->supervisor[0], start->supervisor, start->environment);
    }
    _exit(127);
}

// Starts a worker with a supervisor. `connection` becomes the worker's standard input and output, `errors` its standard
// error, and `control` the supervisor's standard input. The supervisor first writes an int to `control`: the worker's
// process ID, or a negative error number. Returns the supervisor's process ID, or a negative error number.
static inline pid_t start_supervised(
    char *_Nullable const *_Nonnull worker, char *_Nullable const *_Nonnull supervisor,
    char *_Nullable const *_Nonnull environment, int connection, int errors, int control) {
    struct supervised_start start = {worker, supervisor, environment, connection, errors, control};
    sigset_t all, before;
    sigfillset(&all);
    // Blocks all signals, because a handler that runs in the child would share the memory of this process. The
    // supervisor inherits the mask, so SIGKILL is the only signal that ends it.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t process = vfork();
    if (process == 0) supervised_run_supervisor(&start);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return process < 0 ? -error : process;
}

// Linux 5.1: sends a signal to a process. The descriptor cannot refer to another process that reuses the process ID.
static inline int signal_pidfd(int process, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, process, signal, NULL, 0);
}
