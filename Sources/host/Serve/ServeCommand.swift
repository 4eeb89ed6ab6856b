import Dispatch
import FoundationEssentials
import Glibc
import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host serve`: serves routes to other programs until it is stopped.
struct ServeCommand: Command {
    /// The path of the socket. If nil, the standard path is used.
    var socket: String?
    /// True to serve a single client on standard input and output.
    var isAtStandardIO = false
    /// True to read the root once, and to load libraries without probing them in another process.
    var isAsIs = false
    /// True to check the settings and options, and to serve nothing.
    var checksOnly = false
    var logsJSON = false
    var limits = Limits()
    var host = HostOptions()

    static let name = "serve"
    static let summary = "Serve routes to other programs"
    static let example = "serve --socket ~/host.sock"
    static let options =
        [
            Option(
                "--socket", value: "PATH", summary: "Listen on this socket",
                fallback:
                    "$XDG_RUNTIME_DIR/viper-host.sock, or a private folder in $TMPDIR if other users can change that"
            ) { $0.socket = $1 },
            Option("--stdio", summary: "Serve one client on standard input and output") { $0.isAtStandardIO = true },
            Option("--as-is", summary: "Read the root once, and load libraries without probing them in another process")
            {
                $0.isAsIs = true
            }.hidden(),
            Option("--owner", value: "UID", summary: "Also trust the files of this user", isRepeatable: true) {
                command, text throws(ViperError) in
                guard let owner = UInt32(text) else {
                    throw invalidArgument(
                        "--owner \(text)", "expected a user ID", fix: "write the number that id -u prints")
                }
                command.host.root.owners.insert(owner)
            }.hidden(),
            Option("--limit", pair: "NAME=VALUE", summary: "Set a limit, see LIMITS") {
                command, name, number throws(ViperError) in
                guard let expectation = Limits.expectation(of: name) else {
                    throw invalidArgument(
                        "--limit \(name)=\(number)", "unknown limit",
                        fix: "write one of \(Limits.names.joined(separator: ", "))")
                }
                if command.limits.set(name, to: number) { return }
                throw invalidArgument(
                    "--limit \(name)=\(number)", "expected \(expectation)",
                    fix: "write a number such as \(name == "time" ? "30" : "1000")")
            },
            Option("--check-config", summary: "Check the settings, options and modules that run, and serve nothing") {
                $0.checksOnly = true
            },
            Option("--log-format", value: "text|json", summary: "Write the log as text, or each line as JSON") {
                command, text throws(ViperError) in
                guard ["text", "json"].contains(text) else {
                    throw invalidArgument("--log-format \(text)", "unknown format", fix: "write text or json")
                }
                command.logsJSON = text == "json"
            },
            HostOptions.isolate.at(\Self.host), HostOptions.start.at(\Self.host),
        ] + HostOptions.common.map { $0.at(\.host) }

    var threads: Int { isWorker ? 8 : 16 }

    /// True if another host has started this one to run a module.
    var isWorker: Bool { isAsIs && isAtStandardIO }

    func check() throws(ViperError) {
        if isAtStandardIO, socket != nil {
            throw invalidArgument("--socket", "it cannot be combined with --stdio", fix: "remove one of them")
        }
    }

    /// The time in which modules must stop after the last call, at most.
    private static let stopTime = Duration.seconds(5)
    /// The time within which a host on standard input and output must exit after its client disconnects. Such a host is
    /// usually a worker, and its parent host may have crashed.
    private static let timeout = Duration.seconds(2)

    func output() async throws -> String {
        if logsJSON { LogOutput.writeJSON() } else if !checksOnly { LogOutput.addTimesInFile() }
        if checksOnly { return try await checkConfiguration() }
        let inherited = isAtStandardIO ? (sockets: [:], closed: 0) : InheritedSockets.take()
        if inherited.closed > 0 {
            let closed = counted(inherited.closed, "descriptor")
            Self.tell("warning: closed \(closed) of the service manager, because no module can use them")
        }
        ServiceManager.adopt()
        // A client that disconnects must not end the process.
        signal(SIGPIPE, SIG_IGN)
        // Reserve the descriptors before any other code can print.
        let client = isAtStandardIO ? try StandardIO.take() : nil
        let configuration = try configuration(inherited.sockets)
        let host = try ViperHost(configuration)
        await host.handleCrashes(configuration)
        let end = try ShutdownLimit(of: host)
        var limits = limits
        // A worker's client is its host, which reads at once what belongs to all of its clients.
        if isAsIs, isAtStandardIO { limits.unsent = .max }
        let server = Server(host, limits: limits, log: Self.tell)
        // Handle signals before any module is loaded, so that a signal always removes the host's folder.
        let stored = try Settings(reading: configuration.root)
        let rescan: @Sendable () -> Void = {
            Self.tellChange(of: stored, in: configuration.root, configuration.logger)
            Task { await host.rescan() }
        }
        try Signals.handle(rescan: rescan, atOnce: { host.removeFolder() }) {
            [time = limits.time, isWorker] number in
            if isWorker { EndingSignal.note(number) }
            // Running calls may take as long as the time limit for one call, plus a second in which their answers are
            // read. The limit is set first, because the next calls may wait for a lock.
            let limit = time + .seconds(1) + min(time, Self.stopTime)
            end.limit(to: limit)
            ServiceManager.notify("STOPPING=1")
            host.beginEnding()
            Self.tell(
                "shutting down; waits up to \(time.inSeconds) for running calls, and exits within \(limit.inSeconds)")
            server.drain()
        }
        Signals.keep(after: host.registry.changes(keeping: .bufferingNewest(1)))
        if !isAsIs { host.follow() }
        let file: ServingFile?
        if let client {
            server.serve(reading: client.reading, writing: client.writing) { end.limit(to: Self.timeout) }
            file = serving(configuration, at: nil)
        } else {
            let path =
                try socket.map { try SocketPath($0) }
                ?? SocketPath.standard(ProcessInfo.processInfo.environment, host.trust)
            file = serving(configuration, at: path)
            do throws(ViperError) { try server.listen(at: path) { file?.restore() } } catch {
                file?.remove()
                throw error
            }
            Self.tell("serving on \(path.path)")
        }
        // The worker's host starts the work in a worker.
        if !isWorker { host.startRuns() }
        let readiness = isAtStandardIO ? nil : Task { await Self.tellReady(host) }
        await server.ended()
        readiness?.cancel()
        await host.shutDown()
        file?.remove()
        LogOutput.flush(within: .seconds(1))
        EndingSignal.endProcess()
        return ""
    }

    /// Tells the service manager that clients can reach the modules, and names its sockets at which nobody answers.
    private static func tellReady(_ host: ViperHost) async {
        await host.waitForSockets()
        if host.isEnding { return }
        ServiceManager.notify("READY=1")
        for address in host.unusedSockets {
            tell(
                "warning: no module uses the socket \(address) of the service manager, so its clients wait without an answer; "
                    + "set this address in host.json, or remove it from the unit of the socket")
        }
    }

    /// Writes the file that names this host to commands on the same root.
    private func serving(_ configuration: ViperHost.Configuration, at socket: SocketPath?) -> ServingFile? {
        if isAsIs { return nil }
        do throws(ViperError) {
            let environment = ProcessInfo.processInfo.environment
            let folder = try ServingFile.folder(environment)
            // A host with a socket at another path may be the first one that needs the folder.
            if folder == (try SocketPath.standardFolder(environment)) { _ = try SocketPath.standard(environment) }
            return try ServingFile(of: configuration.root, state: configuration.state.path, at: socket, in: folder)
        } catch {
            configuration.logger.log(
                .warning, "commands on this root cannot find the quarantine of this host: \(error.summary)")
            return nil
        }
    }

    private func checkConfiguration() async throws -> String {
        let host = try ViperHost(configuration())
        _ = try socket.map { path throws(ViperError) in try SocketPath(path) }
        if let error = host.startError { throw error }
        let findings = await host.findingsOfSettings()
        await host.shutDown()
        if findings.isEmpty { return "The settings and options are valid\n" }
        try Terminal.write(findings.map { $0.text + "\n" }.joined(separator: "\n"), to: STDOUT_FILENO)
        throw ViperError(
            .checkFailed, operation: "cannot accept", subject: "the settings and options",
            cause: counted(findings.count, "problem"))
    }

    private func configuration(_ sockets: [String: Int32] = [:]) throws(ViperError) -> ViperHost.Configuration {
        // A serving host logs changes to its modules. The host of a worker filters its module's messages again.
        var configuration = try host.configuration(logging: isAsIs ? .warning : .info, modules: .info)
        configuration.inheritedSockets = sockets
        configuration.isWorker = isAsIs
        configuration.usesIndex = !isAsIs
        if isAsIs { return configuration }
        configuration.callLimit = limits.time
        configuration.isLive = true
        // One second is long enough for a program to close a library that it has finished writing, or for a new child
        // process to close the descriptors that it inherited.
        configuration.libraryTimeout = .seconds(1)
        return configuration
    }

    /// Logs a warning if `host.json` has changed since the host started, and an error if it is invalid.
    private static func tellChange(of stored: Settings, in root: Root, _ logger: LineLogger) {
        do throws(ViperError) {
            // The modules that it disables count at once.
            var settings = try Settings(reading: root)
            settings.disabled = stored.disabled
            if settings == stored { return }
            logger.log(.warning, "host.json has changed; it takes effect at the next start")
        } catch {
            logger.log(.error, "\(error.summary); the host keeps the settings of its start")
        }
    }

    @Sendable
    private static func tell(_ line: String) { LogOutput.write("host: \(line)") }
}
