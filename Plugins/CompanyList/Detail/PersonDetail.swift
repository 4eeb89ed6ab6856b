/// A person with all the fields in `company.json` that the details show. The details omit fields that are
/// missing from the file.
struct PersonDetail: Sendable, Equatable, Decodable {
    struct Name: Sendable, Equatable, Decodable {
        var first: String
        var last: String
    }

    private enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, company, balance, age, eyeColor, email, phone, address, favoriteFruit, isActive
    }

    /// The record's `_id`, or nil if the record has none. A record without an `_id` cannot be requested.
    var id: String?
    var name: Name
    var company: String?
    var balance: String?
    var age: Int?
    var eyeColor: String?
    var email: String?
    var phone: String?
    var address: String?
    var favoriteFruit: String?
    var isActive: Bool?
}
