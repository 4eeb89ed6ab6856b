import HostDriver

/// A host whose module misbehaves at a given moment. The last argument names both: `ping=hang`, `health=throw`,
/// `event=null`.
let hostileHost = ProgramFixture(
    "hostile-host",
    """
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    static const char *plan;
    static long id;

    static void act(const char *moment) {
        size_t length = strlen(moment);
        if (strncmp(plan, moment, length) || plan[length] != '=') return;
        const char *what = plan + length + 1;
        if (!strcmp(what, "null")) { dprintf(2, "touches nothing\\n"); *(volatile int *)0 = 1; }
        if (!strcmp(what, "abort")) abort();
        if (!strcmp(what, "exit")) exit(0);
        if (!strcmp(what, "hang")) for (;;) pause();
        if (!strcmp(what, "hog")) for (;;) { memset(malloc(1 << 20), 1, 1 << 20); usleep(2000); }
        if (!strcmp(what, "close")) { for (int i = 0; i < 1024; i++) close(i); for (;;) pause(); }
        if (!strcmp(what, "garbage")) { dprintf(1, "}{\\n\\n[]\\n{\\"id\\":%ld}\\n", id); dprintf(1, "%0100000d\\n", 1); }
        const char *error = !strcmp(what, "throw") ? "module-failed" : !strcmp(what, "lose") ? "connection-lost" : 0;
        if (!error) return;
        printf("{\\"jsonrpc\\":\\"2.0\\",\\"id\\":%ld,\\"error\\":{\\"code\\":-32000,\\"message\\":\\"it threw\\",\\"data\\":{\\"code\\":"
            "\\"%s\\",\\"operation\\":\\"cannot use module\\",\\"subject\\":\\"m\\",\\"cause\\":\\"it threw\\",\\"notes\\":[]}}}\\n", id, error);
        id = 0;
    }

    int main(int count, char **words) {
        plan = words[count - 1];
        char *line = 0;
        size_t size = 0;
        long revision = 0;
        act("start");
        while (getline(&line, &size, stdin) > 0) {
            const char *number = strstr(line, "\\"id\\":");
            id = number ? atol(number + 5) : 0;
            int isScene = 0;
            if (strstr(line, "\\"method\\":\\"ping\\"")) act("ping");
            if (strstr(line, "\\"phase\\":\\"load\\"")) act("load");
            if (strstr(line, "\\"phase\\":\\"make\\"")) act("make");
            if (strstr(line, "\\"phase\\":\\"health\\"")) act("health");
            if (strstr(line, "\\"method\\":\\"open\\"")) { isScene = 1; act("open"); }
            if (strstr(line, "\\"method\\":\\"load\\"")) { isScene = 1; act("begin"); }
            if (strstr(line, "\\"method\\":\\"event\\"")) { isScene = 1; act("event"); }
            if (strstr(line, "\\"method\\":\\"event\\"") && strstr(line, "\\"press\\":\\"second\\"")) act("second");
            if (!id) { fflush(stdout); continue; }
            printf("{\\"jsonrpc\\":\\"2.0\\",\\"id\\":%ld,\\"result\\":{", id);
            if (isScene) {
                revision++;
                printf("\\"scene\\":1,\\"screen\\":{\\"title\\":\\"screen %ld\\"},\\"revision\\":%ld,\\"closed\\":false", revision, revision);
            }
            printf("}}\\n");
            fflush(stdout);
        }
        act("stop");
        return 0;
    }
    """)
