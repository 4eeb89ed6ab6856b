package import ModuleIsolation
package import ViperKit

extension RemoteHost {
    /// What it lists.
    ///
    /// - Throws: What it answers, or ``ViperError/Code/connectionLost``.
    package func listing<Value: Listing>(_ type: Value.Type) async throws(ViperError) -> Value {
        try await call(type.method, as: type)
    }

    /// What it has counted of each module.
    ///
    /// - Throws: As ``listing(_:)``.
    package func statistics() async throws(ViperError) -> [ModuleStatistics] {
        try await call("statistics", as: [ModuleStatistics].self)
    }
}
