import ViperKit

/// Keeps people. The module's own protocol, so that its interactors know nothing of records and collections.
protocol PersonService: Sendable {
    /// Everybody, in the order in which they were created.
    func all() async throws(ViperError) -> [Person]

    /// Adds somebody, and returns them with the id that they got.
    func create(name: String, age: Int) async throws(ViperError) -> Person
}

/// People in the collection `people` of a data provider.
struct ProvidedPersonService: PersonService {
    static let collection = "people"

    let provider: any DataProvider

    func all() async throws(ViperError) -> [Person] { try await provider.all(Person.self, in: Self.collection) }

    func create(name: String, age: Int) async throws(ViperError) -> Person {
        // 64 random bits: two of a million people have the same with a chance of one in forty million, and then it is an error.
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        let person = Person(id: id, name: name, age: age)
        try await provider.insert(person, into: Self.collection)
        return person
    }
}
