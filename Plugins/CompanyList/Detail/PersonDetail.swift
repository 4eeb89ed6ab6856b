/// A person with all that `company.json` says of them. What it leaves out is not shown.
struct PersonDetail: Sendable, Equatable, Decodable {
    struct Name: Sendable, Equatable, Decodable {
        var first: String
        var last: String
    }

    private enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, company, balance, age, eyeColor, email, phone, address, favoriteFruit, isActive
    }

    /// Nil if the record has no id, and cannot be asked for.
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
