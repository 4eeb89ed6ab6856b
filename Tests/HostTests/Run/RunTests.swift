import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct RunTests {
    static let list = """
        People by company
        COMSTAR
          Bertha Irwin      $2,107.15
          Cohen James       $3,334.51
          Vanessa Sanchez   $2,046.56
        PERMADYNE
          Zamora Weber      $2,259.39
        RECRISYS
          Norton Curtis     $1,194.79
          Barnes Pickett    $3,019.42

        """

    @Test("host run list prints people by company, and nothing else")
    func list() async throws {
        let result = try await ScratchRoot().host("run", "list")
        #expect(result.ending == .code(0))
        #expect(result.text == Self.list)
        #expect(result.errors == "")
    }

    @Test(
        "The repository is a root from each of its folders", arguments: ["", "/Tests/HostTests", "/Manifests"])
    func repository(folder: String) async throws {
        var child = ChildProcess(Products.host, ["run", "list"])
        child.workingFolder = Products.repository + folder
        let result = try await child.run()
        #expect(result.text == Self.list, "\(result)")
        #expect(result.errors == "")
    }

    @Test("A host that is run through a symbolic link finds its libraries")
    func symbolicLink() async throws {
        let root = try ScratchRoot()
        let link = root.folder.path + "/viper"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Products.host)
        let result = try await root.host("run", "list") { $0.program = link }
        #expect(result.text == Self.list, "\(result)")
    }

    @Test("A deleted working folder does not matter if --root is given")
    func deletedFolder() async throws {
        let root = try ScratchRoot()
        let folder = root.folder.path + "/gone"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let result = try await root.host("run", "list") { child in
            child.arguments = ["-c", "rmdir '\(folder)' && exec \"$@\"", "sh", child.program] + child.arguments
            (child.program, child.workingFolder) = ("sh", folder)
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(result.text == Self.list, "\(result)")
    }

    @Test("A closed pipe ends the host without a message")
    func brokenPipe() async throws {
        let root = try ScratchRoot()
        let result = try await root.host("run", "list") { child in
            // `true` never reads. It closes the pipe before the host writes, or soon after.
            child.arguments = ["-c", "\"$@\" | true", "sh", child.program] + child.arguments
            child.program = "sh"
        }
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
    }
}
