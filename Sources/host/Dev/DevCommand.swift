import Glibc
import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit
import ViperRuntime

/// `host dev DIR ROUTE`: builds a module after each save and shows one of its routes.
///
/// Each build gets a new host. The module runs in a separate process if possible. If the module crashes there, the
/// command shows the error, and the next save starts another build.
struct DevCommand {
    let options: Options

    init(options: Options) throws(ViperError) {
        var options = options
        // The path must be absolute, because a module in this process may change the working folder between builds.
        options.operands[0] = try absolute(options.operands[0])
        self.options = options
    }

    func output() async throws -> String {
        let configuration = try options.configuration()
        let saves = try SourceWatcher(
            of: options.operands[0], in: configuration.root.real, logger: configuration.logger)
        // If the reader of the output exits, the host must still stop the module.
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals { saves.end(because: $0) }
        repeat {
            // Start watching before the build, so that a save during the build triggers another build.
            saves.watch()
            do {
                try await saves.work { try await buildAndShow() }
            } catch let error as ViperError where error.code != .outputFailed {
                // After a signal or another save, the error is out of date.
                if saves.signal == nil, !saves.haveCome { try Self.tell("host: \(printable(error))") }
            }
            if saves.signal == nil, !saves.haveCome { try Self.tell("waiting for the next save") }
        } while await saves.next()
        withExtendedLifetime(signals) {}
        if let number = saves.signal { LogOutput.exit(128 + number) }
        return ""
    }

    private func buildAndShow() async throws {
        let built = try await BuildCommand(options: options, isOptimized: false).output()
        try Terminal.write(built, to: STDERR_FILENO)
        let host = try liveHost()
        do { try await show(in: host) } catch {
            await host.shutDown()
            throw error
        }
        await host.shutDown()
    }

    private func liveHost() throws(ViperError) -> ViperHost {
        var configuration = try options.configuration()
        configuration.isLive = true
        // Show what the module prints. The output of a worker is logged at level `info`, so the minimum level for
        // modules is at most `info`.
        let minimum = configuration.logger.minimum
        configuration.logger = LineLogger(
            source: "host", minimum: minimum, modules: min(.info, minimum), write: Self.withoutReports())
        let source = try ModuleSource(in: options.operands[0], root: configuration.root)
        // A module that provides services must run in the same process as the modules that use them.
        if source.manifest.provides.isEmpty { configuration.settings.isolated.insert(source.manifest.name) }
        return try ViperHost(configuration)
    }

    @MainActor
    private func show(in host: ViperHost) async throws {
        let window = Window(router: host.router)
        defer { window.closeAll() }
        try await window.open(options.operands[1], texts: options.parameters)
        for event in options.events { try await window.handle(event) }
        try Terminal.write(options.text(of: window.screen), to: STDOUT_FILENO)
    }

    /// Returns a function that prints all lines except for Swift's crash reports, which are longer than the host's own
    /// error message about a crash.
    private static func withoutReports() -> @Sendable (String) -> Void {
        let isReporting = Mutex(false)
        return { line in
            let isReport = isReporting.withLock { isReporting in
                if line.contains(": *** Signal ") || line.contains(": *** Program crashed: ") { isReporting = true }
                defer { if line.contains(": Backtrace took ") { isReporting = false } }
                // Also drop blank lines, because they surround the report.
                return isReporting || line.hasSuffix(": ")
            }
            if !isReport { try? tell(line) }
        }
    }

    private static func tell(_ text: String) throws(ViperError) {
        try Terminal.write(text + "\n", to: STDERR_FILENO)
    }
}
