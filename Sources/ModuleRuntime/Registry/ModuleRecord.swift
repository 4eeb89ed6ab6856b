public import ModuleCatalog
public import ViperKit

/// A module's state in the registry.
public struct ModuleRecord: Sendable {
    /// The path of the manifest file, which is unique among the records.
    public let file: String
    /// The module's manifest. Nil if the manifest could not be read.
    public var manifest: Manifest? { boxedManifest?.value }
    public internal(set) var state: ModuleState
    /// The error that caused a newer version or new providers to be rejected. The current version stays in use.
    public var rejection: ViperError? { fileRejection ?? wiringRejection }
    /// The error that caused the new manifest or library to be rejected.
    package var fileRejection: ViperError? {
        get { boxedErrors?.value.file }
        set { setError(\.file, newValue) }
    }
    /// The error that prevented the module from switching to new providers. The module still uses the replaced
    /// providers.
    var wiringRejection: ViperError? {
        get { boxedErrors?.value.wiring }
        set { setError(\.wiring, newValue) }
    }
    /// The error that makes the module itself unusable. It is never an error in a module that this module requires.
    package var fault: ViperError? {
        get { boxedErrors?.value.fault }
        set { setError(\.fault, newValue) }
    }
    /// The current generation. Nil unless the module is active.
    package var generation: Generation?
    /// The value of the registry's clock when the module was registered. If several modules claim the same name or
    /// service, the module with the lowest value keeps it. Modules that are registered together have equal values.
    var arrival = 0
    /// The revision in which the module first claimed each route, keyed by route name.
    ///
    /// A module claims its routes when it is first resolved. Claims depend only on the manifests. Later library
    /// failures, and the order in which routes are opened, do not affect them.
    var claims: [String: Int] = [:]
    /// The revision of this record. Different records of the same file have different revisions.
    var revision = 0
    /// The number of times that the module's files have been replaced since it was registered.
    var replacements = 0
    /// The number of generations that were created because providers changed, since the module's files were last
    /// replaced.
    var rewirings = 0
    package let history: ModuleHistory

    // Resolving all modules copies their records several times. The large parts of a record are therefore boxed, so
    // that a copy only retains the boxes.
    private let boxedManifest: Box<Manifest>?
    private var boxedErrors: Box<Errors>?

    private struct Errors {
        var file: ViperError?
        var wiring: ViperError?
        var fault: ViperError?

        var isEmpty: Bool { file == nil && wiring == nil && fault == nil }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private mutating func setError(_ part: WritableKeyPath<Errors, ViperError?>, _ error: ViperError?) {
        var errors = boxedErrors?.value ?? Errors()
        errors[keyPath: part] = error
        boxedErrors = errors.isEmpty ? nil : Box(errors)
    }

    /// The module's name, or the file name up to its first dot if the manifest cannot be read.
    public var name: String {
        manifest?.name ?? String(file.split(separator: "/").last?.split(separator: ".").first ?? "")
    }

    /// The module's name for log lines, followed by its version if the manifest can be read.
    package var label: String { manifest.map { "\(name) \($0.version)" } ?? name }

    /// Creates a record from a catalog entry.
    ///
    /// - Parameters:
    ///   - earlier: The record that the new record replaces.
    ///   - clock: The value of the registry's clock.
    init(_ entry: CatalogEntry, inPlaceOf earlier: ModuleRecord? = nil, _ clock: Int = 0) {
        (file, revision, arrival) = (entry.file, clock, clock)
        history = earlier?.history ?? ModuleHistory()
        switch entry.manifest {
        case .success(let manifest): (boxedManifest, state) = (Box(manifest), .discovered)
        case .failure(let error):
            (boxedManifest, state) = (nil, .refused(error))
            fault = error
        }
        guard let earlier, earlier.state != .retired else { return }
        arrival = earlier.arrival
        // A refused version was never in use, for example because its file was incomplete, so it does not count.
        replacements = earlier.replacements + (earlier.state.isRefused ? 0 : 1)
        let routes = Set(manifest?.routes.map(\.name) ?? [])
        claims = earlier.claims.filter { routes.contains($0.key) }
    }

    /// Returns a record for a newer version of this usable module. Returns nil if the newer version declares different
    /// routes or services, or if it must be resolved for another reason.
    ///
    /// - Parameter clock: The value of the registry's clock.
    func alike(_ entry: CatalogEntry, _ clock: Int) -> ModuleRecord? {
        var newer = ModuleRecord(entry, inPlaceOf: self, clock)
        guard fault == nil, newer.declaresTheSame(as: self) else { return nil }
        newer.state = .resolved
        return newer
    }

    /// Returns true if two versions of a module have equal declarations. Resolving either version then gives the same
    /// result.
    func declaresTheSame(as other: ModuleRecord) -> Bool {
        guard let manifest, let others = other.manifest else { return false }
        return arrival == other.arrival && claims == other.claims && manifest.declaresTheSame(as: others)
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
    /// The module is out of service. Its open scenes stay open.
    case retired
    /// The module cannot be used because of the associated error.
    indirect case refused(ViperError)

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
