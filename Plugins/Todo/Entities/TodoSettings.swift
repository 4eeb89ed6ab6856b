/// What a user can change for all scenes of this module.
struct TodoSettings: Sendable, Equatable, Codable {
    /// The server's URL.
    var baseURL: String
    /// The number of todos on a page of the list.
    var pageSize: Int

    static let pageSizes = 1...1_000
}
