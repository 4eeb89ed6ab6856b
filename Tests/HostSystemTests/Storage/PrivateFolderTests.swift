import Foundation
import Glibc
import HostDriver
import Testing
import ViperKit

@testable import HostSystem

/// The folder of loaded libraries. Tests with folders that no process has locked use a parent folder of their own, because
/// every host that starts removes such folders from the real temporary folder.
struct PrivateFolderTests {
    private var exists: (String) -> Bool { FileManager.default.fileExists(atPath:) }
    private var parent: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp" }

    @Test("Only the user can access the folder, and removal deletes it")
    func mode() throws {
        let folder = try PrivateFolder()
        var status = stat()
        try #require(stat(folder.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o700)
        #expect(status.st_uid == getuid())
        #expect(folder.path.hasPrefix("\(parent)/viper-host-\(getuid())-"))
        let file = try folder.write(Data("library".utf8), named: "0-libA.so")
        #expect(file == "\(folder.path)/0-libA.so")
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("library".utf8))
        folder.remove()
        #expect(!exists(folder.path))
    }

    @Test("The folder is removed even while its content is removed concurrently")
    func removedAtOnce() async throws {
        for _ in 1...20 {
            let folder = try PrivateFolder()
            let inner = try (1...4).map { _ in
                try PrivateFolder(in: folder.path, prefix: "worker-", fix: "")
            }
            for (index, folder) in inner.enumerated() {
                for number in 1...20 { _ = try folder.write(Data(), named: "\(index)-\(number)") }
            }
            await withTaskGroup { group in
                for folder in inner + [folder] { group.addTask { folder.remove() } }
            }
            #expect(!exists(folder.path))
        }
    }

    @Test("A renamed folder stays in use, even if another folder takes its place")
    func renamed() throws {
        let scratch = try ScratchFolder()
        let folder = try PrivateFolder(in: scratch.path, prefix: "host-", fix: "")
        let old = folder.path + "-old"
        try FileManager.default.moveItem(atPath: folder.path, toPath: old)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try Data("another".utf8).write(to: URL(filePath: "\(folder.path)/a"))
        _ = try folder.write(Data("own".utf8), named: "a")
        #expect(try Data(contentsOf: URL(filePath: "\(folder.ownPath)/a")) == Data("own".utf8))
        #expect(try Data(contentsOf: URL(filePath: "\(old)/a")) == Data("own".utf8))
        folder.remove()
    }

    @Test("An existing file is not overwritten")
    func noOverwrite() throws {
        let folder = try PrivateFolder()
        defer { folder.remove() }
        let file = try folder.write(Data("one".utf8), named: "a")
        let error = try #require(throws: ViperError.self) { try folder.write(Data("two".utf8), named: "a") }
        #expect(error.code == .resourceMissing)
        #expect(error.subject == file)
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("one".utf8))
    }

    @Test("Folders of running hosts are kept, and folders of dead hosts are removed")
    func abandoned() throws {
        let scratch = try ScratchFolder()
        let create = { try PrivateFolder(in: scratch.path, prefix: "host-", fix: "") }
        let living = try create()
        defer { living.remove() }
        _ = try living.write(Data(), named: "loaded")
        // No process holds its lock, as after a host was killed.
        let dead = "\(scratch.path)/host-dead"
        try FileManager.default.createDirectory(atPath: "\(dead)/inner", withIntermediateDirectories: true)
        let next = try create()
        defer { next.remove() }
        #expect(!exists(dead))
        #expect(exists("\(living.path)/loaded"))
        #expect(next.path != living.path)
    }

    @Test("Links and files that are named like a host's folder are kept")
    func similarNames() throws {
        let scratch = try ScratchFolder()
        try scratch.write("keep", to: "target/file")
        let link = "\(parent)/viper-host-\(getuid())-link\(getpid())"
        let file = "\(parent)/viper-host-\(getuid())-file\(getpid())"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(scratch.path)/target")
        try Data().write(to: URL(filePath: file))
        defer { for path in [link, file] { unlink(path) } }
        try PrivateFolder().remove()
        #expect(exists("\(scratch.path)/target/file"))
        #expect(exists(file))
        #expect(exists(link))
    }
}
