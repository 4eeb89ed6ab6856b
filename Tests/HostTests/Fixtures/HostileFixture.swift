import Foundation
import HostDriver

extension ModuleFixture {
    /// A module that performs one hostile action at one place. Both are stored in its bytes, so a compiled library can
    /// be patched to any variant. Each variant has its own digest.
    ///
    /// The action `strike` reaches the place `event` and counts how often execution continues. The action `away` opens
    /// a route that the manifest does not declare.
    static let hostile: ModuleFixture = {
        var fixture = ModuleFixture(
            "Hostile",
            """
            import ViperKit

            @c(viper_entry_v1_Hostile)
            public func hostileModule() -> UnsafeRawPointer {
                // A C function cannot throw, and what it leaves undone is told by nobody.
                try? strike("entry")
                return ModuleEntry.export(Hostile.self)
            }

            @_silgen_name("hostile_reach") func reach(_ place: UnsafePointer<CChar>) -> Int32

            struct Outrage: Error {}

            func strike(_ place: String) throws {
                switch reach(place) {
                case 1: throw Outrage()
                case 2: print("{\\"printed\\": true}")
                default: break
                }
            }

            final class Hostile: Module {
                init(services: any ServiceResolver) throws { try strike("making") }

                func checkHealth() async throws { try strike("health") }

                static func register(with registrar: Registrar<Hostile>) {
                    registrar.route("hostile") { module, request in try module.view(for: request) }
                }

                func view(for request: RouteRequest) throws -> any View {
                    try strike("opening")
                    return HostileView(request.navigator)
                }
            }

            final class HostileView: View {
                private(set) var screen = Screen(title: "Hostile")
                private let navigator: any Navigator
                private var count = 0

                init(_ navigator: any Navigator) {
                    self.navigator = navigator
                    screen.actions = [Action(id: "strike", title: "Strike"), Action(id: "away", title: "Away")]
                }

                func handle(_ event: Event) async {
                    if event == .press(action: "away") {
                        do {
                            try await navigator.open("hostile/undeclared", as: .push)
                        } catch {
                            screen.text = error.summary
                        }
                        return
                    }
                    try? strike("event")
                    count += 1
                    screen.text = "came through \\(count)"
                }
            }
            """)
        fixture.cSource = """
            #include <fcntl.h>
            #include <pthread.h>
            #include <signal.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/prctl.h>
            #include <sys/wait.h>
            #include <unistd.h>

            // PLACE, a space, DEED. Replaced in the compiled library; the compiler must not read it before.
            const volatile char hostile_act[64] = "\(placeholder)";

            int hostile_null(void) { return *(volatile int *)8; }
            // Asleep most of the time, to leave the processors to the other tests.
            void hostile_loop(void) {
                write(2, "loops\\n", 6);
                for (volatile int turns = 0;; turns++) if (turns % 200000 == 0) usleep(8000);
            }
            int hostile_recursion(int n) { volatile char room[4096]; room[n & 4095] = n; return hostile_recursion(n + 1) + room[7]; }
            void hostile_abort(void) { abort(); }
            // Slowly enough for whoever watches to look in time.
            void hostile_hog(void) { for (;;) { memset(malloc(1 << 20), 1, 1 << 20); usleep(200); } }
            void *hostile_later(void *unused) { usleep(100000); hostile_null(); return unused; }
            void hostile_thread(void) { pthread_t thread; pthread_create(&thread, 0, hostile_later, 0); }
            void hostile_leak(void) { for (int i = 0; i < 100; i++) open("/dev/null", O_RDONLY); }
            void hostile_write(void) { write(1, "written\\n", 8); }

            // Answers to the first calls of a connection, wherever that is.
            void hostile_answer(void) {
                char text[4096];
                int length = 0;
                for (int id = 0; id <= 40; id++)
                    length += sprintf(text + length, "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":%d,\\"result\\":{}}\\n", id);
                for (int descriptor = 0; descriptor <= 20; descriptor++) write(descriptor, text, length);
            }

            void hostile_close(void) { for (int i = 0; i < 3; i++) close(i); }
            // The child ends with the test's folder, and keeps nobody waiting for the end of an output.
            void hostile_fork(void) {
                if (fork()) return;
                hostile_close();
                char path[1024];
                snprintf(path, sizeof path, "%s/orphan", getenv("TMPDIR"));
                int file = open(path, O_WRONLY | O_CREAT, 0600);
                dprintf(file, "%d", getpid());
                while (!access(getenv("TMPDIR"), F_OK)) usleep(10000);
                _exit(0);
            }

            // Returns when the process is there that has no parent, a session of its own, and ignores every signal that it can.
            void hostile_escape(void) {
                pid_t child = fork();
                if (child) { waitpid(child, 0, 0); return; }
                setsid();
                prctl(PR_SET_NAME, "escaped");
                for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
                if (fork()) _exit(0);
                hostile_close();
                for (int i = 0; i < 600; i++) sleep(1);
                _exit(0);
            }

            // The host is this process, or the parent of a worker's supervisor.
            void hostile_kill(void) {
                char path[64], text[4096] = {0};
                snprintf(path, sizeof path, "/proc/%d/cmdline", getppid());
                read(open(path, O_RDONLY), text, sizeof text - 1);
                pid_t host = getpid();
                if (!strcmp(text + strlen(text) + 1, "supervise")) {
                    snprintf(path, sizeof path, "/proc/%d/stat", getppid());
                    read(open(path, O_RDONLY), text, sizeof text - 1);
                    sscanf(strrchr(text, ')'), ") %*c %d", &host);
                }
                kill(host, SIGKILL);
                for (;;) pause();
            }

            int hostile_reach(const char *place) {
                char act[64];
                for (int i = 0; i < 64; i++) act[i] = hostile_act[i];
                size_t length = strlen(place);
                if (strncmp(act, place, length) || act[length] != ' ') return 0;
                const char *deed = act + length + 1;
                if (!strcmp(deed, "null")) hostile_null();
                if (!strcmp(deed, "loop")) hostile_loop();
                if (!strcmp(deed, "recursion")) hostile_recursion(0);
                if (!strcmp(deed, "exit")) exit(0);
                if (!strcmp(deed, "abort")) hostile_abort();
                if (!strcmp(deed, "thread")) hostile_thread();
                if (!strcmp(deed, "hog")) hostile_hog();
                if (!strcmp(deed, "leak")) hostile_leak();
                if (!strcmp(deed, "write")) hostile_write();
                if (!strcmp(deed, "answer")) hostile_answer();
                if (!strcmp(deed, "close")) hostile_close();
                if (!strcmp(deed, "fork")) hostile_fork();
                if (!strcmp(deed, "kill")) hostile_kill();
                if (!strcmp(deed, "escape")) hostile_escape();
                if (!strcmp(deed, "flee")) { hostile_escape(); hostile_null(); }
                // The Swift module does these.
                if (!strcmp(deed, "throw")) return 1;
                if (!strcmp(deed, "print")) return 2;
                return 0;
            }

            __attribute__((constructor)) void hostile_initialise(void) { hostile_reach("initialiser"); }
            """
        return fixture
    }()

    // Long enough for a place and an action with the terminating null.
    private static let placeholder = "nowhere nothing" + String(repeating: ".", count: 40)

    /// Returns the library that performs an action at a place.
    static func hostile(_ deed: String, in place: String) async throws -> Data {
        var bytes = try Data(contentsOf: URL(filePath: await hostile.compiled()))
        guard let range = bytes.range(of: Data(placeholder.utf8)) else { throw CocoaError(.fileReadCorruptFile) }
        var act = Data("\(place) \(deed)".utf8)
        act.append(Data(count: range.count - act.count))
        bytes.replaceSubrange(range, with: act)
        return bytes
    }
}

extension ManifestText {
    static var hostile: ManifestText { ManifestText("hostile", library: "libHostile.so", routes: ["hostile"]) }
}
