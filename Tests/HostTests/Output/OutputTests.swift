import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct OutputTests {
    @Test("A screen as JSON has the expected title, sections and rows")
    func screenJSON() async throws {
        let result = try await ScratchRoot().host("run", "list", "--format", "json")
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
        let screen = try JSONDecoder().decode(ShownScreen.self, from: result.output)
        #expect(screen.title == "People by company")
        #expect(screen.sections.map(\.title) == ["COMSTAR", "PERMADYNE", "RECRISYS"])
        #expect(
            screen.sections.first?.rows.first
                == ShownRow(id: "58f9a19680685a4e1e6d5016", title: "Bertha Irwin", detail: "$2,107.15"))
        #expect(screen.sections.flatMap(\.rows).count == 6)
    }

    @Test("Routes, modules and services as JSON have the content of the tables")
    func listingsJSON() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        try root.add(manifest: "[]", as: "broken.json")
        try root.copy(Products.companyList, to: "libStray.so")

        let routes = try await root.host("routes", "--format=json")
        #expect(
            try JSONDecoder().decode([ShownRoute].self, from: routes.output) == [
                ShownRoute(route: "list", usage: "", module: "company-list", summary: "Lists people by company"),
                ShownRoute(
                    route: "list/chart", usage: "", module: "company-list",
                    summary: "Compares the balances of the companies"),
                ShownRoute(
                    route: "list/search", usage: "[text=STRING]", module: "company-list",
                    summary: "Searches the people of the list"),
                ShownRoute(
                    route: "person", usage: "id=STRING", module: "company-list",
                    summary: "Shows one person of the list"),
                ShownRoute(route: "workshop/form", usage: "", module: "workshop", summary: "Shows workshop/form"),
                ShownRoute(
                    route: "workshop/greet",
                    usage: "who=STRING [times=INTEGER] [loud=BOOLEAN] [height=NUMBER]", module: "workshop",
                    summary: "Greets somebody"),
                ShownRoute(route: "workshop/wide", usage: "", module: "workshop", summary: "Shows workshop/wide"),
            ])

        let modules = try await root.host("modules", "--format", "json")
        let listing = try JSONDecoder().decode(ShownModules.self, from: modules.output)
        #expect(listing.modules.map(\.module) == ["broken", "company-list", "workshop"])
        #expect(listing.modules.map(\.state) == ["refused", "resolved", "resolved"])
        #expect(listing.modules.map(\.version) == [nil, "1.0.0", "1.0.0"])
        #expect(listing.modules.map(\.library) == [nil, "libCompanyList.so", "libWorkshop.so"])
        #expect(listing.modules.map(\.refusal?.code) == ["manifest-invalid", nil, nil])
        #expect(listing.unreferencedLibraries == ["libStray.so"])

        let services = try await root.host("services", "--format", "json")
        #expect(
            try JSONDecoder().decode([ShownService].self, from: services.output) == [
                ShownService(service: "clock", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "configuration", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "credential-store", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "data-provider", providedBy: ["json"], selected: "json", requiredBy: []),
                ShownService(
                    service: "file-reader", providedBy: ["host"], selected: "host", requiredBy: ["company-list"]),
                ShownService(service: "json", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "listening-sockets", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "logger", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "registry", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "state-folder", providedBy: ["host"], selected: "host", requiredBy: []),
                ShownService(service: "windows", providedBy: ["host"], selected: "host", requiredBy: []),
            ])
        for result in [routes, modules, services] {
            #expect(result.ending == .code(0))
            #expect(result.errors == "")
        }
    }

    @Test("Tables have one row for each route and service")
    func tables() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        #expect(
            try await root.host("routes").text == """
                ROUTE           PARAMETERS                                                 MODULE        STATE     SUMMARY
                list                                                                       company-list  resolved  Lists people by company
                list/chart                                                                 company-list  resolved  Compares the balances of the companies
                list/search     [text=STRING]                                              company-list  resolved  Searches the people of the list
                person          id=STRING                                                  company-list  resolved  Shows one person of the list
                workshop/form                                                              workshop      resolved  Shows workshop/form
                workshop/greet  who=STRING [times=INTEGER] [loud=BOOLEAN] [height=NUMBER]  workshop      resolved  Greets somebody
                workshop/wide                                                              workshop      resolved  Shows workshop/wide

                """)
        #expect(
            try await root.host("services").text == """
                SERVICE            PROVIDED BY  REQUIRED BY
                clock              host
                configuration      host
                credential-store   host
                data-provider      json
                file-reader        host         company-list
                json               host
                listening-sockets  host
                logger             host
                registry           host
                state-folder       host
                windows            host

                """)
    }

    @Test("A listing that omits refused modules warns on standard error only")
    func warning() async throws {
        let root = try ScratchRoot()
        try root.add(manifest: "", as: "empty.json")
        let result = try await root.host("routes")
        #expect(result.ending == .code(0))
        #expect(result.errors == "host: warning: refused modules: empty; host modules shows the reasons\n")
        #expect(
            result.text == """
                ROUTE        PARAMETERS     MODULE        STATE     SUMMARY
                list                        company-list  resolved  Lists people by company
                list/chart                  company-list  resolved  Compares the balances of the companies
                list/search  [text=STRING]  company-list  resolved  Searches the people of the list
                person       id=STRING      company-list  resolved  Shows one person of the list

                """)
    }

    @Test(
        "A failed write of the output exits with 74",
        arguments: ["run", "routes", "modules", "services", "--help", "--version"])
    func fullDevice(command: String) async throws {
        let result = try await ScratchRoot().host(command) { child in
            if command == "run" { child.arguments.insert("list", at: 1) }
            child.output = .file("/dev/full")
        }
        #expect(result.ending == .code(74))
        #expect(result.errors == "host: cannot write \"the output\": No space left on device\n")
    }

    @Test("Wide and combining characters are aligned, and control characters are replaced")
    func wide() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        // Output is UTF-8 in every locale.
        let result = try await root.host("run", "workshop/wide", environment: ["LC_ALL": "C"])
        let lines = result.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 8, "\(result)")
        #expect(lines[0...3] == ["Widths", "日本", "  plain    |", "  王美玲   |"])
        #expect(lines[4].unicodeScalars.elementsEqual("  e\u{301}te\u{301}      |".unicodeScalars))
        #expect(lines[5...] == ["  é        |", "  🍎       |", "  a\u{FFFD}[31m   |"])
    }

    /// Runs a program with a non-blocking pipe of one page as its output, and reads from the pipe once it is full.
    ///
    /// Prints the pipe's blocking mode, the exit code, and the number of bytes that the program has written.
    private static let slowReader = """
        import array, fcntl, os, subprocess, sys, termios, time
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        fcntl.fcntl(writing, 1031, 4096)  # F_SETPIPE_SZ
        program = subprocess.Popen(sys.argv[1:], stdout=writing)
        filled = array.array("i", [0])
        while filled[0] < 4096 and program.poll() is None:
            time.sleep(0.001)
            fcntl.ioctl(reading, termios.FIONREAD, filled)
        is_blocking = os.get_blocking(writing)
        os.close(writing)
        size = 0
        while piece := os.read(reading, 65536): size += len(piece)
        print(is_blocking, program.wait(), size)
        """

    @Test("Output to a non-blocking pipe is complete, and the pipe stays non-blocking")
    func nonBlockingOutput() async throws {
        let (root, data) = (try ScratchRoot(), try ScratchFolder())
        let people = Products.repository + "/Tests/HostTests/Run/people.py"
        _ = try await Python.process([people, "1000", data.path]).run()
        let words = ["run", "list", "--root", root.path, "--data", data.path]
        let expected = try await ChildProcess(Products.host, words).run().output.count
        try #require(expected > 4096)
        let result = try await Python.process(["-c", Self.slowReader, Products.host] + words).run()
        #expect(result.text == "False 0 \(expected)\n" && result.errors == "", "\(result)")
    }
}
