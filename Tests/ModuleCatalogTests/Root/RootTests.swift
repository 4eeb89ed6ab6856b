import Foundation
import HostDriver
import Testing
import ViperKit

@testable import ModuleCatalog

struct RootTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for name in ["one", "two"] { try folder.write("", to: "\(name)/Manifests/readme") }
    }

    @Test("A given root takes precedence over VIPER_ROOT")
    func given() throws {
        let environment = ["VIPER_ROOT": "\(folder.path)/two"]
        let root = try Root.find(given: "\(folder.path)/one", environment: environment)
        #expect(root.path == "\(folder.path)/one")
        #expect(root.manifests == "\(folder.path)/one/Manifests")
        #expect(root.plugins == "\(folder.path)/one/Plugins")
    }

    @Test("VIPER_ROOT is used if no root is given")
    func environment() throws {
        #expect(
            try Root.find(given: nil, environment: ["VIPER_ROOT": "\(folder.path)/two"]).path == "\(folder.path)/two")
    }

    @Test("A root that is a link keeps the link's path, and dots are resolved")
    func link() throws {
        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "one")
        let root = try Root.find(given: "\(link)//./", environment: [:])
        #expect(root.path == link)
        #expect(root.real.path == "\(folder.path)/one")
        #expect(try Root.find(given: "\(link)/../link/.", environment: [:]).path == link)
    }

    @Test(
        "A root without Manifests is refused, and the error says who named it", arguments: ["--root", "$VIPER_ROOT"])
    func missing(origin: String) throws {
        let path = "\(folder.path)/three"
        let error = try #require(throws: ViperError.self) {
            try Root.find(
                given: origin == "--root" ? path : nil, environment: origin == "--root" ? [:] : ["VIPER_ROOT": path])
        }
        #expect(error.code == .rootMissing)
        #expect(error.summary == "cannot use root \"\(path)\": it has no folder Manifests")
        #expect(error.notes == [.init("given by", origin)])
    }

    @Test("A root whose Manifests is a file is refused")
    func file() throws {
        try folder.write("", to: "four/Manifests")
        #expect(throws: ViperError.self) { try Root.find(given: "\(folder.path)/four", environment: [:]) }
    }
}
