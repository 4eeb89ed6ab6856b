package import ModuleCatalog
package import ViperKit

package struct LocalCode: ModuleCode {
    let entry: ModuleEntry
    package let copy: LibraryCopy?

    package var isIsolated: Bool { false }
    package var signatures: [RouteSignature] { entry.signatures() }

    package func run(_ manifest: Manifest, _ services: ModuleServices) async throws(ViperError) -> any RunningModule {
        do { try await services.prepareAll(for: manifest) } catch {
            // The module is not at fault, so it is not refused. The next use of the module tries again.
            throw ViperError(
                .serviceFailed, operation: "cannot create module", subject: manifest.name, cause: error.summary,
                notes: error.notes,
                fix: error.fix)
        }
        return try await LocalModule(manifest, entry: entry, services: services)
    }
}

extension LocalCode {
    /// Creates a module's code from its entry. Checks that the module conforms to `RoutedModule` if the manifest
    /// declares routes, and to `ServiceModule` if the manifest declares services.
    ///
    /// - Parameter file: The manifest file to name in errors.
    /// - Throws: ``ViperError/Code/moduleFailed`` if the code does not match the manifest.
    package init(
        _ entry: ModuleEntry, of manifest: Manifest, in file: String, from copy: LibraryCopy?
    ) throws(ViperError) {
        (self.entry, self.copy) = (entry, copy)
        if !manifest.routes.isEmpty && !entry.answersRoutes {
            throw Self.mismatch(manifest, file, "routes", "RoutedModule")
        }
        if !manifest.provides.isEmpty && !entry.providesServices {
            throw Self.mismatch(manifest, file, "provides", "ServiceModule")
        }
    }

    private static func mismatch(_ manifest: Manifest, _ file: String, _ key: String, _ type: String) -> ViperError {
        ViperError(
            .moduleFailed, operation: "cannot use module", subject: manifest.name,
            cause: "its manifest has \"\(key)\", but its code does not conform to \(type)",
            notes: [.init("manifest", file)],
            fix: "conform the module to \(type), or remove \"\(key)\"")
    }
}

/// A module that runs in this process.
@MainActor
final class LocalModule: RunningModule {
    private let name: String
    private let instance: ModuleEntry.Instance
    // This property retains the services, because the factories of the module's services hold only a weak reference.
    private let services: ModuleServices

    /// Creates the module and registers its services. If a service cannot be registered, stops the module and throws.
    init(_ manifest: Manifest, entry: ModuleEntry, services: ModuleServices) async throws(ViperError) {
        (name, self.services) = (manifest.name, services)
        do { instance = try entry.make(services) } catch { throw Self.failure("cannot create module", name, error) }
        guard let provider = instance.service else { return }
        do {
            let registrar = ModuleRegistrar(services: services, provides: manifest.provides)
            try provider.registerServices(with: registrar)
            try registrar.checkCompleteness()
        } catch {
            await instance.module.stop()
            throw Self.failure("cannot register the services of module", name, error)
        }
    }

    var module: (any Module)? { instance.module }
    nonisolated var process: Int? { nil }

    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        guard let routed = instance.routed else {
            throw ViperError(
                .moduleFailed, operation: "cannot open route", subject: request.route,
                cause: "the module \"\(name)\" has no routes")
        }
        do {
            return ViewContent(try routed.view(for: request))
        } catch {
            var failure = Self.failure("cannot open route", request.route, error)
            if !(error is ViperError) {
                failure.fix =
                    "handle this route in view(for:) of \"\(name)\", or remove it from the manifest's \"routes\""
            }
            throw failure
        }
    }

    func checkHealth() async throws(ViperError) {
        do { try await instance.module.checkHealth() } catch { throw Self.failure("cannot use module", name, error) }
    }

    func stop() async { await instance.module.stop() }

    /// Wraps an error that a module threw. Keeps the notes and the fix of a `ViperError`.
    private static func failure(_ what: String, _ subject: String, _ error: any Error) -> ViperError {
        let inner = error as? ViperError
        return ViperError(
            .moduleFailed, operation: what, subject: subject, cause: inner?.summary ?? "it threw \(error)",
            notes: inner?.notes ?? [],
            fix: inner?.fix)
    }
}
