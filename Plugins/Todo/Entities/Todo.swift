struct Todo: Sendable, Equatable, Decodable {
    var id: Int
    var userId: Int
    var title: String
    var completed: Bool
}
