import HostSystem
import Synchronization
package import ViperKit

/// The contracts that a process has loaded.
///
/// The dynamic linker satisfies a need for a library by the first loaded library with this name. A second version of a
/// contract would therefore stay without users, so a process loads only one.
@MainActor
final class LoadedContracts: Sendable {
    private struct Loaded {
        var digest: Digest
        var version: String
    }

    private var loaded: [String: Loaded] = [:]

    nonisolated init() {}

    /// Loads a contract, unless this process has already loaded the same content.
    ///
    /// - Throws: ``ViperError/Code/contractInUse`` if the process has loaded another version.
    func load(_ copy: LibraryCopy, of manifest: Manifest) throws {
        if let earlier = loaded[manifest.library] {
            if earlier.digest == copy.digest { return }
            throw ViperError.contractInUse(manifest, loaded: earlier.version)
        }
        try DynamicLinker.load(copy.ownPath)
        loaded[manifest.library] = Loaded(digest: copy.digest, version: manifest.version)
    }
}

extension Loader {
    /// Loads a copy of a contract. Does nothing if this process has already loaded the same content.
    ///
    /// - Throws: ``ViperError/Code/contractInUse`` if this process has loaded another version. Otherwise, the errors of
    ///   ``load(_:of:with:)``.
    package func load(contract copy: LibraryCopy, of manifest: Manifest) async throws(ViperError) {
        let result = try await load(copy, of: manifest, with: []) { [contracts] () throws -> ViperError? in
            do { try contracts.load(copy, of: manifest) } catch let error as ViperError { return error }
            return nil
        }
        if let result { throw result }
    }
}

extension ViperError {
    /// The error of a version of a contract that this process cannot load because it has loaded another one.
    fileprivate static func contractInUse(_ manifest: Manifest, loaded version: String) -> Self {
        Self(
            .contractInUse, operation: "cannot use contract", subject: "\(manifest.name) \(manifest.version)",
            cause: version == manifest.version
                ? "this process has loaded another build of this version, and cannot load a second one"
                : "this process has loaded version \(version), and cannot load a second one",
            fix: "restart the host to use it")
    }
}
