import Foundation
import HostDriver
import TestSupport
import Testing

/// Modules that are added by copying two files, and removed by deleting one.
@Suite(.fewAtOnce)
struct DropInTests {
    private static let twinScreen = "Another list\nTwins\n  Ada   36\n"

    @Test("A module unknown to the package can be dropped in, even with the type names of a bundled one")
    func dropIn() async throws {
        let hostBefore = try Data(contentsOf: URL(filePath: Products.host))
        let root = try ScratchRoot()
        #expect(!(try await root.host("routes").text.contains("twin")))

        try await root.add(.twin, .twin)
        #expect(
            try await root.host("routes").text == """
                ROUTE        PARAMETERS     MODULE        STATE     SUMMARY
                list                        company-list  resolved  Lists people by company
                list/chart                  company-list  resolved  Compares the balances of the companies
                list/search  [text=STRING]  company-list  resolved  Searches the people of the list
                person       id=STRING      company-list  resolved  Shows one person of the list
                twin                        twin          resolved  Shows twin

                """)
        let twin = try await root.host("run", "twin")
        #expect(twin.ending == .code(0))
        #expect(twin.text == Self.twinScreen)
        #expect(twin.errors == "")
        #expect(try await root.host("run", "list").text == RunTests.list)
        #expect(try Data(contentsOf: URL(filePath: Products.host)) == hostBefore)
    }

    @Test("Removing a module's library disables its route and nothing else")
    func takeAway() async throws {
        let host = try await BareHost()
        let root = try ScratchRoot(executable: host.executable)
        try await root.add(.twin, .twin)
        let list = try await root.host("run", "list")
        #expect(list.ending == .code(78))
        #expect(list.text == "")
        #expect(
            list.errors == """
                host: cannot load library "libCompanyList.so": it does not exist
                  looked in  \(root.path)/Plugins
                  looked in  \(host.folder)
                  fix: copy it to Plugins, or build it with swift build or host build

                """)
        #expect(try await root.host("run", "twin").text == Self.twinScreen)
        #expect(try await root.host("routes").ending == .code(0))
        let modules = try await root.host("modules").text
        #expect(
            modules.contains("\ncompany-list  1.0.0    refused   libCompanyList.so  Manifests/company-list.json\n"),
            "\(modules)")
        #expect(
            modules.contains("\ntwin          1.0.0    resolved  libTwin.so         Manifests/twin.json\n"),
            "\(modules)")

        try root.copy(Products.companyList, to: "libCompanyList.so")
        #expect(try await root.host("run", "list").text == RunTests.list)
    }

    @Test("The host's executable contains no module name")
    func noSymbols() throws {
        let executable = try Data(contentsOf: URL(filePath: Products.host))
        let modules = try FileManager.default.contentsOfDirectory(atPath: Products.repository + "/Plugins")
            .filter { !$0.contains(".") }
        #expect(modules.contains("CompanyList"))
        for module in modules {
            let library = try Data(contentsOf: URL(filePath: "\(Products.folder)/lib\(module).so"))
            // The start of all symbols of the module. The host may have a type of the same name.
            let symbol = Data("$s\(module.utf8.count)\(module)".utf8)
            #expect(library.range(of: symbol) != nil, "the search finds nothing where there is something")
            #expect(executable.range(of: symbol) == nil, "\(module)")
            #expect(executable.range(of: Data("lib\(module)".utf8)) == nil, "\(module)")
        }
    }

    @Test("If two libraries with one name differ, the one in Plugins is used with a warning")
    func differing() async throws {
        let root = try ScratchRoot()
        try await root.copy(ModuleFixture.twin.compiled(), to: "libCompanyList.so")
        let result = try await root.host("run", "list")
        #expect(result.ending == .code(0))
        #expect(result.text == Self.twinScreen)
        #expect(
            result.errors == "host: warning: libCompanyList.so in \(root.path)/Plugins differs from the one in "
                + "\(Products.folder); the first is used\n")
    }

    @Test("Two identical copies of a library cause no warning")
    func sameLibrary() async throws {
        let root = try ScratchRoot()
        try root.copy(Products.companyList, to: "libCompanyList.so")
        let result = try await root.host("run", "list")
        #expect(result.text == RunTests.list)
        #expect(result.errors == "")
    }
}
