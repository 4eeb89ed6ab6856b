public import ModuleCatalog
public import ViperKit

/// A module's state in the registry.
public struct ModuleRecord: Sendable {
    /// The path of the manifest file, unique among the records.
    public let file: String
    /// The manifest. Nil if it could not be read.
    public let manifest: Manifest?
    public internal(set) var state: ModuleState
    /// The reason why a newer version or new providers were rejected while the current version stays in use.
    public var rejection: ViperError? { fileRejection ?? wiringRejection }
    /// The reason why the new manifest or library was rejected.
    package var fileRejection: ViperError?
    /// The reason why the module still uses the services of replaced providers.
    var wiringRejection: ViperError?
    /// The reason why the module itself cannot be used. Excludes errors of the modules that it requires.
    package var fault: ViperError?
    /// The current generation. Nil unless the module is active.
    package var generation: Generation?
    /// The registry's clock when the module arrived. If several modules claim the same name or service, the earliest
    /// keeps it. Modules that arrive together have equal values.
    var arrival = 0
    /// The revision in which each route was first claimed, by route name.
    ///
    /// A module claims its routes when it is first resolved, from the manifests alone. Later library failures, and the
    /// order in which routes are opened, do not change the claims.
    var claims: [String: Int] = [:]
    /// The version of this record. Differs between records of the same file.
    var revision = 0
    /// The number of times that the module's files were replaced since its arrival.
    var replacements = 0
    /// The number of generations that were created for other providers since the module's files were last replaced.
    var rewirings = 0
    package let history: ModuleHistory

    /// The module's name. If the manifest cannot be read, the file's name up to its first dot.
    public var name: String {
        manifest?.name ?? String(file.split(separator: "/").last?.split(separator: ".").first ?? "")
    }

    /// The module in log lines: its name, and its version if the manifest can be read.
    package var label: String { manifest.map { "\(name) \($0.version)" } ?? name }

    /// - Parameter earlier: The record that this one replaces.
    init(_ entry: CatalogEntry, inPlaceOf earlier: ModuleRecord? = nil) {
        file = entry.file
        history = earlier?.history ?? ModuleHistory()
        switch entry.manifest {
        case .success(let manifest): (self.manifest, state) = (manifest, .discovered)
        case .failure(let error): (manifest, fault, state) = (nil, error, .refused(error))
        }
        guard let earlier, earlier.state != .retired else { return }
        arrival = earlier.arrival
        // A refused version does not count: it could not be used, for example because its file was incomplete.
        replacements = earlier.replacements + (earlier.state.isRefused ? 0 : 1)
        let routes = Set(manifest?.routes.map(\.name) ?? [])
        claims = earlier.claims.filter { routes.contains($0.key) }
    }
}

/// A state in a module's lifecycle. See ``ViperKit/Module``.
public enum ModuleState: Sendable, Equatable {
    /// The manifest is known and valid.
    case discovered
    /// All required services have providers. The module has no generation yet.
    case resolved
    /// The module has a current generation.
    case active
    /// The module was taken out of service. Its open scenes continue.
    case retired
    /// The module cannot be used, for this reason.
    case refused(ViperError)

    public var name: String {
        switch self {
        case .discovered: "discovered"
        case .resolved: "resolved"
        case .active: "active"
        case .retired: "retired"
        case .refused: "refused"
        }
    }

    public var refusal: ViperError? {
        if case .refused(let error) = self { error } else { nil }
    }

    var isUsable: Bool { self == .resolved || self == .active }

    var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
