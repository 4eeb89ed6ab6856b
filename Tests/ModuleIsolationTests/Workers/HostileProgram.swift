import HostDriver

/// A program that misbehaves in the way that its first argument names. A host must survive all of it.
let hostileProgram = ProgramFixture(
    "hostile",
    """
    #include <dirent.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/prctl.h>
    #include <sys/ptrace.h>
    #include <sys/resource.h>
    #include <sys/wait.h>
    #include <time.h>
    #include <unistd.h>

    static int deeper(int n) { char room[4096]; room[n % 4096] = n; return deeper(n + 1) + room[7]; }

    static void say(const char *text) { write(2, text, strlen(text)); }

    int main(int count, char **words) {
        const char *act = words[1];
        if (!strcmp(act, "null")) *(volatile int *)0 = 1;
        if (!strcmp(act, "abort")) abort();
        if (!strcmp(act, "exit")) exit(atoi(words[2]));
        if (!strcmp(act, "recursion")) return deeper(0);
        if (!strcmp(act, "loop")) for (;;) {}
        // A supervisor that ends after it has reported the end of the worker, as if the host had killed it then.
        if (!strcmp(act, "supervise")) {
            int worker, status;
            read(0, &worker, sizeof worker);
            waitpid(worker, &status, 0);
            write(0, &status, sizeof status);
            return 0;
        }
        // Slow enough for a busy machine to notice it in time.
        if (!strcmp(act, "hog")) for (;;) { memset(malloc(1 << 20), 1, 1 << 20); usleep(2000); }
        if (!strcmp(act, "gulp")) { say(malloc(1L << 40) ? "given\\n" : "refused\\n"); return 0; }
        // Leaves a child behind that holds all its pipes, and prints the child's number.
        if (!strcmp(act, "leave")) {
            pid_t child = fork();
            if (child == 0) for (;;) pause();
            dprintf(2, "%d\\n", child);
            return 3;
        }
        // Leaves an orphan in a session of its own behind, which keeps writing.
        if (!strcmp(act, "escape")) {
            int ends[2];
            pipe(ends);
            if (fork() == 0) {
                setsid();
                for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
                if (fork()) _exit(0);
                dprintf(2, "%d\\n", getpid());
                write(ends[1], "x", 1);
                for (;;) { say(".\\n"); usleep(1000); }
            }
            read(ends[0], ends, 1);
            return 3;
        }
        // The tests find the processes below by the number of the first one.
        char name[16];
        snprintf(name, sizeof name, "%s %d", act, getpid());
        prctl(PR_SET_NAME, name);
        if (!strcmp(act, "chain")) {
            if (fork()) return 3;
            setsid();
            // The chain ends after a minute.
            for (time_t end = time(0) + 60; time(0) < end;) if (fork()) _exit(0);
        }
        // A traced process, which only its tracer can reap, and a tracer whose parent is killed first.
        if (!strcmp(act, "trace")) {
            int ends[2];
            pipe(ends);
            pid_t traced = fork();
            if (traced == 0) {
                setsid();
                prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
                write(ends[1], "x", 1);
                for (;;) pause();
            }
            char byte;
            read(ends[0], &byte, 1);
            if (fork() == 0) {
                setsid();
                if (fork() == 0) { ptrace(PTRACE_SEIZE, traced, 0, 0); write(ends[1], "x", 1); }
                for (;;) pause();
            }
            read(ends[0], &byte, 1);
            return 3;
        }
        if (!strcmp(act, "crowd")) {
            for (int i = 0; i < 700; i++) {
                if (fork() == 0) { setsid(); for (;;) pause(); }
            }
            return 3;
        }
        if (!strcmp(act, "closed")) { for (int i = 0; i < 1024; i++) close(i); for (;;) {} }
        if (!strcmp(act, "flood")) {
            say("the beginning\\n");
            for (int i = 0; i < 60000; i++) say("0123456789012345678901234567890123456789012345678\\n");
            say("the end\\n");
            return 2;
        }
        if (!strcmp(act, "endless line")) { for (int i = 0; i < 100000; i++) say("x"); return 2; }
        if (!strcmp(act, "stubborn")) {
            for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
            say("ready\\n");
            for (;;) pause();
        }
        // Writes back its input until the input ends.
        if (!strcmp(act, "echo")) {
            char bytes[4096];
            ssize_t n;
            while ((n = read(0, bytes, sizeof bytes)) > 0) write(1, bytes, n);
            return 7;
        }
        // Prints the state in which the process was started.
        if (!strcmp(act, "state")) {
            DIR *folder = opendir("/proc/self/fd");
            struct dirent *entry;
            int open = 0;
            while ((entry = readdir(folder))) open += entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder);
            sigset_t blocked;
            sigprocmask(SIG_BLOCK, 0, &blocked);
            int changed = 0;
            for (int i = 1; i < 32; i++) changed += sigismember(&blocked, i);
            for (int i = 1; i < 32; i++) {
                struct sigaction action;
                if (sigaction(i, 0, &action) == 0) changed += action.sa_handler != SIG_DFL;
            }
            // The limits are set shortly after the start.
            struct rlimit files, core, data;
            do { getrlimit(RLIMIT_NOFILE, &files); } while (files.rlim_max != 1000);
            getrlimit(RLIMIT_CORE, &core);
            getrlimit(RLIMIT_DATA, &data);
            dprintf(2, "%d open, %d signals changed, leads: %d, core %ld, data %ld, files %ld\\n", open, changed,
                getpgrp() == getpid(), core.rlim_max, data.rlim_max, files.rlim_max);
        }
        return 0;
    }
    """)
