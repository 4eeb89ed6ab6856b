import Foundation
import Glibc
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog
@testable import ModuleIsolation

struct WorkerRootTests {
    private let scratch: ScratchFolder
    private let rich = """
        { "$schema": "./module.schema.json", "name": "rich", "version": "1.2.3-rc.1", "library": "libRich.so", "sdk": "1.1",
          "routes": [{ "name": "rich/one", "summary": "One \\"rich\\" thing", "parameters": [
            { "name": "n", "type": "integer", "summary": "Needed" },
            { "name": "x", "type": "number", "summary": "May be left out", "default": null },
            { "name": "t", "type": "string", "summary": "ä", "default": "ö" },
            { "name": "b", "type": "boolean", "summary": "Yes", "default": true }] }],
          "requires": ["http-client"], "optional": ["clock"], "resources": "Rich/Resources",
          "isolation": "process",
          "config": [{ "name": "depth", "type": "integer", "summary": "How deep", "default": 3 },
                     { "name": "token", "type": "string", "summary": "Secret" },
                     { "name": "spare", "type": "number", "summary": "Spare", "default": null }] }
        """

    init() throws { scratch = try ScratchFolder() }

    private func manifest(_ text: String) throws -> Manifest { try Manifest(text: Data(text.utf8), named: "m.json") }

    private func part(_ text: String, resources: String? = nil) throws -> WorkerRoot.Part {
        let manifest = try manifest(text)
        return .init(
            manifest: manifest, library: try scratch.write("code", to: "\(manifest.name).so"), resources: resources)
    }

    private var richSettings: Settings {
        var settings = Settings()
        settings.dataFolders = ["/data/one"]
        settings.stateFolder = "/state"
        settings.providers = [
            "riches": "rich", "data-provider": "json", "other": "elsewhere", "rich.data-provider": "json",
            "gone.riches": "rich", "rich.other": "elsewhere",
        ]
        settings.values = [
            .init(module: "rich", key: "depth", text: "7", origin: "--set"),
            .init(module: "rich", key: "token", text: "s3cret", origin: "--set"),
            .init(module: "elsewhere", key: "password", text: "not for it", origin: "--set"),
        ]
        return settings
    }

    @Test("A manifest is unchanged after encoding and decoding")
    func manifestRoundTrip() throws {
        for text in [rich, manifestText("plain", provides: ["riches"])] {
            let manifest = try manifest(text)
            let written = String(decoding: try FoundationJSONCoder().encode(manifest), as: UTF8.self)
            #expect(try self.manifest(written) == manifest)
        }
    }

    @Test("A worker's root has manifests without isolation, links to their files, and only the settings of its modules")
    func content() throws {
        let resources = scratch.path + "/Resources"
        try scratch.write("Ada", to: "Resources/people.txt")
        let root = try WorkerRoot(
            [part(rich, resources: resources), part(manifestText("plain"))], settings: richSettings,
            hasOwnState: false)
        let read = Root(path: root.path, executableFolder: "/nonexistent")
        let manifests = try Catalog(reading: read).entries.map { try $0.manifest.get() }
        #expect(manifests.map(\.name) == ["plain", "rich"])
        #expect(manifests.allSatisfy { $0.isolation == .none })
        #expect(try String(contentsOfFile: "\(read.plugins)/libRich.so", encoding: .utf8) == "code")
        let folder = try #require(manifests[1].resources)
        #expect(try String(contentsOfFile: "\(read.plugins)/\(folder)/people.txt", encoding: .utf8) == "Ada")
        let settings = try Settings(reading: read)
        #expect(settings.dataFolders == ["/data/one"] && settings.stateFolder == "/state")
        #expect(settings.providers == ["riches": "rich", "data-provider": "json", "rich.data-provider": "json"])
        let values = try manifests[1].configuration(under: settings).values
        #expect(values == ["depth": .integer(7), "token": .string("s3cret")])
        #expect(!(try String(contentsOfFile: root.path + "/host.json", encoding: .utf8)).contains("not for it"))
    }

    @Test("A worker's state folder is the host's own")
    func state() throws {
        let root = try WorkerRoot([part(manifestText("plain"))], settings: Settings(), hasOwnState: false)
        let settings = try Settings(reading: Root(path: root.path, executableFolder: "/nonexistent"))
        #expect(settings.stateFolder == StateRoot(Settings()).path)
    }

    @Test("Only the user can read a worker's root, and releasing it removes it but not the linked files")
    func secrecy() throws {
        var root: WorkerRoot? = try WorkerRoot([part(rich)], settings: richSettings, hasOwnState: false)
        let path = try #require(root?.path)
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path + name)[.posixPermissions] as? Int
        }
        #expect(try mode("") == 0o700 && mode("/host.json") == 0o600)
        root = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/rich.so"))
    }

    @Test("A setting that is missing or of another type throws before a worker is started")
    func badSettings() throws {
        var wrong = richSettings
        wrong.values[0].content = .text("deep")
        for settings in [Settings(), wrong] {
            let error = #expect(throws: ViperError.self) {
                _ = try WorkerRoot([part(rich)], settings: settings, hasOwnState: false)
            }
            #expect(error?.code == .settingInvalid)
        }
    }

    @Test("Two modules can share one library, and two libraries with one name are an error")
    func oneLibrary() throws {
        let one = try part(rich)
        var other = try part(manifestText("plain"))
        (other.manifest.library, other.library) = (one.manifest.library, one.library)
        _ = try WorkerRoot([one, other], settings: richSettings, hasOwnState: false)
        other.library = try scratch.write("other", to: "other.so")
        let error = #expect(throws: ViperError.self) {
            _ = try WorkerRoot([one, other], settings: richSettings, hasOwnState: false)
        }
        #expect(error?.code == .programFailed)
    }

    @Test("A root that cannot be made leaves no folder, and closes no descriptor of others")
    func descriptors() async throws {
        let one = try part(rich)
        var other = one
        other.library = try scratch.write("other", to: "other.so")
        let parent = try PrivateFolder(in: scratch.path, prefix: "parent-", fix: "")
        defer { parent.remove() }
        let isOver = Mutex(false)
        // A new descriptor has the lowest free number, which is mostly the one that was just closed.
        async let lost = onOwnThread {
            var lost = 0
            while !isOver.withLock({ $0 }) {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                usleep(20)
                if fcntl(descriptor, F_GETFD) < 0 { lost += 1 } else { close(descriptor) }
            }
            return lost
        }
        for _ in 1...500 {
            #expect(throws: ViperError.self) {
                _ = try WorkerRoot([one, other], settings: richSettings, hasOwnState: false, in: parent)
            }
        }
        isOver.withLock { $0 = true }
        #expect(await lost == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == [])
    }
}
