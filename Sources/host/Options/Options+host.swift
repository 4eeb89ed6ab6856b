import FoundationEssentials
import HostSystem
import ModuleCatalog
import ViperKit
import ViperRuntime

extension Options {
    func makeHost() throws(ViperError) -> ViperHost { try ViperHost(configuration()) }

    /// Creates a host that applies changes in its root while it is running.
    ///
    /// - Parameter callLimit: The time limit for a call to an isolated module.
    func makeLiveHost(callLimit: Duration) throws(ViperError) -> ViperHost {
        var configuration = try configuration()
        configuration.callLimit = callLimit
        configuration.isLive = true
        // One second is long enough for a program to close a library that it has finished writing, or for a new child
        // process to close the descriptors that it inherited.
        configuration.libraryTimeout = .seconds(1)
        return try ViperHost(configuration)
    }

    func configuration() throws(ViperError) -> ViperHost.Configuration {
        // A serving host logs changes to its modules. The minimum level for messages from modules is the same as in
        // other hosts.
        let usual = command == .serve && !isAsIs ? LogLevel.info : .warning
        let (minimum, modules) = isVerbose ? (LogLevel.debug, LogLevel.debug) : (usual, .warning)
        let logger = LineLogger(source: "host", minimum: minimum, modules: modules, write: LogOutput.write)
        var configuration = ViperHost.Configuration(root: try findRoot(logger))
        configuration.logger = logger
        configuration.settings = try Settings(reading: configuration.root)
        let folders = settings.dataFolders + configuration.settings.dataFolders
        for folder in folders where !isFolder(folder) {
            throw ViperError(
                .dataFolderMissing, operation: "cannot use --data", subject: folder, cause: "it is not a folder",
                fix: "give the folder that contains the files")
        }
        configuration.settings.dataFolders = folders
        configuration.settings.stateFolder = settings.stateFolder ?? configuration.settings.stateFolder
        configuration.settings.providers.merge(settings.providers) { $1 }
        configuration.settings.values += settings.values
        configuration.settings.isolated.formUnion(settings.isolated)
        configuration.isWorker = isAsIs
        configuration.usesIndex = !isAsIs
        return configuration
    }

    /// Returns the root that the options specify. If they specify no root, searches for one.
    func findRoot(
        _ logger: LineLogger = LineLogger(source: "host", minimum: .warning, write: LogOutput.write)
    ) throws(ViperError) -> Root {
        let enforcement: Trust.Enforcement = trustsPermissions ? .warn(TrustWarnings(logger)) : .refuse
        let environment = environmentVariable("VIPER_ROOT").map { ["VIPER_ROOT": $0] } ?? [:]
        let found = try Root.find(given: root, environment: environment, enforcement, owners: owners)
        for folder in found.passed {
            logger.log(
                .warning, "skipped \(folder): it is a link or belongs to another user; give the root with --root")
        }
        return found
    }
}
