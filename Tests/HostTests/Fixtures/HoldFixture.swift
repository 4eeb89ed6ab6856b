import HostDriver

extension ModuleFixture {
    /// A module that affects its environment once it is loaded, and then uses pages of its library that were never
    /// touched.
    ///
    /// - `hold/shrink`, `hold/overwrite`, `hold/remove`: changes the file at `$HOLD`.
    /// - `hold/wait`: waits until a byte is written to the named pipe `$HOLD`.
    /// - `hold/die`: kills its own process.
    static let hold: ModuleFixture = {
        var fixture = ModuleFixture(
            "Hold",
            """
            import Glibc
            import ViperKit

            @c(viper_entry_v1_Hold)
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(Hold.self) }

            @_silgen_name("hold_sum") func sumOfPages() -> Int

            final class Hold: Module {
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<Hold>) {
                    for route in ["hold/shrink", "hold/overwrite", "hold/remove", "hold/wait", "hold/die"] {
                        registrar.route(route) { module, request in module.view(for: request) }
                    }
                }

                func view(for request: RouteRequest) -> any View { HoldView(request.route) }
            }

            final class HoldView: View {
                private(set) var screen = Screen(title: "Held")
                private let route: String

                init(_ route: String) { self.route = route }

                func load() async {
                    let path = getenv("HOLD").map { String(cString: $0) } ?? ""
                    let result: Int32 =
                        switch route {
                        case "hold/shrink": truncate(path, 0)
                        case "hold/overwrite": overwrite(path)
                        case "hold/remove": unlink(path)
                        case "hold/wait": wait(for: path)
                        default: kill(getpid(), SIGKILL)
                        }
                    screen.text = "result \\(result), sum \\(sumOfPages())"
                }
            }

            /// Writes other bytes over the file, in place.
            func overwrite(_ path: String) -> Int32 {
                let file = open(path, O_WRONLY)
                let size = Int(lseek(file, 0, SEEK_END))
                let noise = [UInt8](repeating: 0xCC, count: size)
                let written = pwrite(file, noise, size, 0)
                close(file)
                return written == size ? 0 : 1
            }

            func wait(for path: String) -> Int32 {
                let pipe = open(path, O_RDONLY)
                var byte: UInt8 = 0
                let count = read(pipe, &byte, 1)
                close(pipe)
                return count == 1 ? 0 : 1
            }
            """)
        // A mebibyte of untouched pages, which are read from the library's file at first use.
        fixture.cSource = """
            const unsigned char hold_pages[1 << 20] = { [0] = 7, [1 << 19] = 11, [(1 << 20) - 1] = 23 };
            long hold_sum(void) {
                long sum = 0;
                for (long i = 0; i < 1 << 20; i++) sum += ((const volatile unsigned char *)hold_pages)[i];
                return sum;
            }
            """
        return fixture
    }()
}

extension ManifestText {
    static var hold: ManifestText {
        ManifestText(
            "hold", library: "libHold.so",
            routes: ["hold/shrink", "hold/overwrite", "hold/remove", "hold/wait", "hold/die"])
    }
}
