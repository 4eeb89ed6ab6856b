import ViperKit

/// Somebody with a name and an age in years.
struct Person: Record, Equatable {
    var id: String
    var name: String
    var age: Int

    /// How every screen of this module writes a person: `Ada - 36`.
    var line: String { "\(name) - \(age)" }
}
