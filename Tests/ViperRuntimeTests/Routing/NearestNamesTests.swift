import Testing

@testable import ViperRuntime

struct NearestNamesTests {
    private let names = ["list", "last", "people", "people/add", "people/remove", "hello", "a"]

    @Test(
        "names that may have been meant come nearest first",
        arguments: [
            ("lst", ["last", "list"]), ("lits", ["list"]), ("LIST", ["list", "last"]), ("peolpe", ["people"]),
            ("helo", ["hello"]), ("hel", ["hello"]), ("b", ["a"]), ("peo", ["people", "people/add", "people/remove"]),
            ("people/ad", ["people/add"]), ("people/remvoe", ["people/remove"]),
        ])
    func near(written: String, expected: [String]) {
        #expect(nearestNames(to: written, in: names) == expected)
    }

    @Test("nothing is near to nothing, to something else, or among no names", arguments: ["", "weather", "xyz"])
    func far(written: String) {
        #expect(nearestNames(to: written, in: names) == [])
        #expect(nearestNames(to: "list", in: []) == [])
    }

    @Test("at most three names are told")
    func three() {
        #expect(nearestNames(to: "item", in: (1...9).map { "item\($0)" }) == ["item1", "item2", "item3"])
    }

    @Test("a very long name is compared by its beginning, and takes no time")
    func long() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(nearestNames(to: long, in: [long + "y", "list"]) == [long + "y"])
    }
}
