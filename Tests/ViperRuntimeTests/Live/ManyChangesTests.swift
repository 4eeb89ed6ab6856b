import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime
@testable import ViperRuntime

@MainActor
@Suite(.fewAtOnce, .hangLimit)
struct ManyChangesTests {
    private let root: ChangingRoot

    init() throws { root = try ChangingRoot() }

    @Test("Many modules that are not loaded change in a single step")
    func single() async throws {
        let routes = (0..<20).flatMap { ["m\($0)", "more\($0)"] }
        try await root.put(.version("1", routes: routes), as: "libVersion.so")
        var manifests = (0..<20).map { ManifestText("m\($0)", library: "libVersion.so", routes: ["m\($0)"]) }
        for manifest in manifests { try root.put(manifest) }
        let host = try root.host()
        for index in manifests.indices { manifests[index].routes.append("more\(index)") }
        // This version cannot be used, so only the others change.
        manifests[7].requires = ["missing"]
        for manifest in manifests { try root.put(manifest) }
        await host.rescan()
        let modules = host.registry.snapshot.modules.filter { $0.name != "m7" }
        #expect(modules.count == 19 && modules.allSatisfy { $0.state == .resolved && $0.replacements == 1 })
        #expect(Set(modules.map(\.revision)).count == 1)
        let rejected = try #require(host.registry.snapshot.modules.first { $0.name == "m7" })
        #expect(rejected.state == .resolved && rejected.rejection?.code == .requirementUnmet)
        #expect(host.registry.snapshot.routes.count == 39)
        await host.shutDown()
    }

    @Test("A change is applied while many new modules are still checked")
    func turns() async throws {
        let crash = "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1"
        let library = try Data(
            contentsOf: URL(filePath: await ModuleFixture.version("1", making: crash).compiled()))
        let host = try root.host()
        let count = 16
        for number in 0..<count {
            // Each library has a different digest, so each of them is checked.
            try root.put(library + Data("\(number)".utf8), as: "lib\(number).so")
            try root.put(ManifestText("m\(number)", library: "lib\(number).so", routes: ["m\(number)"]))
        }
        var changes = host.registry.changes().makeAsyncIterator()
        let folder = root.path + "/Manifests"
        host.watch()
        var refused = 0
        while refused == 0, let change = await changes.next() { refused += change.state == "refused" ? 1 : 0 }
        try root.scratch.write(ManifestText("late", library: "lib0.so", routes: ["late"]).text, to: "late")
        #expect(rename(root.scratch.path + "/late", folder + "/late.json") == 0)
        while let change = await changes.next(), change.module != "late" {
            refused += change.state == "refused" ? 1 : 0
        }
        #expect(refused < count)
        await host.rescan()
        #expect(host.registry.snapshot.modules.filter(\.state.isRefused).count == count + 1)
        await host.shutDown()
    }
}
