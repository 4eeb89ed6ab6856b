import FoundationEssentials
import HostSystem
import ModuleCatalog
import ViperKit

/// A temporary root folder for a worker. It contains one module and the modules that provide its services. The folder
/// is deleted when this object is deinitialized.
final class WorkerRoot: Sendable {
    struct Part: Sendable {
        var manifest: Manifest
        /// The path of the part's library. The file may have any name.
        var library: String
        /// The path of the part's resources: a folder, or a library into which they are packed.
        var resources: String?
    }

    private let folder: PrivateFolder
    /// The host's rules on who may change the worker's files.
    let trust: Trust
    var path: String { folder.path }
    /// The folder for temporary files that the worker and its children create.
    var temporaryFolder: String { path + "/tmp" }

    /// Creates a root.
    ///
    /// - Parameters:
    ///   - parts: The modules to include in the root.
    ///   - settings: The host's settings. Settings for other modules are omitted.
    ///   - hasOwnState: True if the state folder is in the root and is deleted with it.
    ///   - parent: The folder in which to create the root. Deleting this folder also deletes the root.
    ///   - trust: The rules on who may change the worker's files.
    init(
        _ parts: [Part], settings: Settings, hasOwnState: Bool, in parent: PrivateFolder? = nil, trust: Trust = Trust()
    ) throws(ViperError) {
        self.trust = trust
        folder =
            if let parent {
                try PrivateFolder(
                    in: parent.path, prefix: "worker-", fix: "free disk space, or set TMPDIR",
                    trust: parent.trust)
            } else {
                try PrivateFolder(prefix: "viper-worker")
            }
        var settings = settings
        // Use an absolute path, because a worker does not inherit the variables that define the default.
        settings.stateFolder = hasOwnState ? folder.path + "/state" : StateRoot(settings).path
        do {
            for name in ["Manifests", "Plugins", "tmp"] { try folder.makeFolder(named: name) }
            for part in parts { try Self.add(part, to: folder) }
            try Self.write(try Self.text(of: settings, for: parts.map(\.manifest)), to: "\(folder.path)/host.json")
        } catch {
            // All properties are set, so `deinit` runs after the throw and removes the folder.
            throw (error as? ViperError)
                ?? ViperError(
                    .programFailed, operation: "cannot prepare folder", subject: folder.path,
                    cause: systemReason(error),
                    fix: "free disk space, or set TMPDIR")
        }
    }

    deinit { folder.remove() }

    private static func add(_ part: Part, to folder: PrivateFolder) throws {
        var manifest = part.manifest
        // Inside the worker, the module runs in the worker's own process.
        manifest.isolation = .none
        // Resource folders may be nested, so each link is named after its module. These names cannot collide.
        manifest.resources = part.resources.map { _ in manifest.name }
        let text = Data(try FoundationJSONCoder().encode(manifest))
        try write(text, to: "\(folder.path)/Manifests/\(manifest.name).json")
        let files = FileManager.default
        for (path, name) in [(part.library, manifest.library), (part.resources, manifest.name)] {
            let link = "\(folder.path)/Plugins/\(name)"
            // Two modules may share a library.
            guard let path, (try? files.destinationOfSymbolicLink(atPath: link)) != path else { continue }
            try files.createSymbolicLink(atPath: link, withDestinationPath: path)
        }
    }

    /// Writes a file that only this user can read, because settings may contain secrets.
    private static func write(_ content: Data, to path: String) throws {
        try content.write(to: URL(filePath: path), options: .withoutOverwriting)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private static func text(of settings: Settings, for manifests: [Manifest]) throws(ViperError) -> Data {
        let names = Set(manifests.map(\.name))
        var content: [String: JSONValue] = [
            "data": .array(settings.dataFolders.map(JSONValue.string)),
            "use": .object(
                settings.providers.filter { key, provider in
                    let (module, service) = Settings.parts(ofChoice: key)
                    return (module.map(names.contains) ?? true)
                        && (names.contains(provider) || Settings.hostProviders[service] == provider)
                }.mapValues(JSONValue.string)),
        ]
        if let state = settings.stateFolder { content["state"] = .string(state) }
        var values: [String: JSONValue] = [:]
        for manifest in manifests {
            // Converts values from the command line to the types that the manifest declares.
            let configuration = try manifest.configuration(under: settings)
            values[manifest.name] = .object(configuration.values.mapValues(JSONValue.init))
        }
        content["set"] = .object(values)
        return Data(try FoundationJSONCoder().encode(JSONValue.object(content)))
    }
}
