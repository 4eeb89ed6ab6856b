import Testing

@testable import HostSystem

struct NearestNamesTests {
    private let names = ["list", "last", "people", "people/add", "people/remove", "hello", "a"]

    @Test(
        "Similar names are returned, closest first",
        arguments: [
            ("lst", ["last", "list"]), ("lits", ["list"]), ("LIST", ["list", "last"]), ("peolpe", ["people"]),
            ("helo", ["hello"]), ("hel", ["hello"]), ("b", ["a"]), ("peo", ["people", "people/add", "people/remove"]),
            ("people/ad", ["people/add"]), ("people/remvoe", ["people/remove"]),
        ])
    func near(written: String, expected: [String]) {
        #expect(nearestNames(to: written, in: names) == expected)
    }

    @Test("An empty or unrelated name and an empty list have no matches", arguments: ["", "weather", "xyz"])
    func noMatch(written: String) {
        #expect(nearestNames(to: written, in: names) == [])
        #expect(nearestNames(to: "list", in: []) == [])
    }

    @Test("At most three names are returned")
    func limit() {
        #expect(nearestNames(to: "item", in: (1...9).map { "item\($0)" }) == ["item1", "item2", "item3"])
    }

    @Test("A name of a million characters is matched")
    func long() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(nearestNames(to: long, in: [long + "y", "list"]) == [long + "y"])
    }
}
