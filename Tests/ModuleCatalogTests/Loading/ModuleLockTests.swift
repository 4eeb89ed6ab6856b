import HostDriver
import HostSystem
import Testing
import ViperKit

@testable import ModuleCatalog

struct ModuleLockTests {
    private let scratch: ScratchFolder
    private let root: Root
    private let manifest: Manifest

    init() throws {
        scratch = try ScratchFolder()
        root = Root(path: scratch.path, executableFolder: scratch.path)
        let text = ManifestText("one", library: "libOne.so", routes: [])
        manifest = try Manifest(readingFile: try scratch.write(text.text, to: "Manifests/one.json"), named: "one.json")
    }

    private func digest(_ text: String) -> Digest { Digest(of: Array(text.utf8)) }

    private func entry(_ text: String, replacing old: String? = nil) -> ModuleLock.Entry {
        ModuleLock.Entry(version: "1.0.0", library: "libOne.so", sha256: digest(text), replaces: old.map(digest))
    }

    @Test("While a library is replaced, the lock allows the old one and the new one")
    func replacement() throws {
        try ModuleLock(modules: ["one": entry("old")]).write(in: root)
        #expect(try ModuleLock.update(["one": entry("new", replacing: "old")], in: root))
        let during = try #require(try ModuleLock(of: root))
        for text in ["old", "new"] { #expect(throws: Never.self) { try during.check(digest(text), of: manifest) } }
        #expect(throws: ViperError.self) { try during.check(digest("other"), of: manifest) }
        try ModuleLock.update(["one": entry("new")], in: root)
        let after = try #require(try ModuleLock(of: root))
        let error = #expect(throws: ViperError.self) { try after.check(digest("old"), of: manifest) }
        #expect(error?.code == .libraryUnlocked)
        try ModuleLock.update(["one": nil], in: root)
        #expect(try ModuleLock(of: root) == ModuleLock(modules: [:]))
    }

    @Test("An update does not create a lock")
    func missing() throws {
        #expect(try !ModuleLock.update(["one": entry("new")], in: root))
        #expect(try ModuleLock(of: root) == nil)
    }
}
