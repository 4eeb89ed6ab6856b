/// Something that a host lists: to a person, to a script, and to another host that asks for it.
public protocol Listing: Codable, Sendable {
    /// The method that a serving host answers with it.
    static var method: String { get }

    /// What a host has of it now. Loads no module.
    init(of host: ViperHost)
}
