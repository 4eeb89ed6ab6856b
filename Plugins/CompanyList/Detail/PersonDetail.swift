/// A person with all that `company.json` says of them. What it leaves out is not shown.
struct PersonDetail: Sendable, Equatable, Decodable {
    struct Name: Sendable, Equatable, Decodable {
        var first: String
        var last: String
    }

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
