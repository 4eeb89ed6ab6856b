package import HostSystem
package import ModuleCatalog
package import ModuleRuntime

/// The differences that a change makes to an installed module, and to the modules that use it.
package struct ModuleChange: Encodable, Sendable, Equatable {
    /// A route, service or contract that only one of the two versions declares.
    package struct Difference: Encodable, Sendable, Equatable {
        /// `route`, `requires`, `optional`, `collects`, `provides` or `contract`.
        package var kind: String
        package var name: String
        package var isAdded: Bool
    }

    package var module: String
    package var library: String
    /// The digest of the library that is installed. Nil if the module is removed.
    package var sha256: Digest?
    /// The ID of the user who owns the file that is installed. Nil if that user is trusted.
    package var owner: UInt32?
    /// The digest of the library in use, which is replaced or removed. Nil if there is none.
    package var replaces: Digest?
    /// The version in use. Nil if the module is not installed.
    package var from: String?
    /// The version that takes its place. Nil if the module is removed.
    package var to: String?
    package var differences: [Difference]
    /// The modules that lose something.
    package var losses: [ModuleLoss] = []
    /// The reason why the host cannot use the new version yet. Nil if it can.
    package var lack: String?
    /// True if the change has updated the root's lock.
    package var updatesLock = false

    /// Creates a change between two versions of a module, one of which may be missing.
    package init(_ module: Manifest, from old: Manifest?, to new: Manifest?) {
        (self.module, library, from, to) = (module.name, module.library, old?.version, new?.version)
        differences = Self.kinds.flatMap { kind, names in
            let (before, after) = (Set(old.map(names) ?? []), Set(new.map(names) ?? []))
            return before.symmetricDifference(after).sorted().map {
                Difference(kind: kind, name: $0, isAdded: after.contains($0))
            }
        }
    }

    private static let kinds: [(String, @Sendable (Manifest) -> [String])] = [
        ("route", { $0.routes.map(\.name) }), ("requires", { $0.requires }), ("optional", { $0.optional }),
        ("collects", { $0.collects }), ("provides", { $0.provides }),
        ("contract", { $0.contracts.map { "\($0) \($1)" } }),
    ]

    /// The change as lines, such as `+ route hello`.
    package var lines: [String] {
        differences.map { "\($0.isAdded ? "+" : "-") \($0.kind) \($0.name)" }
    }
}
