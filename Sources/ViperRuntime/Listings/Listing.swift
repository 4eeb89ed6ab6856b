/// A list that a host shows to people, to scripts, and to another host that requests it.
public protocol Listing: Codable, Sendable {
    /// The method by which a client requests the list from a serving host.
    static var method: String { get }

    /// Creates the list from the host's current state. Loads no module.
    init(of host: ViperHost)
}
