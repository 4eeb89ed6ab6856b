import Foundation
import TestSupport
import Testing

/// What is loaded, by the dynamic linker's own log.
struct LoadingTests {
    /// Runs the host, and returns the names of the libraries that were loaded while it ran, without those that it links.
    private func loaded(_ root: ScratchRoot, _ command: String...) async throws -> [String] {
        let log = root.folder.path + "/ld"
        let result = try await root.host(environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log]) { child in
            child.arguments = command + child.arguments
        }
        #expect(result.ending == .code(0), "\(result)")
        // One log for each program: env, which becomes the host, has the same process number.
        let logs = try FileManager.default.contentsOfDirectory(atPath: root.folder.path).filter { $0.hasPrefix("ld.") }
        #expect(logs.count == 1)
        let text = try logs.map { try String(contentsOfFile: "\(root.folder.path)/\($0)", encoding: .utf8) }.joined()
        for name in logs { try FileManager.default.removeItem(atPath: "\(root.folder.path)/\(name)") }
        #expect(text.contains("file=libViperKit.so [0];  needed by"), "the log has another form than this test reads")
        return text.matches(of: /file=(\S+) \[0\];  dynamically loaded by/).map { match in
            URL(filePath: String(match.output.1)).lastPathComponent
        }
    }

    private func rootWithModules() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.twin, .twin)
        try await root.add(.workshop, .workshop)
        return root
    }

    @Test("listings and help load no module", arguments: ["routes", "modules", "services", "--help", "--version"])
    func listings(command: String) async throws {
        #expect(try await loaded(rootWithModules(), command) == [])
    }

    @Test("opening a route loads its module, once, and no other")
    func run() async throws {
        let root = try await rootWithModules()
        let list = try await loaded(root, "run", "list")
        #expect(list.count == 1 && list.first?.hasSuffix("libCompanyList.so") == true, "\(list)")
        let twin = try await loaded(root, "run", "twin")
        #expect(twin.count == 1 && twin.first?.hasSuffix("libTwin.so") == true, "\(twin)")
    }

    @Test("a route that cannot be opened loads nothing")
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
