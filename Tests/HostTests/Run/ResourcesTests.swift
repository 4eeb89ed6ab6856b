import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct ResourcesTests {
    @Test("Missing resources cause a warning when their module is loaded, and do not refuse it")
    func missing() async throws {
        let root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Plugins/CompanyList")
        let result = try await root.host("run", "list")
        #expect(result.ending == .code(0))
        #expect(
            result.errors
                == "host: warning: Manifests/company-list.json: missing resource folder "
                + "\(root.path)/Plugins/CompanyList/Resources\n")
        #expect(result.text.contains("! No content to show\n"))
        #expect(try await root.host("routes").errors == "")
    }
}
