/// A company with its people.
struct Company: Sendable, Equatable {
    var name: String
    var people: [Person]

    /// Returns the companies of people, sorted alphabetically without regard to case. The people in each company keep
    /// their order.
    ///
    /// The function runs off the main actor, because sorting a long list on the main actor would block all scenes.
    @concurrent
    static func companies(of people: [Person]) async -> [Company] {
        let companies = Dictionary(grouping: people, by: \.company)
        let names = companies.keys.map { (sorting: $0.lowercased(), name: $0) }.sorted { $0 < $1 }.map(\.name)
        return names.map { Company(name: $0, people: companies[$0, default: []]) }
    }

    /// Returns the companies whose name contains a text, and the people whose name does, in upper or lower case.
    @concurrent
    static func companies(_ companies: [Company], containing text: String) async -> [Company] {
        let text = text.lowercased()
        if text.isEmpty { return companies }
        return companies.compactMap { company in
            if company.name.lowercased().contains(text) { return company }
            let people = company.people.filter { "\($0.first) \($0.last)".lowercased().contains(text) }
            return people.isEmpty ? nil : Company(name: company.name, people: people)
        }
    }
}
