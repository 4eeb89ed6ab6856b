/// A person with the fields in `company.json` that the list shows.
struct Person: Sendable, Equatable {
    /// The record's `_id`. It does not change when other records are added or removed.
    var id: String
    var first: String
    var last: String
    var company: String
    /// The balance as written in the file, with its currency sign and separators, such as `$2,107.15`.
    var balance: String
}

extension Person: Decodable {
    private enum CodingKeys: String, CodingKey { case id = "_id", name, company, balance }
    private enum NameKeys: String, CodingKey { case first, last }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.nestedContainer(keyedBy: NameKeys.self, forKey: .name)
        first = try name.decode(String.self, forKey: .first)
        last = try name.decode(String.self, forKey: .last)
        id = try values.decode(String.self, forKey: .id)
        company = try values.decode(String.self, forKey: .company)
        balance = try values.decode(String.self, forKey: .balance)
    }
}
