package import ModuleCatalog
@_spi(Host) package import ViperKit

/// Returns the code of a module in this process, with the routes and services that it registers.
///
/// - Parameter file: The manifest file to name in errors.
/// - Throws: ``ViperError/Code/moduleFailed`` if the manifest declares a route or service that the code does not
///   register, or if the code registers one twice.
@MainActor
package func localCode(
    _ type: any Module.Type, of manifest: Manifest, in file: String, from copy: LibraryCopy?
) throws(ViperError) -> any ModuleCode {
    func code<M: Module>(_ type: M.Type) throws(ViperError) -> any ModuleCode {
        let registrar = Registrar<M>()
        type.register(with: registrar)
        let code = LocalCode(registrar, from: copy)
        let reasons = manifest.unkeptPromises(by: code.registrations)
        guard let first = reasons.first else { return code }
        throw ViperError(
            .moduleFailed, operation: "cannot use module", subject: manifest.name, cause: first,
            notes: reasons.dropFirst().map { .init("also", $0) } + [.init("manifest", file)],
            fix: "register in register(with:) exactly what the manifest declares")
    }
    return try code(type)
}

/// A module's code in this process.
@MainActor
final class LocalCode<M: Module>: ModuleCode {
    let copy: LibraryCopy?
    /// The registered routes by name.
    let routes: [String: RegisteredRoute<M>]
    let services: [RegisteredService<M>]
    let registrations: Registrations

    init(_ registrar: Registrar<M>, from copy: LibraryCopy?) {
        self.copy = copy
        routes = Dictionary(registrar.routes.map { ($0.name, $0) }) { first, _ in first }
        services = registrar.services
        registrations = Registrations(
            routes: registrar.routes.map(\.name), services: services.map { ($0.name, $0.scope) })
    }

    nonisolated var isIsolated: Bool { false }

    func differences(from manifest: Manifest) -> [String] {
        let arguments = registrations.routes.compactMap { routes[$0]?.arguments }
        return manifest.undeclared(of: registrations)
            + manifest.differences(from: arguments.map { RouteSignature(of: $0) })
    }

    func run(_ manifest: Manifest, _ services: ModuleServices) async throws(ViperError) -> any RunningModule {
        do { try await services.prepareAll(for: manifest) } catch {
            // The module is not at fault, so it is not refused. The next use of the module tries again.
            throw ViperError(
                .serviceFailed, operation: "cannot create module", subject: manifest.name, cause: error.summary,
                notes: error.notes,
                fix: error.fix)
        }
        return try LocalModule(manifest.name, code: self, services: services)
    }
}
