import ViperKit

/// A person with a name and an age in years.
struct Person: Record, Equatable {
    var id: String
    var name: String
    var age: Int

    /// The coding keys of a stored person. Queries also use these keys.
    enum CodingKeys: CodingKey { case id, name, age }

    /// The text that represents the person on all screens of this module, such as `Ada - 36`.
    var line: String { "\(name) - \(age)" }
}
