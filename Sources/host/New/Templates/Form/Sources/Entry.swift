import ViperKit

/// An entry that the form adds.
struct Entry: Record, Equatable {
    var id: String
    var name: String
    var amount: Int
}
