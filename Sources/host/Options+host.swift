import FoundationEssentials
import ViperKit
import ViperRuntime

extension Options {
    /// The host that these options describe.
    func makeHost() throws(ViperError) -> ViperHost { try ViperHost(configuration()) }

    /// A host that these options describe, and that lives with its root.
    ///
    /// - Parameter callLimit: How long a call of a module in a process of its own may take.
    func makeLiveHost(callLimit: Duration) throws(ViperError) -> ViperHost {
        var configuration = try configuration()
        configuration.callLimit = callLimit
        configuration.isLive = true
        // Enough for a program that is about to close a library, and for a child that has not yet closed what it inherited.
        configuration.libraryPatience = .seconds(1)
        return try ViperHost(configuration)
    }

    /// What that host is made of.
    func configuration() throws(ViperError) -> ViperHost.Configuration {
        let environment = ProcessInfo.processInfo.environment
        // Who serves wants to know what becomes of the modules; what these say besides is as elsewhere.
        let usual = command == .serve && !isAsIs ? LogLevel.info : .warning
        let (minimum, modules) = isVerbose ? (LogLevel.debug, LogLevel.debug) : (usual, .warning)
        let logger = LineLogger(source: "host", minimum: minimum, modules: modules, write: LogOutput.write)
        var configuration = ViperHost.Configuration(root: try findRoot(logger, environment))
        configuration.logger = logger
        configuration.settings = try Settings(reading: configuration.root)
        let folders = settings.dataFolders + configuration.settings.dataFolders
        for folder in folders where !isFolder(folder) {
            throw ViperError(
                .dataFolderMissing, "cannot use --data", folder, cause: "it is no folder",
                mend: "name a folder that holds the files")
        }
        configuration.settings.dataFolders = folders
        configuration.settings.stateFolder = settings.stateFolder ?? configuration.settings.stateFolder
        configuration.settings.providers.merge(settings.providers) { $1 }
        configuration.settings.values += settings.values
        configuration.settings.isolated.formUnion(settings.isolated)
        configuration.isWorker = isAsIs
        return configuration
    }

    /// The root that these options name, or that is found.
    func findRoot(
        _ logger: LineLogger = LineLogger(source: "host", minimum: .warning, write: LogOutput.write),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ViperError) -> Root {
        let enforcement: Trust.Enforcement = trustsPermissions ? .warn(TrustWarnings(logger)) : .refuse
        let found = try Root.find(given: root, environment: environment, enforcement, owners: owners)
        for folder in found.passed {
            logger.log(.warning, "\(folder) is passed over, as a link or of another user; name a root with --root")
        }
        return found
    }
}
