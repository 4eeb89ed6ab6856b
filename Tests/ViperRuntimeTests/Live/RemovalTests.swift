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
struct RemovalTests {
    private let root: ChangingRoot

    init() throws { root = try ChangingRoot() }

    @Test("A rescan returns after missing modules were removed, also while other rescans wait")
    func removedAtOnce() async throws {
        try root.put(ManifestText("stays", library: "libStays.so", routes: ["stays"]))
        let host = try ViperHost(root.configuration)
        let goes = ManifestText("goes", library: "libGoes.so", routes: ["goes"])
        for _ in 0..<20 {
            try root.put(goes)
            await host.rescan()
            #expect(host.registry.snapshot.module(from: "Manifests/goes.json") != nil)
            // The first rescan runs, the second waits for it, and the third for the second.
            async let first: Void = host.reconciler.settle()
            try root.remove("Manifests/goes.json")
            async let second: Void = host.reconciler.settle()
            async let third: Void = host.rescan()
            await third
            #expect(host.registry.snapshot.module(from: "Manifests/goes.json") == nil)
            (_, _) = await (first, second)
        }
        await host.shutDown()
    }

    @Test("A loaded module is removed when the target of its library's link is removed")
    func danglingLink() async throws {
        let packed = try await root.packed()
        try FileManager.default.createSymbolicLink(
            atPath: root.path + "/Plugins/libVersion.so", withDestinationPath: packed)
        let host = try root.host()
        try await host.opened("version").closeAll()
        #expect(host.registry.snapshot.module(from: "Plugins/libVersion.so")?.state == .active)
        try FileManager.default.removeItem(atPath: packed)
        await host.rescan()
        #expect(host.registry.snapshot.routes["version"] == nil)
        await host.shutDown()
    }
}
