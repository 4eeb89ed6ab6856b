import Testing
import ViperKit
import ViperTesting

struct MistakeTests {
    @Test("Makes the mistake that the parent process requests", arguments: Mistake.asked)
    func make(_ mistake: Mistake) async throws {
        switch mistake.testDescription {
        case "other screen": expectSnapshot(SnapshotTests.screen(("One", "1"), ("Six", "6"), ("Ten", "0")), "two-rows")
        case "missing snapshot": expectSnapshot(SnapshotTests.screen(), "no-such-snapshot")
        case "leak": try await Leaky.scene(leaking: true).expectDeallocated()
        case "closed scene":
            let scene = try await Leaky.scene(leaking: false)
            await scene.close()
            await scene.expectDeallocated()
        case "unscripted request":
            let client = ScriptedHTTPClient(["POST /": []])
            _ = try? await client.send(HTTPRequest(method: "POST", url: "http://test"))
        case "undeclared route": try await Wanderer.open("somewhere?far=away")
        case "closed provider":
            await checkDataProvider { _ -> MemoryDataProvider in
                throw ViperError(.storeFailed, operation: "cannot open", subject: "store", cause: "the test says so")
            }
        case let text:
            let name = text.split(separator: " ").last.map(String.init) ?? ""
            let defect = try #require(FaultyDataProvider.Defect(rawValue: name))
            let stores = Stores { FaultyDataProvider(defect) }
            await checkDataProvider { stores.open($0) }
        }
    }
}
