/// A list that a host shows to users and scripts, and sends to another host on request.
public protocol Listing: Codable, Sendable {
    /// The method by which a client requests the list from a serving host.
    static var method: String { get }

    /// Creates the list from the host's current state. Does not load any module.
    init(of host: ViperHost)
}
