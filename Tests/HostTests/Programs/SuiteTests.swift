import Foundation
import HostDriver
import TestSupport
import Testing

/// The test run itself: it depends on nothing that belongs to its user, and counts what it skips.
@Suite(.fewAtOnce, .hangLimit)
struct SuiteTests {
    @Test("No program that a test starts has the home folder or the variables of the user")
    func environment() async throws {
        let root = try ScratchRoot()
        for environment in [[:], root.environment] {
            let child = ChildProcess("env", [], environment: environment)
            let lines = try await child.run().text.split(separator: "\n")
            let home = try #require(lines.first { $0.hasPrefix("HOME=") }?.dropFirst(5))
            #expect(home.contains("/viper-tests-"))
            #expect(!lines.contains { $0.hasPrefix("XDG_") && !$0.contains("/viper-tests-") }, "\(lines)")
        }
    }

    @Test("A test that needs a missing program is skipped, and the last line counts it with its reason")
    func skipped() async throws {
        let scratch = try ScratchFolder()
        // The programs that the run itself needs. Python is missing.
        for program in ["sh", "cat", "rm", "setsid"] {
            let path = try await Tool.run("sh", ["-c", "command -v \(program)"]).dropLast()
            try scratch.write("", to: "bin/.keep")
            try FileManager.default.createSymbolicLink(
                atPath: "\(scratch.path)/bin/\(program)", withDestinationPath: String(path))
        }
        let child = ChildProcess(
            Products.tests, ["--testing-library", "swift-testing", "--filter", "SchemaAgreementTests"],
            environment: ["PATH": scratch.path + "/bin"])
        let result = try await child.run()
        #expect(result.ending == .code(0), "\(result)")
        let last = result.errors.split(separator: "\n").last
        #expect(last == "skipped: 2 tests need Python 3 with the package jsonschema", "\(result)")
    }
}
