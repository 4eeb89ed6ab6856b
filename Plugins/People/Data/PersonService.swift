import ViperKit

/// The module's store of people. Interactors use this protocol, so they do not depend on records and collections.
protocol PersonService: Sendable {
    /// Returns the people who are older than an age in years, or all people if the age is nil. The people are in the
    /// order in which they were added.
    func people(olderThan age: Int?) async throws(ViperError) -> [Person]

    /// Adds a person with a new ID, and returns the person.
    func create(name: String, age: Int) async throws(ViperError) -> Person

    /// Removes a person.
    ///
    /// - Throws: ``ViperError/Code/recordMissing`` if somebody else has removed the person.
    func remove(_ person: Person) async throws(ViperError)

    /// Returns a stream of future changes to the stored people. To avoid missing a change, call this method before
    /// reading the people.
    func changes() -> AsyncStream<CollectionChange>
}

/// A service that stores people in the data provider's collection `people`.
struct ProvidedPersonService: PersonService {
    static let collection = "people"

    let provider: any DataProvider

    func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
        var query = RecordQuery()
        query.filter = age.map { .greater(key: Person.CodingKeys.age.stringValue, .integer($0)) }
        return try await provider.records(Person.self, in: Self.collection, matching: query)
    }

    func create(name: String, age: Int) async throws(ViperError) -> Person {
        // The ID has 64 random bits. Among a million people, the probability of a duplicate ID is about 1 in 40
        // million. If an ID is a duplicate, the insertion fails.
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        let person = Person(id: id, name: name, age: age)
        try await provider.insert(person, into: Self.collection)
        return person
    }

    func remove(_ person: Person) async throws(ViperError) {
        try await provider.delete(id: person.id, from: Self.collection)
    }

    func changes() -> AsyncStream<CollectionChange> { provider.changes(in: Self.collection) }
}
