import FoundationEssentials
import Glibc
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
        return try ViperHost(configuration)
    }

    /// What that host is made of.
    func configuration() throws(ViperError) -> ViperHost.Configuration {
        let environment = ProcessInfo.processInfo.environment
        var configuration = ViperHost.Configuration(root: try Root.find(given: root, environment: environment))
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
        configuration.tellsDifferences = !isAsIs
        // Who serves wants to know what becomes of the modules; what these say besides is as elsewhere.
        let usual = command == .serve && !isAsIs ? LogLevel.info : .warning
        let (minimum, modules) = isVerbose ? (LogLevel.debug, LogLevel.debug) : (usual, .warning)
        configuration.logger = LineLogger(source: "host", minimum: minimum, modules: modules) { line in
            // A log that cannot be written has nobody to complain to.
            try? Terminal.write(line + "\n", to: STDERR_FILENO)
        }
        return configuration
    }
}
