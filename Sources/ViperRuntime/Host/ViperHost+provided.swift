import ModuleRuntime
package import ViperKit

extension ViperHost {
    /// Returns a service of a module for the program itself, creating the module and the service if necessary. The
    /// settings select the module if several provide the service.
    ///
    /// - Returns: The service. Nil if no module provides it.
    /// - Throws: The reason why the module cannot be used. ``ViperError/Code/serviceMissing`` if several modules provide the
    ///   service equally well.
    package func provided<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service? {
        let snapshot = registry.snapshot
        guard let service = snapshot.services.first(where: { $0.name == key.name }), !service.providers.isEmpty else {
            return nil
        }
        let records = snapshot.modules.filter { service.providers.contains($0.name) }
        if let record = records.first(where: { $0.name == service.selected }) {
            return try await modules.provided(key, fromManifest: record.file)
        }
        if records.count == 1, let refusal = records.first?.state.refusal { throw refusal }
        throw ViperError(
            .serviceMissing, operation: "cannot use service", subject: key.name,
            cause: "its providers are \(service.providers.joined(separator: ", ")), and none is selected",
            fix: "select one with --use \(key.name)=MODULE")
    }
}
