import Foundation
import HostDriver
import TestSupport
import Testing

/// The loaded libraries, according to the dynamic linker's log.
@Suite(.fewAtOnce)
struct LoadingTests {
    /// Runs the host, and returns the paths of the libraries that it loads dynamically.
    private func loaded(
        _ root: ScratchRoot, _ command: String..., environment: [String: String] = [:]
    ) async throws -> [String] {
        let log = root.folder.path + "/ld"
        let variables = ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log].merging(environment) { $1 }
        let result = try await root.host(environment: variables) { $0.arguments = command + $0.arguments }
        #expect(result.ending == .code(0), "\(result)")
        // One log per program. `env` becomes the host, so both have the same process id.
        let logs = try FileManager.default.contentsOfDirectory(atPath: root.folder.path).filter { $0.hasPrefix("ld.") }
        #expect(logs.count == 1)
        let text = try logs.map { try String(contentsOfFile: "\(root.folder.path)/\($0)", encoding: .utf8) }.joined()
        for name in logs { try FileManager.default.removeItem(atPath: "\(root.folder.path)/\(name)") }
        #expect(text.contains("file=libViperKit.so [0];  needed by"), "the log has another form than this test reads")
        // The linker also logs checks for an already loaded library, which generate no link map. A checked library that
        // a module needs gets its link map later. The host loads a library by its path, and checks for its name.
        return text.matches(of: /file=(\S*\/\S+) \[0\];  dynamically loaded by/).map { String($0.output.1) }.filter {
            text.contains("file=\($0) [0];  generating link map")
        }
    }

    private func rootWithModules() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.twin, .twin)
        try await root.add(.workshop, .workshop)
        return root
    }

    @Test("Listings and help load no module", arguments: ["routes", "modules", "services", "--help", "--version"])
    func listings(command: String) async throws {
        #expect(try await loaded(rootWithModules(), command) == [])
    }

    @Test("Opening a route loads its module once, and no other module")
    func run() async throws {
        let root = try await rootWithModules()
        for (route, library) in [("list", "libCompanyList.so"), ("twin", "libTwin.so")] {
            // The host loads the libraries of Swift that a module needs by their paths.
            let paths = try await loaded(root, "run", route).filter { !$0.contains("/libswift") }
            try #require(paths.count == 1, "\(paths)")
            // Loaded through the descriptor of the host's private folder.
            #expect(paths[0].contains(/^\/proc\/\d+\/fd\/\d+\//) && paths[0].hasSuffix(library), "\(paths)")
        }
    }

    @Test("An empty TMPDIR counts as unset")
    func emptyTemporaryFolder() async throws {
        let result = try await ScratchRoot().host("run", "list", "--verbose", environment: ["TMPDIR": ""])
        #expect(result.errors.contains("loading libCompanyList.so as /tmp/viper-host-"), "\(result)")
    }

    @Test("A route with a missing parameter loads no module")
    func wrongParameter() async throws {
        let root = try await rootWithModules()
        let log = root.folder.path + "/ld"
        let result = try await root.host(
            "run", "workshop/greet", environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log])
        #expect(result.ending == .code(64))
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: root.folder.path).first { $0.hasPrefix("ld.") })
        let text = try String(contentsOfFile: "\(root.folder.path)/\(name)", encoding: .utf8)
        #expect(text.contains("libViperKit.so") && !text.contains("dynamically loaded"))
    }
}
