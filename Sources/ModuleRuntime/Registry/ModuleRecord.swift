public import ModuleCatalog
public import ViperKit

/// A module as the registry knows it.
public struct ModuleRecord: Sendable {
    /// The manifest's file; no two records have the same.
    public let file: String
    /// The manifest, or nil when it could not be read.
    public let manifest: Manifest?
    /// How far the module has come.
    public internal(set) var state: ModuleState
    /// Why what was last put in its place was not taken, while it stays as it is.
    public var rejection: ViperError? { fileRejection ?? wiringRejection }
    /// Why the files that were last put in place of its own were not taken.
    package var fileRejection: ViperError?
    /// Why it still has services of others than those that provide them now.
    var wiringRejection: ViperError?
    /// Why it cannot be used, as far as that lies in itself and not in those that it requires.
    package var fault: ViperError?
    /// The generation that answers, while it is active.
    package var generation: Generation?
    /// When it came, as a number that grows. Who came first keeps what several claim; those that come together have the same.
    var arrival = 0
    /// When each of its routes was claimed. A route is since the module was resolved for the first time, from the manifests alone:
    /// nothing that happens to libraries later, and no order in which routes are opened, changes who claims what.
    var claims: [String: Int] = [:]
    /// Tells this version of the record from others of the same file.
    var revision = 0
    /// The number of times that its files were replaced since it came.
    var replacements = 0
    /// The number of times that it was made anew for other providers since its files were last replaced.
    var rewirings = 0
    /// What is counted over all generations.
    package let history: ModuleHistory

    /// The module's name; of an unreadable manifest the file's name.
    public var name: String {
        manifest?.name ?? String(file.split(separator: "/").last?.split(separator: ".").first ?? "")
    }

    /// - Parameter earlier: The record that this one takes the place of, if there is one.
    init(_ entry: CatalogEntry, inPlaceOf earlier: ModuleRecord? = nil) {
        file = entry.file
        history = earlier?.history ?? ModuleHistory()
        switch entry.manifest {
        case .success(let manifest): (self.manifest, state) = (manifest, .discovered)
        case .failure(let error): (manifest, fault, state) = (nil, error, .refused(error))
        }
        guard let earlier, earlier.state != .retired else { return }
        arrival = earlier.arrival
        // Nobody could use what was refused, as a file that was being written.
        replacements = earlier.replacements + (earlier.state.isRefused ? 0 : 1)
        let routes = Set(manifest?.routes.map(\.name) ?? [])
        claims = earlier.claims.filter { routes.contains($0.key) }
    }
}

/// How far a module has come in its life; see ``ViperKit/Module``.
public enum ModuleState: Sendable, Equatable {
    /// Its manifest is known and valid.
    case discovered
    /// Everything that it requires has a provider. Nothing of it has been loaded.
    case resolved
    /// It is loaded and made.
    case active
    /// It was taken out of service. Scenes that were open go on.
    case retired
    /// It cannot be used, for this reason.
    case refused(ViperError)

    /// The state in one word.
    public var name: String {
        switch self {
        case .discovered: "discovered"
        case .resolved: "resolved"
        case .active: "active"
        case .retired: "retired"
        case .refused: "refused"
        }
    }

    /// Why the module is refused, when it is.
    public var refusal: ViperError? {
        if case .refused(let error) = self { error } else { nil }
    }

    /// True if the module's routes can be opened and its services used.
    var isUsable: Bool { self == .resolved || self == .active }

    /// True if the module is refused.
    var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
