struct Todo: Sendable, Equatable, Codable {
    var id: Int
    var userId: Int
    var title: String
    var completed: Bool
}
