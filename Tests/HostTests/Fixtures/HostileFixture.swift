import Foundation
import TestSupport

extension ModuleFixture {
    /// A module that does one hostile deed in one place. Both stand in its bytes, so that one compiled library becomes any of them, each
    /// with a digest of its own.
    ///
    /// `press strike` reaches the place `event`, and says how often it came through; `press away` opens a route that its manifest does
    /// not declare.
    static let hostile: ModuleFixture = {
        var fixture = ModuleFixture(
            "Hostile",
            """
            import ViperKit

            @c(viper_module_v1_Hostile)
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

            final class Hostile: RoutedModule {
                init(services: any ServiceResolver) throws { try strike("making") }

                func checkHealth() async throws { try strike("health") }

                // Any route, also one that the manifest does not declare.
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
                            try await navigator.push("hostile/undeclared", parameters: [:])
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
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>

            // PLACE, a space, DEED. Replaced in the compiled library; the compiler must not read it before.
            const volatile char hostile_act[64] = "\(placeholder)";

            int hostile_null(void) { return *(volatile int *)8; }
            void hostile_loop(void) { for (volatile int turns = 0;; turns++) {} }
            int hostile_recursion(int n) { volatile char room[4096]; room[n & 4095] = n; return hostile_recursion(n + 1) + room[7]; }
            void hostile_abort(void) { abort(); }
            // Slowly enough for whoever watches to look in time.
            void hostile_hog(void) { for (;;) { memset(malloc(1 << 20), 1, 1 << 20); usleep(200); } }
            void *hostile_later(void *unused) { usleep(100000); hostile_null(); return unused; }
            void hostile_thread(void) { pthread_t thread; pthread_create(&thread, 0, hostile_later, 0); }
            void hostile_leak(void) { for (int i = 0; i < 100; i++) open("/dev/null", O_RDONLY); }
            void hostile_write(void) { write(1, "written\\n", 8); }

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
                // What Swift does.
                if (!strcmp(deed, "throw")) return 1;
                if (!strcmp(deed, "print")) return 2;
                return 0;
            }

            __attribute__((constructor)) void hostile_initialise(void) { hostile_reach("initialiser"); }
            """
        return fixture
    }()

    // Fits what a place and a deed take, with the null that ends them.
    private static let placeholder = "nowhere nothing" + String(repeating: ".", count: 40)

    /// The library that does this deed in this place.
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
