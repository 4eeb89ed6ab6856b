package import ViperKit

/// How far a module is brought before anybody opens one of its routes. Each step takes in those before it.
package enum ReadinessStep: String, Sendable, Codable, CaseIterable {
    /// Its library is loaded: its initialisers have run, and its entry.
    case load
    /// It is made, and has registered its services.
    case make
    /// It has said that it can do its work.
    case health
}

extension ViperHost {
    /// Brings a module to a step, and returns when it is there.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown``, or why the module cannot be brought there.
    package func prepare(_ module: String, to step: ReadinessStep) async throws(ViperError) {
        guard let record = registry.snapshot.modules.first(where: { $0.name == module && $0.state != .retired }) else {
            throw ViperError(.moduleUnknown, "cannot prepare module", module, cause: "there is none of that name")
        }
        switch step {
        case .load: try await activator.load(record.file)
        case .make: _ = try await activator.activate(record.file)
        case .health: try await activator.checkHealth(of: try await activator.activate(record.file))
        }
    }
}
