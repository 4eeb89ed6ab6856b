import Foundation
import HostDriver
import Testing

@testable import HostSystem
@testable import ModuleCatalog
@testable import ViperRuntime

struct ServingFileTests {
    @Test("Records that killed hosts have left are removed, complete or not, and those of other processes are kept")
    func killed() throws {
        let scratch = try ScratchFolder()
        let configuration = ViperHost.Configuration(root: Root(path: scratch.path, executableFolder: "/nonexistent"))
        let prefix = ServingRecord.prefix(of: configuration.root)
        // No process has this number, which is the limit of the system; see proc_sys_kernel(5).
        let dead = ProcessIdentity(number: 4_194_304, start: 1)
        let record = ServingRecord(state: scratch.path, socket: nil, dead)
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        try scratch.write(text, to: "run/\(prefix)\(dead.number).json")
        try scratch.write("{", to: "run/\(prefix)\(dead.number).json.new")
        let kept = ["\(prefix)\(getppid()).json.new", "another-\(dead.number).json.new"]
        for name in kept { try scratch.write("{", to: "run/\(name)") }
        let file = try ServingFile(
            of: configuration.root, state: configuration.state.path, at: nil, in: "\(scratch.path)/run")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/run")
        #expect(Set(names) == Set(kept + ["\(prefix)\(getpid()).json"]))
        file.remove()
    }

    @Test("A record is not read through a link")
    func link() throws {
        let scratch = try ScratchFolder()
        let record = ServingRecord(state: scratch.path, socket: nil, try #require(ProcessIdentity.own))
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        try scratch.write(text, to: "file.json")
        try FileManager.default.createSymbolicLink(
            atPath: "\(scratch.path)/link.json", withDestinationPath: "file.json")
        let folder = try OpenFolder(scratch.path, Trust())
        #expect(try ServingRecord("file.json", in: folder).process == record.process)
        let failure = #expect(throws: RegularFile.Failure.self) { try ServingRecord("link.json", in: folder) }
        #expect(failure?.cause == "it is a symbolic link")
    }
}
