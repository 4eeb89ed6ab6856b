import Testing
import ViperKit
import ViperTesting

@testable import CompanyList

/// The search and the chart, in the whole module with in-memory files.
@MainActor
struct CompanySearchTests {
    private static let file = """
        [{"_id": "z", "name": {"first": "Zoe", "last": "Ng"}, "company": "ZETA", "balance": "$1.00"},
         {"_id": "m", "name": {"first": "Maximilian", "last": "Ito"}, "company": "Alpha", "balance": "$2,000.00"},
         {"_id": "a", "name": {"first": "Ada", "last": "Lovelace"}, "company": "ZETA", "balance": "$300.00"}]
        """

    private func host(_ file: String?) throws -> TestHost {
        try TestHost(CompanyListModule.self, manifest: "company-list.json") { services in
            services.provide(.fileReader, FakeFileReader(file.map { ["company.json": $0] } ?? [:]))
            services.stub("details", showing: { request in Details(request) })
        }
    }

    private final class Details: View {
        let screen: Screen
        init(_ request: RouteRequest) {
            screen = Screen(title: (try? request.parameter("title", as: String.self)) ?? "nothing")
        }
    }

    @Test("The search filters the people while a text is entered, and a person opens")
    func search() async throws {
        let scene = try await host(Self.file).open("list/search")
        #expect(
            scene.text == """
                Companies
                Alpha
                  Maximilian Ito   $2,000.00
                ZETA
                  Zoe Ng           $1.00
                  Ada Lovelace     $300.00
                  Search   []  (name of a person or company)
                  [chart] Balances by company
                  [refresh] Refresh

                """)
        try await scene.fill("search", "zet")
        #expect(scene.screen.sections.map(\.title) == ["ZETA"])
        try await scene.fill("search", "lov")
        #expect(scene.screen.sections.flatMap(\.rows).map(\.id) == ["a"])
        try await scene.select("a")
        #expect(scene.screen.title == "Ada Lovelace")
        await scene.expectDeallocated()
    }

    @Test("A search without a result says so, and a refresh keeps it")
    func nothing() async throws {
        let scene = try await host(Self.file).open("list/search")
        try await scene.fill("search", "q")
        #expect(scene.screen.sections.isEmpty && scene.screen.emptyText == "No name contains q")
        try await scene.press("refresh")
        #expect(scene.screen.sections.isEmpty && scene.screen.form?.fields.first?.value == "q")
        await scene.expectDeallocated()
    }

    @Test("Without content the search and the chart are empty", arguments: [nil, "", "[]"] as [String?])
    func noContent(file: String?) async throws {
        let host = try host(file)
        #expect(try await host.open("list/search").screen.emptyText == "No content to show")
        #expect(try await host.open("list/chart").screen.emptyText == "No content to show")
    }

    @Test("A damaged file is an error of the search and of the chart, which can be dismissed")
    func damaged() async throws {
        let host = try host("[")
        for (route, title) in [("list/search", "Cannot read the people"), ("list/chart", "Cannot read the balances")] {
            let scene = try await host.open(route)
            #expect(scene.screen.alert?.title == title)
            #expect(scene.screen.progress == nil && !scene.screen.isLoading)
            try await scene.press("dismiss")
            #expect(scene.screen.alert == nil)
        }
    }

    @Test("The chart has a bar for each company, and a company opens its people")
    func chart() async throws {
        let scene = try await host(Self.file).open("list/search")
        try await scene.press("chart")
        #expect(
            scene.text == """
                Balances by company
                  Company     Balance
                  Alpha     $2,000.00
                  ZETA        $301.00
                  Together $2,301.00
                  [refresh] Refresh
                  [close] Close

                """)
        let section = try #require(scene.screen.sections.first)
        #expect(section.kind == .barChart && section.rows.map(\.numbers) == [[2000], [301]])
        try await scene.select("ZETA")
        #expect(scene.screen.title == "Companies" && scene.screen.form?.fields.first?.value == "ZETA")
        #expect(scene.screen.sections.flatMap(\.rows).map(\.id) == ["z", "a"])
        await scene.expectDeallocated()
    }

    @Test("The chart shows the largest balances first, offers more, and tells what is left out")
    func manyBars() async throws {
        let people = (0..<45).map {
            #"{"_id": "\#($0)", "name": {"first": "A", "last": "B"}, "company": "C\#($0)", "balance": "$\#($0).00"}"#
        }
        let other = #"{"_id": "x", "name": {"first": "A", "last": "B"}, "company": "C", "balance": "much"}"#
        let scene = try await host("[\((people + [other]).joined(separator: ","))]").open("list/chart")
        func section() throws -> Section { try #require(scene.screen.sections.first) }
        #expect(try section().rows.first?.id == "C44")
        #expect(try section().rows.count == 20)
        #expect(try section().more?.status == "20 of 45")
        let footer = "Together $990.00\nWithout 1 person, whose balance cannot be added"
        #expect(try section().footer == footer)
        try await scene.press("more")
        try await scene.press("more")
        #expect(try section().rows.count == 45)
        #expect(try section().more == nil)
    }
}
