import FoundationEssentials
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog
@testable import ModuleRuntime
@testable import ViperRuntime

/// A host whose root has real libraries, but no working modules.
@MainActor
@Suite(.fewAtOnce, .hangLimit)
struct HostRootTests {
    private let scratch: ScratchFolder

    init() async throws {
        scratch = try ScratchFolder()
        let good = try await SmallLibrary(source: "void *viper_entry_v1_One(void) { return 0; }").bytes()
        try scratch.write(manifestText("good", routes: ["good"], requires: ["logger"]), to: "Manifests/good.json")
        try scratch.write(Data(good), to: "Plugins/libgood.so")
        try scratch.write(manifestText("text", routes: ["text"]), to: "Manifests/text.json")
        try scratch.write("no library", to: "Plugins/libtext.so")
        try scratch.write(manifestText("gone", routes: ["gone"]), to: "Manifests/gone.json")
        try scratch.write(Data(good.prefix(300)), to: "Plugins/libcut.so")
        try scratch.write(manifestText("cut", routes: ["cut"]), to: "Manifests/cut.json")
        try scratch.write("{", to: "Manifests/broken.json")
        try scratch.write("", to: "Plugins/libstray.so")
    }

    private func host() throws -> ViperHost {
        try ViperHost(
            ViperHost.Configuration(
                root: Root(path: scratch.path, executableFolder: "/nonexistent"), stateIn: scratch))
    }

    private static let services: Set = [
        "clock", "configuration", "credential-store", "data-provider", "file-reader", "json", "listening-sockets",
        "logger", "registry",
        "state-folder", "windows",
    ]

    private func states(_ host: ViperHost) -> [String] {
        host.registry.snapshot.modules.map { "\($0.name) \($0.state.name)" }
    }

    @Test("A host lists its modules, routes, services and unreferenced libraries without reading libraries")
    func listing() throws {
        let host = try host()
        #expect(states(host) == ["broken refused", "cut resolved", "gone resolved", "good resolved", "text resolved"])
        #expect(host.registry.snapshot.routes.all.map(\.route.name) == ["cut", "gone", "good", "text"])
        #expect(host.registry.snapshot.hostServices == Self.services)
        #expect(host.unreferencedLibraries == ["libstray.so"])
    }

    @Test("Checking the libraries refuses only the modules whose libraries are unusable")
    func checkLibraries() throws {
        let host = try host()
        host.checkLibraries()
        #expect(states(host) == ["broken refused", "cut refused", "gone refused", "good resolved", "text refused"])
        let causes = host.registry.snapshot.modules.compactMap(\.state.refusal?.code)
        #expect(causes == [.manifestInvalid, .libraryInvalid, .libraryMissing, .libraryInvalid])
    }

    @Test("Opening a route throws the error of its own module and loads no other module")
    func open() async throws {
        let host = try host()
        for (route, code) in [
            ("text", ViperError.Code.libraryInvalid), ("gone", .libraryMissing), ("good", .libraryFailed),
        ] {
            let error = try await #require(throws: ViperError.self) {
                _ = try await host.opened(route)
            }
            #expect(error.code == code)
        }
        #expect(states(host) == ["broken refused", "cut resolved", "gone refused", "good refused", "text refused"])
        await host.shutDown()
    }

    @Test("Host services are bound to the module that resolves them")
    func hostServices() async throws {
        let lines = Steps()
        var configuration = ViperHost.Configuration(root: Root(path: scratch.path, executableFolder: "/nonexistent"))
        configuration.logger = LineLogger(source: "host", minimum: .info) { lines.add($0) }
        let container = HostServices.container(configuration)
        try scratch.write("text", to: "data/file.txt")
        func services(_ module: String, _ folder: String) -> ModuleServices {
            ModuleServices(
                consumer: ServiceConsumer(
                    module: module, manifestFile: "", allowed: ["logger", "file-reader"],
                    folders: ["\(scratch.path)/\(folder)"]),
                own: container, host: container, providers: [:])
        }
        try await services("one", "").resolveOrCreate(.logger).log(.info, "hello")
        try await services("two", "").resolveOrCreate(.logger).log(.warning, "hello")
        #expect(lines.all == ["one: info: hello", "two: warning: hello"])
        #expect(try await services("one", "data").resolveOrCreate(.fileReader).read("file.txt") == Array("text".utf8))
        await #expect(throws: ViperError.self) {
            _ = try await services("two", "Plugins").resolveOrCreate(.fileReader).read("file.txt")
        }
    }
}
