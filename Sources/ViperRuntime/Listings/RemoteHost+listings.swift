package import ModuleIsolation
package import ModuleRuntime
package import ViperKit

extension RemoteHost {
    /// Requests a listing, such as the host's routes or modules.
    ///
    /// - Throws: The error in the response, or ``ViperError/Code/connectionLost``.
    package func listing<Value: Listing>(_ type: Value.Type) async throws(ViperError) -> Value {
        try await call(type.method, as: type)
    }

    package func statistics() async throws(ViperError) -> [ModuleStatistics] {
        try await call("statistics", as: [ModuleStatistics].self)
    }

    package func metrics() async throws(ViperError) -> Metrics { try await call("metrics", as: Metrics.self) }
}
