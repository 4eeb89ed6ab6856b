import Testing
import ViperKit

struct SDKTests {
    @Test("The SDK's version is two integers")
    func version() throws {
        let parts = SDK.version.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        #expect(parts.allSatisfy { Int($0) != nil })
    }
}
