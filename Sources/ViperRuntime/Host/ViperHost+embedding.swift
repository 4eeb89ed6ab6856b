import HostSystem
import ModuleCatalog
import ModuleRuntime
public import ViperKit

// The interface for programs that contain a host. The other layers have no public declarations.

extension ViperHost {
    /// Starts a host that serves the modules of a root in this process. The host follows the changes of the root until
    /// ``shutDown()`` is called.
    ///
    /// - Parameters:
    ///   - root: The root's path. It is the folder that contains `Manifests` and `Plugins`, and `host.json` if there are
    ///     settings.
    ///   - program: The path of the program `host` of the same version. It tries each library before this process loads
    ///     it, and runs isolated modules.
    ///   - log: A closure that receives each line of the log. It may be called on any thread.
    /// - Throws: `root-missing`, `setting-invalid`, `folder-unreadable`, `path-untrusted`, or `program-failed` if
    ///   `program` is missing or another program.
    public static func start(
        root: String, program: String, log: @escaping @Sendable (String) -> Void
    ) async throws(ViperError) -> ViperHost {
        let program = try absolute(program)
        try await check(program)
        return try await BlockingWork.run { () throws(ViperError) in
            var configuration = Configuration(root: try Root.find(given: root, by: "the program", environment: [:]))
            configuration.settings = try Settings(reading: configuration.root)
            configuration.logger = LineLogger(source: "host", minimum: .info, write: log)
            configuration.workerProgram = program
            configuration.isLive = true
            configuration.libraryTimeout = .seconds(1)
            let host = try ViperHost(configuration)
            host.follow()
            host.startRuns()
            return host
        }
    }

    /// Throws an error unless a program is `host` with the same version of ViperKit. Otherwise, each library would seem to
    /// have ended its worker.
    private static func check(_ program: String) async throws(ViperError) {
        var version = Subprocess(program, ["--version"])
        (version.output, version.timeLimit) = (.captured(limit: 1_000), .seconds(10))
        let result = try await version.run()
        let text = String(decoding: result.output, as: UTF8.self)
        if text.hasPrefix("host "), text.hasSuffix(" (ViperKit \(SDK.version))\n") { return }
        throw ViperError(
            .programFailed, operation: "cannot use program", subject: program,
            cause: result.ending.termination(of: program) ?? "it is not the program host with ViperKit \(SDK.version)",
            fix: "give the path of the program host, built from the same sources")
    }

    /// The windows, by which this program opens routes. The windows of modules are among them.
    public var windows: any Windows { modules.windows }

    /// The modules with their states, errors and routes.
    public var moduleRegistry: any ModuleRegistry { modules.reader }

    /// Returns a screen as `host run` prints it, without colours.
    public static func text(of screen: Screen) -> String {
        TextRenderer(style: TextStyle(isColoured: false)).render(screen)
    }
}
