public import HostDriver

extension ModuleFixture {
    /// Returns a module that opens its socket when there is a file `open` in the temporary folder, and accepts connections when
    /// there is a file `accept`.
    ///
    /// - Parameter run: Code to run first.
    public static func listener(_ run: String = "") -> ModuleFixture {
        ModuleFixture(
            "Listener",
            """
            import Glibc
            import ViperKit

            @c(viper_entry_v1_Listener)
            public func listenerModule() -> UnsafeRawPointer { ModuleEntry.export(Listener.self) }

            struct Fault: Error {}

            final class Listener: Module {
                let sockets: any ListeningSockets
                init(services: any ServiceResolver) throws { sockets = try services.resolve(.listeningSockets) }
                static func register(with registrar: Registrar<Listener>) {}
                nonisolated func run() async throws {
                    \(run)
                    try await wait(for: "open")
                    let socket = try sockets.socket(at: "127.0.0.1:0")
                    try await wait(for: "accept")
                    while !Task.isCancelled {
                        let client = accept(socket.descriptor, nil, nil)
                        if client >= 0 { close(client) }
                        try await Task.sleep(for: .milliseconds(5))
                    }
                }
                nonisolated func wait(for name: String) async throws {
                    let path = String(cString: getenv("TMPDIR")) + "/" + name
                    while access(path, F_OK) != 0 { try await Task.sleep(for: .milliseconds(5)) }
                }
            }
            """)
    }
}

extension ManifestText {
    /// The manifest of ``ModuleFixture/listener(_:)``.
    public static var listener: Self {
        var manifest = Self("listener", library: "libListener.so", routes: [])
        (manifest.requires, manifest.runs) = (["listening-sockets"], "true")
        return manifest
    }
}
