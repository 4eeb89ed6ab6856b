/// An item in `items.json`.
struct Item: Sendable, Equatable, Decodable {
    var title: String
    var group: String
    var detail: String
}
