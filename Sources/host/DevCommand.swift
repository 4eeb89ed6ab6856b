import Glibc
import Synchronization
import ViperKit
import ViperRuntime

/// `host dev DIR ROUTE`: builds a module at each save, and shows a route of it anew.
///
/// Each time a host is made for it and ended again, and the module runs in a process of its own, as far as it can: what crashes
/// there is shown, and mended at the next save.
struct DevCommand {
    let options: Options

    init(options: Options) throws(ViperError) {
        var options = options
        // A module that runs in this process may change the working folder between two builds.
        options.operands[0] = try absolute(options.operands[0])
        self.options = options
    }

    func output() async throws -> String {
        let configuration = try options.configuration()
        let saves = try Saves(of: options.operands[0], in: configuration.root.real, logger: configuration.logger)
        // A reader that leaves early shall not keep the host from ending the module.
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals { saves.end(because: $0) }
        repeat {
            // Before the build, so that what is saved meanwhile is built next.
            saves.watch()
            do {
                try await saves.work { try await buildAndShow() }
            } catch let error as ViperError where error.code != .outputFailed {
                // Who has ended it has heard enough, and of what was saved meanwhile the error says nothing. What is wrong is mended by
                // the next save.
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
        // What the module prints is what its author wants to see; from its process it comes so.
        let minimum = configuration.logger.minimum
        configuration.logger = LineLogger(
            source: "host", minimum: minimum, modules: min(.info, minimum), write: Self.withoutReports())
        let source = try ModuleSource(in: options.operands[0], root: configuration.root)
        // What others use has to be where they are.
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

    /// Tells lines, but for Swift's own reports of crashes: the error that comes of one says it shorter.
    private static func withoutReports() -> @Sendable (String) -> Void {
        let isReporting = Mutex(false)
        return { line in
            let isReport = isReporting.withLock { isReporting in
                if line.contains(": *** Signal ") || line.contains(": *** Program crashed: ") { isReporting = true }
                defer { if line.contains(": Backtrace took ") { isReporting = false } }
                // Before and after it is a blank line.
                return isReporting || line.hasSuffix(": ")
            }
            if !isReport { try? tell(line) }
        }
    }

    private static func tell(_ text: String) throws(ViperError) {
        try Terminal.write(text + "\n", to: STDERR_FILENO)
    }
}
