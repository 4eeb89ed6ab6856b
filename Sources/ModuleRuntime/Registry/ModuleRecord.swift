package import ModuleCatalog
package import ViperKit

/// A module's state in the registry.
package struct ModuleRecord: Sendable {
    /// The version of the module's files that is in use.
    package internal(set) var files: ModuleFiles
    package internal(set) var state: ModuleState
    /// The current generation. Nil unless the module is active.
    package internal(set) var generation: Generation?
    /// The revision in which the module first claimed each route, keyed by route name.
    ///
    /// A module claims its routes when it is first resolved. Claims depend only on the manifests. Later library
    /// failures, and the order in which routes are opened, do not affect them.
    var claims: [String: Int] = [:]
    // Resolving all modules copies their records several times, so this large part is boxed.
    private var boxedPending: Box<PendingStep>?

    /// The value of the registry's clock when the module was registered. If several modules claim the same name or
    /// service, the module with the lowest value keeps it. Modules that are registered together have equal values.
    let arrival: Int
    /// The revision of this version. Different versions of the same file have different revisions.
    let revision: Int
    /// The number of times that the module's files have been replaced since it was registered.
    let replacements: Int
    package let history: ModuleHistory

    private final class Box<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// The path of the manifest file, which is unique among the records.
    package var file: String { files.entry.file }

    /// The module's manifest. Nil if the manifest could not be read.
    package var manifest: Manifest? { try? files.entry.manifest.get() }

    /// The step that the module still needs. Nil if it is up to date.
    package internal(set) var pending: PendingStep? {
        get { boxedPending?.value }
        set { boxedPending = newValue.map { Box($0) } }
    }

    /// The error that caused a newer version or new providers to be rejected. The current version stays in use.
    package var rejection: ViperError? { state.isRefused ? nil : pending?.error }

    /// The error that makes the module itself unusable. It is never an error in a module that this module requires.
    package var fault: ViperError? { state.refusal.flatMap { $0.dependsOnOtherModules ? nil : $0 } }

    /// The state of the module's work without a screen, in one word. Nil if the module has none.
    package var run: String? {
        files.runs == .never ? nil : isUnreached ? "starting" : generation?.run.state?.name ?? "idle"
    }

    /// True if the module's work runs, and clients cannot reach it at its sockets yet.
    package var isUnreached: Bool { needsSockets && generation?.run.state == .running && !history.isReached }

    /// True if the module requires listening sockets.
    package var needsSockets: Bool {
        manifest?.requires.contains(ServiceKey<any ListeningSockets>.listeningSockets.name) ?? false
    }

    /// The number of generations that were created because providers changed, since the module's files were last
    /// replaced.
    var rewirings: Int { generation?.rewirings ?? 0 }

    /// The module's name, or the file name up to its first dot if the manifest cannot be read.
    package var name: String { files.name }

    /// The module's name for log lines, followed by its version if the manifest can be read.
    package var label: String { manifest.map { "\(name) \($0.version)" } ?? name }

    /// Creates a record of a version of a module's files.
    ///
    /// - Parameters:
    ///   - earlier: The record that the new record replaces.
    ///   - clock: The value of the registry's clock.
    init(_ files: ModuleFiles, inPlaceOf earlier: ModuleRecord? = nil, _ clock: Int = 0) {
        (self.files, revision) = (files, clock)
        history = earlier?.history ?? ModuleHistory()
        state = files.failure.map(ModuleState.refused) ?? .discovered
        guard let earlier, earlier.state != .retired else {
            (arrival, replacements) = (clock, 0)
            return
        }
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
    func alike(_ files: ModuleFiles, _ clock: Int) -> ModuleRecord? {
        var newer = ModuleRecord(files, inPlaceOf: self, clock)
        guard state.isUsable, newer.declaresTheSame(as: self) else { return nil }
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
