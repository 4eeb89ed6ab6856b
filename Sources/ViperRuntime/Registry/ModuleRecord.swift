public import ViperKit

/// A module as the registry knows it.
public struct ModuleRecord: Sendable {
    /// The manifest's file; no two records have the same.
    public let file: String
    /// The manifest, or nil when it could not be read.
    public let manifest: Manifest?
    /// How far the module has come.
    public internal(set) var state: ModuleState
    /// Whether its routes are its own. It is since the module was resolved for the first time, from the manifests alone: nothing
    /// that happens to libraries later, and no order in which routes are opened, changes who claims what.
    var claimsRoutes = false
    let code: CatalogEntry.Code

    /// The module's name; of an unreadable manifest the file's name.
    public var name: String {
        manifest?.name ?? String(file.split(separator: "/").last?.split(separator: ".").first ?? "")
    }

    init(_ entry: CatalogEntry) {
        (file, code) = (entry.file, entry.code)
        switch entry.manifest {
        case .success(let manifest): (self.manifest, state) = (manifest, .discovered)
        case .failure(let error): (manifest, state) = (nil, .refused(error))
        }
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
}
