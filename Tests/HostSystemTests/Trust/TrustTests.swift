import Foundation
import Glibc
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import HostSystem

struct TrustTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Opens a file or a folder, and returns the cause if it is refused.
    private func fault(_ name: String, _ trust: Trust = Trust()) -> String? {
        do {
            close(try trust.open("\(folder.path)/\(name)", flags: O_RDONLY))
            return nil
        } catch { return error.cause }
    }

    private func make(_ name: String, _ mode: mode_t) throws {
        try folder.write("x", to: name)
        try #require(chmod("\(folder.path)/\(name)", mode) == 0)
    }

    private func change(_ name: String, _ mode: mode_t) throws {
        try #require(chmod("\(folder.path)/\(name)", mode) == 0)
    }

    @Test("A file that only its owner can change passes", arguments: [0o600, 0o644, 0o755, 0o444] as [mode_t])
    func passes(mode: mode_t) throws {
        try make("a/b", mode)
        #expect(fault("a/b") == nil)
    }

    @Test("A path that every user can change is refused with its owner, its mode and the command to close it")
    func openToAll() throws {
        try make("a/b", 0o666)
        let path = "\(folder.path)/a/b"
        let failure = try #require(throws: RegularFile.Failure.self) { try Trust().open(path, flags: O_RDONLY) }
        #expect(failure.cause == "every user can change \(path) (owner \(geteuid()), mode 666)")
        #expect(failure.fix == "restrict it with chmod o-w \(path); or use it anyway with --trust-permissions")
        try change("a/b", 0o644)
        try change("a", 0o777)
        #expect(fault("a/b") == "every user can change \(folder.path)/a (owner \(geteuid()), mode 777)")
    }

    @Test("A folder is checked even if the next name starts with a combining mark, which joins with the slash")
    func combiningMark() throws {
        try make("a/\u{301}b/c", 0o644)
        #expect(fault("a/\u{301}b/c") == nil)
        try change("a", 0o777)
        #expect(fault("a/\u{301}b/c") == "every user can change \(folder.path)/a (owner \(geteuid()), mode 777)")
    }

    @Test("A sticky folder passes as an ancestor, but not as the target")
    func sticky() throws {
        try make("a/b", 0o644)
        try change("a", 0o1777)
        #expect(fault("a/b") == nil)
        #expect(fault("a") == "every user can change \(folder.path)/a (owner \(geteuid()), mode 1777)")
        let asFolder = try Trust().open("\(folder.path)/a", flags: O_RDONLY, as: .ancestor)
        close(asFolder)
    }

    @Test("Relative, absolute and upward links are followed, and a circular link is refused")
    func links() throws {
        try make("a/b", 0o644)
        let files = FileManager.default
        func link(_ name: String, to target: String) throws {
            try files.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
        }
        try link("relative", to: "a/b")
        try link("absolute", to: "\(folder.path)/a/b")
        try link("folder", to: "a/../a/.")
        try link("up", to: "..")
        try link("top", to: "/")
        try link("loop", to: "loop")
        try link("gone", to: "nothing")
        for name in ["relative", "absolute", "folder/b", "up/\(folder.path.split(separator: "/").last ?? "")/a/b"] {
            #expect(fault(name) == nil, "\(name)")
        }
        #expect(fault("top\(folder.path)/a/b") == nil)
        #expect(fault("loop") == "Too many levels of symbolic links")
        #expect(fault("gone") == "No such file or directory")
        #expect(fault("a/b/c") == "Not a directory")
        try change("a/b", 0o646)
        for name in ["relative", "absolute", "folder/b"] {
            #expect(fault(name)?.contains("every user") == true, "\(name)")
        }
    }

    @Test("A file, a folder above it and a link are refused if another user owns them", .needs(.strangers))
    func strangers() throws {
        try make("a/b", 0o644)
        let path = "\(folder.path)/a/b"
        try #require(chown(path, Stranger.user, Stranger.user) == 0)
        let failure = try #require(throws: RegularFile.Failure.self) { try Trust().open(path, flags: O_RDONLY) }
        #expect(
            failure.cause == "user 54321, who is not trusted, owns \(path) (owner 54321, mode 644); trusted users: 0")
        #expect(failure.fix?.hasPrefix("change its owner with chown 0 \(path); ") == true)
        // The owner is trusted if the root belongs to the same user.
        #expect(fault("a/b", Trust().trusting(ownerOf: path)) == nil)
        try #require(chown(path, 0, 0) == 0 && chown("\(folder.path)/a", Stranger.user, Stranger.user) == 0)
        #expect(fault("a/b")?.contains("owns \(folder.path)/a (owner 54321, mode 755)") == true)
        try #require(chown("\(folder.path)/a", 0, 0) == 0)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "a/b")
        #expect(fault("link") == nil)
        try #require(lchown("\(folder.path)/link", Stranger.user, Stranger.user) == 0)
        #expect(fault("link")?.contains("owns \(folder.path)/link") == true)
    }

    @Test(
        "A named file is exposed if a folder or link on its path belongs to another user than the file does",
        .needs(.strangers))
    func strangersOnNamedPath() throws {
        try make("a/b", 0o644)
        let (file, above, link) = ("\(folder.path)/a/b", "\(folder.path)/a", "\(folder.path)/link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a/b")
        func fault(_ path: String) -> String? {
            #expect(throws: RegularFile.Failure.self) { try NamedFile(path, Trust()).checkExposure() }?.cause
        }
        func passes(_ path: String) throws { try NamedFile(path, Trust()).checkExposure() }
        try passes(link)
        try #require(lchown(link, Stranger.user, Stranger.user) == 0)
        #expect(fault(link)?.contains("owns \(link) (owner 54321") == true)
        try passes(file)
        try #require(chown(above, Stranger.user, Stranger.user) == 0)
        #expect(fault(file)?.contains("owns \(above) (owner 54321, mode 755)") == true)
        // In a sticky folder of another user, that user can still replace the file.
        try change("a", 0o1755)
        #expect(fault(file)?.contains("owns \(above) (owner 54321, mode 1755)") == true)
        // The owner of the file is shown when it is installed.
        try #require(chown(file, Stranger.user, Stranger.user) == 0)
        try passes(file)
        try passes(link)
        try #require(chown(above, 0, 0) == 0 && chown(file, 0, 0) == 0)
        try change("a", 0o1777)
        try passes(file)
    }

    @Test(
        "The owner of a named root is trusted, except below a sticky folder that others can write to",
        .needs(.strangers))
    func namedRoot() throws {
        let system = try SystemFolder()
        let path = "\(system.path)/site/root"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(chown(path, Stranger.user, Stranger.user) == 0)
        func trusts(_ path: String) -> Bool { Trust().trusting(ownerOfRoot: path).owners.contains(Stranger.user) }
        #expect(trusts(path))
        for mode in [0o1777, 0o1775] as [mode_t] {
            // A group without known members may have any.
            let site = "\(system.path)/site"
            try #require(chown(site, 0, Stranger.user) == 0 && chmod(site, mode) == 0)
            #expect(!trusts(path))
        }
        try #require(chmod("\(system.path)/site", 0o1755) == 0)
        #expect(trusts(path) && !trusts("\(system.path)/missing"))
    }

    @Test(
        "A file that an access control list lets another user change is refused",
        .needs(.strangers))
    func accessListOfFile() async throws {
        try make("a/b", 0o644)
        let path = "\(folder.path)/a/b"
        // The same as `setfacl -m u:54321:rw`, which not every machine has. The list is in the kernel's format.
        let script = """
            import os, struct
            entries = [(1, 6, -1), (2, 6, 54321), (4, 4, -1), (0x10, 6, -1), (0x20, 4, -1)]
            acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
            os.setxattr("\(path)", "system.posix_acl_access", acl)
            """
        #expect(try await Python.process(["-c", script]).run().ending == .code(0))
        #expect(
            fault("a/b") == "the access control list of \(path) (owner 0, mode 664) lets user 54321 change it")
        try change("a/b", 0o644)
        #expect(fault("a/b") == nil)
    }

    @Test("With --trust-permissions everything passes, and each path is logged once")
    func warnings() throws {
        try make("a/b", 0o666)
        let lines = Mutex<[String]>([])
        let trust = Trust(
            .warn(
                DistinctWarnings(
                    LineLogger(source: "host", minimum: .warning) { line in
                        lines.withLock { $0.append(line) }
                    })))
        #expect(fault("a/b", trust) == nil && fault("a/b", trust) == nil)
        let warning = "every user can change \(folder.path)/a/b (owner \(geteuid()), mode 666); it is used because of"
        #expect(lines.withLock(\.self).map { $0.contains(warning) } == [true])
    }

    @Test("An open folder stays readable, even if another one takes its place")
    func held() throws {
        try make("a/b", 0o644)
        let open = try OpenFolder("\(folder.path)/a", Trust())
        try FileManager.default.moveItem(atPath: "\(folder.path)/a", toPath: "\(folder.path)/old")
        try folder.write("another", to: "a/b")
        #expect(try open.file("b").read(limit: 100) == Data("x".utf8))
        #expect(try open.names(ending: "b") == ["b"])
    }

    @Test("Group members are read from passwd and group, and a group without members is never trusted")
    func groups() throws {
        try folder.write(
            "root:x:0:0::/root:/bin/sh\nann:x:7:7:::\nbob:x:8:8:::\neve:x:9:20:::\nbad line\n", to: "passwd")
        try folder.write("ann:x:7:\nbob:x:8:ann\nusers:x:20:\ngone:x:30:nobody-knows\nempty:x:40:\n", to: "group")
        let groups = LocalGroups(folder: folder.path)
        // Ann's own group, with no other member.
        #expect(groups.isOnly(7, [7, 0]))
        #expect(!groups.isOnly(8, [8, 0]))
        #expect(groups.isOnly(8, [7, 8]))
        // A user is also a member of the user's primary group.
        #expect(!groups.isOnly(20, [7, 0]))
        #expect(!groups.isOnly(30, [7, 0]))
        // A name service may add other members.
        #expect(!groups.isOnly(40, [7, 0]) && !groups.isOnly(99, [7, 0]))
    }

    @Test("An access control list is read in the kernel's format, even if it is truncated")
    func accessList() {
        func entry(_ kind: UInt8, _ permissions: UInt8, _ number: UInt8) -> [UInt8] {
            [kind, 0, permissions, 0, number, 0, 0, 0]
        }
        let bytes: [UInt8] =
            [2, 0, 0, 0] + entry(1, 7, 255) + entry(2, 6, 7) + entry(2, 4, 8) + entry(4, 5, 255) + entry(8, 6, 9)
            + entry(0x10, 7, 255) + entry(0x20, 0, 255)
        let list = AccessList(bytes[...])
        #expect(list.writers == [7])
        #expect(list.groups == [9])
        #expect(!list.ownGroupWrites)
        #expect(AccessList([]).ownGroupWrites)
        #expect(AccessList(bytes[..<15]).writers.isEmpty)
    }
}
