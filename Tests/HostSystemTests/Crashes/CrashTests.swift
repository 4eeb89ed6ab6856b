import Testing

@testable import HostSystem

struct CrashTests {
    private static let digest = String(repeating: "a", count: 64)

    @Test("A report with a module has the signal, the time, the module, its version, digest and function")
    func module() throws {
        let crash = try #require(Crash(report: "1 11 1769860800 people 1.2.0 \(Self.digest) $s4Main3runyyF\n".utf8))
        #expect(crash.signal == 11 && crash.time == 1_769_860_800 && crash.digest == Digest(Self.digest))
        #expect(crash.moduleAtFault?.name == "people" && crash.moduleAtFault?.version == "1.2.0")
        #expect(
            crash.description
                == "was terminated by signal 11 (Segmentation fault) in module people 1.2.0, in Main.run() -> ()")
        #expect(crash.when == "2026-01-31T12:00:00Z")
    }

    @Test("A report without a module blames unknown code")
    func unknown() throws {
        let crash = try #require(Crash(report: "1 6 0 - - - -\n".utf8))
        #expect(crash.moduleAtFault == nil && crash.digest == nil)
        #expect(crash.description == "was terminated by signal 6 (Aborted) in unknown code")
    }

    @Test(
        "An incomplete or damaged report is no crash",
        arguments: [
            "", "\n", "1", "1 6 0 - - - -", "2 6 0 - - - -\n", "1 0 0 - - - -\n", "1 65 0 - - - -\n",
            "1 6 -1 - - - -\n", "1 6 99999999999999999999 - - - -\n", "1 6 0 - - -\n", "1 6 0 - - - - -\n",
            "1 6 0 a\tb 1 - -\n", "1 6 0 ä 1 - -\n",
        ])
    func damaged(_ text: String) { #expect(Crash(report: text.utf8) == nil) }

    @Test("A report with an invalid digest has no digest")
    func invalidDigest() {
        #expect(Crash(report: "1 6 0 people 1.0.0 xyz -\n".utf8).map { $0.digest == nil } == true)
    }

    @Test("The line on standard error names the module, and other lines name none")
    func line() {
        let module = Crash.ModuleAtFault(line: "host: crash: signal 4 in module people 1.2.0", signal: 4)
        #expect(module?.description == "module people 1.2.0")
        for line in ["host: crash: signal 6 in unknown code", "host: crash: signal", "people: info: hello", ""] {
            #expect(Crash.ModuleAtFault(line: line, signal: 6) == nil)
        }
    }
}
