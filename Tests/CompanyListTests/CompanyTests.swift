import Testing
import ViperKit

@testable import CompanyList

struct CompanyTests {
    private static let people = ["Ada Ng beta", "Bob Ng Acme", "Cy Ito beta"].map { text in
        let words = text.split(separator: " ").map(String.init)
        return Person(id: words[0], first: words[0], last: words[1], company: words[2], balance: "$1.00")
    }

    @Test(
        "A search finds the people of a company, and people by their whole name, in upper or lower case",
        arguments: [
            ("", "Acme Bob, beta Ada Cy"), ("NG", "Acme Bob, beta Ada"), ("bet", "beta Ada Cy"), ("ada n", "beta Ada"),
            ("acme", "Acme Bob"), ("x", ""),
        ])
    func search(text: String, found: String) async {
        let all = await Company.companies(of: Self.people)
        let companies = await Company.companies(all, containing: text)
        let texts = companies.map { ([$0.name] + $0.people.map(\.id)).joined(separator: " ") }
        #expect(texts.joined(separator: ", ") == found)
    }

    @Test("The found people are shown page by page, across companies, and another search starts again")
    func pages() {
        var found = FoundPeople(text: "")
        found.companies = (0..<9).map { company in
            Company(
                name: "C\(company)",
                people: (0..<5).map {
                    Person(id: "\(company) \($0)", first: "A", last: "B", company: "C", balance: "")
                })
        }
        func shown() -> [Int] { found.sections.map(\.rows.count) }
        func status() -> [String?] { found.sections.map { $0.more?.status } }
        #expect(shown() == [5, 5, 5, 5] && status() == [nil, nil, nil, "20 of 45"])
        found.showMore()
        #expect(shown().count == 8 && status().last == "40 of 45")
        found.showMore()
        #expect(shown().count == 9 && status().allSatisfy { $0 == nil })
        found.text = "a"
        #expect(shown().count == 4)
        found.companies = []
        #expect(found.sections.isEmpty)
    }
}
