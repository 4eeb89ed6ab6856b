/// A screen in the form of `--format json`. The tests declare their own types, so that a change of the format is
/// noticed.
struct ShownScreen: Decodable {
    var title: String
    var sections: [ShownSection]
}

struct ShownSection: Decodable {
    var title: String
    var rows: [ShownRow]
}

struct ShownRow: Decodable, Equatable {
    var id: String
    var title: String
    var detail: String
}

struct ShownRoute: Decodable, Equatable {
    var route: String
    var usage: String
    var module: String
    var summary: String
    var contestedBy: [String]?
}

struct ShownModules: Decodable {
    struct Entry: Decodable {
        var module: String
        var version: String?
        var state: String
        var library: String?
        var refusal: Refusal?
    }

    struct Refusal: Decodable {
        var code: String
    }

    var modules: [Entry]
    var unreferencedLibraries: [String]
}

struct ShownService: Decodable, Equatable {
    var service: String
    var providedBy: [String]
    var selected: String?
    var requiredBy: [String]
}
