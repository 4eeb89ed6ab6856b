import FoundationEssentials
import HostSystem
import ModuleCatalog
import ViperKit

/// The root of a worker: a folder of this process's own with one module and those that provide what it needs. It goes with the
/// value.
final class WorkerRoot: Sendable {
    /// A module as it is put into a worker's root.
    struct Part: Sendable {
        var manifest: Manifest
        /// The path of its library, whatever the file is called.
        var library: String
        /// The path of the folder of its resources, if it has one.
        var resources: String?
    }

    private let folder: PrivateFolder
    /// Who may change what the worker reads: the rule of its host.
    let trust: Trust
    var path: String { folder.path }
    /// Where the worker, and what it runs, make files that nobody needs any more once it has ended, however it does.
    var temporaryFolder: String { path + "/tmp" }

    /// Lays out a root.
    ///
    /// - Parameters:
    ///   - settings: Those of the host. What concerns none of the modules is left out.
    ///   - hasOwnState: Whether what the modules keep goes with the root, too.
    ///   - parent: Where to make it: what is still in use goes with that at the end.
    ///   - trust: Who may change what the worker reads.
    init(
        _ parts: [Part], settings: Settings, hasOwnState: Bool, in parent: PrivateFolder? = nil, trust: Trust = Trust()
    ) throws(ViperError) {
        self.trust = trust
        folder =
            if let parent {
                try PrivateFolder(
                    in: parent.path, prefix: "worker-", mend: "make room, or set TMPDIR", trust: parent.trust)
            } else {
                try PrivateFolder(prefix: "viper-worker")
            }
        var settings = settings
        // Absolute, for a worker does not inherit the variables that name it.
        settings.stateFolder = hasOwnState ? folder.path + "/state" : StateRoot(settings).path
        do {
            let files = FileManager.default
            for name in ["Manifests", "Plugins", "tmp"] {
                try files.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
            }
            for part in parts { try Self.add(part, to: folder) }
            try Self.write(try Self.text(of: settings, for: parts.map(\.manifest)), to: "\(folder.path)/host.json")
        } catch {
            // The value is whole by now, so that deinit runs and removes the folder.
            throw (error as? ViperError)
                ?? ViperError(
                    .programFailed, "cannot prepare", folder.path, cause: systemReason(error),
                    mend: "make room, or set TMPDIR")
        }
    }

    deinit { folder.remove() }

    private static func add(_ part: Part, to folder: PrivateFolder) throws {
        var manifest = part.manifest
        // It is isolated there.
        manifest.isolation = .none
        // Folders of two modules may lie in each other; their links may not.
        manifest.resources = part.resources.map { _ in manifest.name }
        let text = Data(try FoundationJSONCoder().encode(manifest))
        try write(text, to: "\(folder.path)/Manifests/\(manifest.name).json")
        let files = FileManager.default
        for (path, name) in [(part.library, manifest.library), (part.resources, manifest.name)] {
            let link = "\(folder.path)/Plugins/\(name)"
            // Two modules may be of one library.
            guard let path, (try? files.destinationOfSymbolicLink(atPath: link)) != path else { continue }
            try files.createSymbolicLink(atPath: link, withDestinationPath: path)
        }
    }

    /// Writes a file that only this user reads: settings may be secret.
    private static func write(_ content: Data, to path: String) throws {
        try content.write(to: URL(filePath: path), options: .withoutOverwriting)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// `host.json` with the settings that concern these modules.
    private static func text(of settings: Settings, for manifests: [Manifest]) throws(ViperError) -> Data {
        let names = Set(manifests.map(\.name))
        var content: [String: JSONValue] = [
            "data": .array(settings.dataFolders.map(JSONValue.string)),
            "use": .object(
                settings.providers.filter { service, provider in
                    names.contains(provider) || Settings.hostProviders[service] == provider
                }.mapValues(JSONValue.string)),
        ]
        if let state = settings.stateFolder { content["state"] = .string(state) }
        var values: [String: JSONValue] = [:]
        for manifest in manifests {
            // As the manifest types them: a value from the command line is a text.
            let configuration = try manifest.configuration(under: settings)
            values[manifest.name] = .object(configuration.values.mapValues(JSONValue.init))
        }
        content["set"] = .object(values)
        return Data(try FoundationJSONCoder().encode(JSONValue.object(content)))
    }
}
