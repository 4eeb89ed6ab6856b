import Glibc
import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host dev DIR [ROUTE]`: builds a module after each save and shows one of its routes.
///
/// Each build gets a new host. The module runs in a separate process if possible. If the module crashes there, the
/// command shows the error, and the next save starts another build.
struct DevCommand: Command {
    var folder = ""
    /// The route's name. Nil for the start route.
    var route: String?
    /// The values of the route's parameters.
    var texts: [String: [String]] = [:]
    var events = SceneEvents()
    var host = HostOptions()
    var format = Format.text

    static let name = "dev"
    static let summary = "Build a module after each save and show a route"
    static let example = "dev todo-list todo-list"
    static let operands = [Operand("DIR", \Self.folder), Operand("ROUTE", \Self.route)]
    static let parameters: (any WritableKeyPath<Self, [String: [String]]> & Sendable)? = \Self.texts
    static let options =
        SceneEvents.options.map { $0.at(\Self.events) } + HostOptions.common.map { $0.at(\.host) }
        + [HostOptions.start.at(\.host), Format.option.at(\.format)]
    static let details =
        """
        DIR is a package or folder as for host build. The module runs in its own process, unless it provides \
        services. If it crashes there, the host shows the error and waits for the next save. --fill, --press and \
        --select act on the screen after each build, in the given order. Ctrl-C ends the command.
        """

    func output() async throws -> String {
        let configuration = try host.configuration()
        // The path must be absolute, because a module in this process may change the working folder between builds.
        let folder = try absolute(folder)
        let saves = try SourceWatcher(
            of: folder, in: configuration.root.real, logger: configuration.logger)
        // If the reader of the output exits, the host must still stop the module.
        signal(SIGPIPE, SIG_IGN)
        try Signals.handle { saves.end(because: $0) }
        repeat {
            // Start watching before the build, so that a save during the build triggers another build.
            saves.watch()
            do {
                try await saves.work { try await buildAndShow(folder) }
            } catch let error as ViperError where error.code != .outputFailed {
                // After a signal or another save, the error is out of date.
                if saves.signal == nil, !saves.haveCome {
                    try Terminal.write(ErrorReport(error: error).text, to: STDERR_FILENO)
                }
            }
            if saves.signal == nil, !saves.haveCome { try Self.tell("waiting for the next save") }
        } while await saves.next()
        if let number = saves.signal { LogOutput.exit(128 + number) }
        return ""
    }

    private func buildAndShow(_ folder: String) async throws {
        let built = try await BuildCommand(folder: folder, root: host.root).output()
        try Terminal.write(built, to: STDERR_FILENO)
        let host = try liveHost(for: folder)
        do { try await show(in: host) } catch {
            await host.shutDown()
            throw error
        }
        await host.shutDown()
    }

    private func liveHost(for folder: String) throws(ViperError) -> ViperHost {
        // The output of a worker is logged at level `info`.
        var configuration = try host.configuration(modules: .info)
        configuration.isLive = true
        let source = try ModuleSource(in: folder, root: configuration.root)
        // A module that provides services must run in the same process as the modules that use them.
        if source.manifest.provides.isEmpty { configuration.settings.isolated.insert(source.manifest.name) }
        return try ViperHost(configuration)
    }

    @MainActor
    private func show(in host: ViperHost) async throws {
        let window = Window(router: host.router)
        defer { window.closeAll() }
        try await window.open(route ?? "", texts: texts)
        for event in events.all { try await window.handle(event) }
        try Terminal.write(format.text(of: window.screen), to: STDOUT_FILENO)
    }

    private static func tell(_ text: String) throws(ViperError) {
        try Terminal.write(text + "\n", to: STDERR_FILENO)
    }
}
