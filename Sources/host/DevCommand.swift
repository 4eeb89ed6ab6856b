import FoundationEssentials
import Glibc
import Synchronization
import ViperKit
import ViperRuntime

/// `host dev DIR ROUTE`: builds a module at each save, and shows a route of it anew.
///
/// The module runs in a process of its own, as far as it can: what crashes there is shown, and mended at the next save.
struct DevCommand {
    let options: Options

    func output() async throws -> String {
        let watching = Watching()
        let signals = Signals { number in watching.end(number) }
        var host: ViperHost?
        repeat {
            // Before the build, so that what is saved meanwhile is built next.
            watching.begin(try folders())
            do {
                let built = try await BuildCommand(options: options, isOptimized: false).output()
                try Terminal.write(built, to: STDERR_FILENO)
                if let host { await host.rescan() } else { host = try liveHost() }
                if let host { try await show(in: host) }
            } catch let error as ViperError where error.code != .outputFailed {
                // What is wrong is mended by the next save.
                try Terminal.write(printableLines("host: \(error)\n"), to: STDERR_FILENO)
            }
            try Terminal.write("waiting for the next save\n", to: STDERR_FILENO)
        } while await watching.next()
        await host?.shutDown()
        withExtendedLifetime(signals) {}
        if let number = watching.signal { exit(128 + number) }
        return ""
    }

    private func liveHost() throws(ViperError) -> ViperHost {
        var configuration = try options.configuration()
        configuration.isLive = true
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
        switch options.format {
        case .text:
            try Terminal.write(TextRenderer(style: Terminal.style).render(window.screen), to: STDOUT_FILENO)
        case .json: try Terminal.write(renderJSON(window.screen), to: STDOUT_FILENO)
        }
    }

    /// The folder of the source, and all below it.
    private func folders() throws(ViperError) -> [String] {
        guard let source = resolved(options.operands[0]), isFolder(source) else {
            throw ViperError(
                .sourceMissing, "cannot build", options.operands[0], cause: "there is no such folder",
                mend: "name a package, or a folder with Swift files and a manifest")
        }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: source)) ?? []
        let below = names.filter { !$0.hasPrefix(".") && !$0.contains("/.") && isFolder("\(source)/\($0)") }
        return [source] + below.map { "\(source)/\($0)" }
    }

    /// What waits for the next save, or for the end.
    private final class Watching: Sendable {
        private let state = Mutex<(watcher: Watcher?, signal: Int32?)>((nil, nil))

        var signal: Int32? { state.withLock { $0.signal } }

        func begin(_ folders: [String]) {
            let watcher = Watcher(folders: folders, logger: LineLogger(source: "host", minimum: .warning) { _ in })
            let earlier = state.withLock { state in
                defer { state.watcher = watcher }
                return state.watcher
            }
            earlier?.stop()
        }

        /// Whether something was saved; else it is over.
        func next() async -> Bool {
            let (watcher, signal) = state.withLock { $0 }
            guard signal == nil, let watcher else { return false }
            return await watcher.next() != nil
        }

        func end(_ number: Int32) {
            let watcher = state.withLock { state in
                state.signal = number
                return state.watcher
            }
            watcher?.stop()
        }
    }
}
