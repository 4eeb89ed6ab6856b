import Foundation
import TestSupport
import Testing
import ViperKit

@testable import ViperRuntime

/// Where a host works.
struct RootTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for name in ["one", "two"] { try folder.write("", to: "\(name)/Manifests/readme") }
    }

    @Test("the given folder is the root, before the environment's")
    func given() throws {
        let environment = ["VIPER_ROOT": "\(folder.path)/two"]
        let root = try Root.find(given: "\(folder.path)/one", environment: environment)
        #expect(root.path == "\(folder.path)/one")
        #expect(root.manifests == "\(folder.path)/one/Manifests")
        #expect(root.plugins == "\(folder.path)/one/Plugins")
    }

    @Test("the environment names the root when nobody gave one")
    func environment() throws {
        #expect(
            try Root.find(given: nil, environment: ["VIPER_ROOT": "\(folder.path)/two"]).path == "\(folder.path)/two")
    }

    @Test("a root that is a link keeps the link's path, which may be switched; dots are resolved")
    func link() throws {
        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "one")
        let root = try Root.find(given: "\(link)//./", environment: [:])
        #expect(root.path == link)
        #expect(root.real.path == "\(folder.path)/one")
        #expect(try Root.find(given: "\(link)/../link/.", environment: [:]).path == link)
    }

    @Test(
        "a folder without Manifests is refused, and the error says who named it", arguments: ["--root", "$VIPER_ROOT"])
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

    @Test("a file named Manifests makes no root")
    func file() throws {
        try folder.write("", to: "four/Manifests")
        #expect(throws: ViperError.self) { try Root.find(given: "\(folder.path)/four", environment: [:]) }
    }
}
