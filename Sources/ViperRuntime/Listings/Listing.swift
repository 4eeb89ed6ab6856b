/// A list that a host shows to users and scripts, and sends to another host on request.
package protocol Listing: Codable, Sendable {
    /// The name of the JSON-RPC method that returns this list.
    static var method: String { get }

    /// Creates the list from the host's current state. This initializer does not load any module.
    init(of host: ViperHost)
}
