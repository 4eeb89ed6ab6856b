package import ViperKit

/// A state in a module's lifecycle. See ``ViperKit/Module``.
package enum ModuleState: Sendable, Equatable {
    /// The manifest is known and valid.
    case discovered
    /// All required services have providers. The module has no generation yet.
    case resolved
    /// The module has a current generation.
    case active
    /// The module is out of service. Its open scenes stay open.
    case retired
    /// The module cannot be used because of the associated error.
    indirect case refused(ViperError)

    package var name: String {
        switch self {
        case .discovered: "discovered"
        case .resolved: "resolved"
        case .active: "active"
        case .retired: "retired"
        case .refused: "refused"
        }
    }

    package var refusal: ViperError? {
        if case .refused(let error) = self { error } else { nil }
    }

    package var isUsable: Bool { self == .resolved || self == .active }

    var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
