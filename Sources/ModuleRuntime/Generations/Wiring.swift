/// The identities of a generation's providers. They are used to detect that a provider was replaced.
package struct Wiring: Equatable, Sendable {
    struct Provider: Equatable {
        var file: String
        var revision: Int
        /// The number of the provider's generation. Nil if the module runs in a worker, or if the provider
        /// is not active.
        var generation: Int?
    }

    var providers: [String: Provider]
    /// True if the module runs in a worker, which contains its own instances of the providers.
    let isIsolated: Bool
}
