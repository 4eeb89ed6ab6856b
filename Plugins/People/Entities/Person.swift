import ViperKit

/// A person with a name and an age in years.
struct Person: Record, Equatable {
    var id: String
    var name: String
    var age: Int

    /// The keys of a stored person, which queries use.
    enum CodingKeys: CodingKey { case id, name, age }

    /// The person's text on all screens of this module: `Ada - 36`.
    var line: String { "\(name) - \(age)" }
}
