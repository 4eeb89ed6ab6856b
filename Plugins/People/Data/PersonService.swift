import ViperKit

/// The module's store for people. Interactors use this protocol and do not depend on records and collections.
protocol PersonService: Sendable {
    /// Returns the people older than an age in years, or all people if the age is nil, in the order in which they were
    /// added.
    func people(olderThan age: Int?) async throws(ViperError) -> [Person]

    /// Adds a person and returns it with its new ID.
    func create(name: String, age: Int) async throws(ViperError) -> Person

    /// Returns an element for each change of the stored people from now on. Begin before reading.
    func changes() -> AsyncStream<CollectionChange>
}

/// A store in the data provider's collection `people`.
struct ProvidedPersonService: PersonService {
    static let collection = "people"

    let provider: any DataProvider

    func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
        var query = RecordQuery()
        query.filter = age.map { .greater(Person.CodingKeys.age, .integer($0)) }
        return try await provider.records(Person.self, in: Self.collection, matching: query)
    }

    func create(name: String, age: Int) async throws(ViperError) -> Person {
        // 64 random bits: among a million people, the probability of a duplicate ID is about 1 in 40 million. Inserting
        // a duplicate fails.
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        let person = Person(id: id, name: name, age: age)
        try await provider.insert(person, into: Self.collection)
        return person
    }

    func changes() -> AsyncStream<CollectionChange> { provider.changes(in: Self.collection) }
}
