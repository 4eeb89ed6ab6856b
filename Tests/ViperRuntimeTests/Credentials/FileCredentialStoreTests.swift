import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ViperRuntime

@Suite(.fewAtOnce, .hangLimit)
struct FileCredentialStoreTests {
    private let scratch: ScratchFolder
    private let ada = Credential(user: "ada", secret: "s3cret")

    private var file: String { "\(scratch.path)/credentials.json" }
    private var store: FileCredentialStore { FileCredentialStore(folder: StateFolder(path: scratch.path)) }

    init() throws { scratch = try ScratchFolder() }

    /// Returns the error of a read, after checking that it does not contain the secret.
    private func refusal() async throws -> ViperError {
        let error = try await #require(throws: ViperError.self) { try await store.credential() }
        #expect(error.code == (error.cause == "it is damaged" ? .jsonInvalid : .storeFailed) && error.subject == file)
        #expect(error.fix == "remove the file, then log in again")
        #expect(!"\(error)".contains("s3cret"))
        return error
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    }

    @Test("A credential can be read by another store until it is replaced or removed")
    func roundTrip() async throws {
        #expect(try await store.credential() == nil)
        #expect(try names() == [])
        try await store.save(ada)
        #expect(try await store.credential() == ada)
        let odd = Credential(user: "\"\u{0}\n名🍎", secret: "")
        try await store.save(odd)
        #expect(try await store.credential() == odd)
        try await store.remove()
        try await store.remove()
        #expect(try await store.credential() == nil)
        #expect(try names() == [".lock"])
    }

    @Test("Only the owner can read the file, even with an umask of 0")
    func mode() async throws {
        await #expect(processExitsWith: .success) { [folder = scratch.path as String] in
            umask(0)
            let store = FileCredentialStore(folder: StateFolder(path: folder))
            try await store.save(Credential(user: "ada", secret: "s3cret"))
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try await store.credential() == ada)
    }

    @Test(
        "A damaged file throws without showing its content, and a new credential replaces it",
        arguments: [
            "", "{\"secret\":\"s3cr", "s3cret", "{\"user\":\"ada\",\"secret\":[\"s3cret\"]}",
            "{\"s3cret\":1,\"s3cret\":2}", "{\"secret\":\"s3cret\"}", "null", "\u{0}",
        ])
    func damaged(content: String) async throws {
        try scratch.write(content, to: "credentials.json")
        try #require(chmod(file, 0o600) == 0)
        #expect(try await refusal().cause == "it is damaged")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
        try await store.save(ada)
        #expect(try await store.credential() == ada)
    }

    @Test("A file that is not UTF-8 or is too large is refused")
    func unreadable() async throws {
        try scratch.write(Data([0xFF, 0xFE, 0x00]), to: "credentials.json")
        try #require(chmod(file, 0o600) == 0)
        #expect(try await refusal().cause == "it is damaged")
        // The size must be checked before a sparse file is read.
        try #require(truncate(file, 1 << 30) == 0)
        #expect(try await refusal().cause == "it has 1073741824 bytes, more than the limit of 65536")
    }

    @Test("A file that other users may access is refused", arguments: [0o644, 0o640, 0o602, 0o610] as [mode_t])
    func foreignMode(mode: mode_t) async throws {
        try await store.save(ada)
        try #require(chmod(file, mode) == 0)
        #expect(try await refusal().cause == "other users can access it (mode \(String(mode, radix: 8)))")
        try await store.save(ada)
        #expect(try await store.credential() == ada)
    }

    @Test("A file owned by another user is refused", .needs(.strangers))
    func foreignOwner() async throws {
        try await store.save(ada)
        try #require(chown(file, 65534, 65534) == 0)
        #expect(try await refusal().cause == "it belongs to another user")
    }

    @Test("Symbolic links are not followed when reading, writing or removing")
    func link() async throws {
        let target = try scratch.write("{\"user\":\"eve\",\"secret\":\"s3cret\"}", to: "elsewhere")
        try #require(chmod(target, 0o600) == 0)
        let before = try Data(contentsOf: URL(filePath: target))
        for name in [file, file + ".new"] {
            try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: target)
        }
        #expect(try await refusal().cause == "it is a symbolic link")
        try await store.remove()
        try FileManager.default.createSymbolicLink(atPath: file + ".new", withDestinationPath: target)
        try await store.save(ada)
        #expect(try await store.credential() == ada)
        #expect(try Data(contentsOf: URL(filePath: target)) == before)
    }

    @Test("A named pipe or a folder in place of the file fails without blocking")
    func noFile() async throws {
        try #require(mkfifo(file, 0o600) == 0)
        #expect(try await refusal().cause == "it is not a regular file")
        try #require(unlink(file) == 0 && mkdir(file, 0o700) == 0)
        #expect(try await refusal().cause == "it is not a regular file")
        let unkept = try await #require(throws: ViperError.self) { try await store.save(ada) }
        let unremoved = try await #require(throws: ViperError.self) { try await store.remove() }
        for error in [unkept, unremoved] { #expect(error.code == .storeFailed && !"\(error)".contains("s3cret")) }
        #expect(try names().contains("credentials.json.new") == false)
    }

    @Test("A credential too large to be read back is refused, and the old one stays")
    func tooLarge() async throws {
        try await store.save(ada)
        let large = Credential(user: "ada", secret: String(repeating: "s3cret", count: 20_000))
        let error = try await #require(throws: ViperError.self) { try await store.save(large) }
        #expect(error.code == .storeFailed && !"\(error)".contains("s3cret"))
        #expect(try await store.credential() == ada)
    }

    @Test("Leftovers of a killed writer are ignored, and removed with the credential")
    func leftOver() async throws {
        try scratch.write("{\"user\":\"ada\",\"secr", to: "credentials.json.new")
        #expect(try await store.credential() == nil)
        try await store.save(ada)
        #expect(try await store.credential() == ada)
        #expect(try names() == [".lock", "credentials.json"])
        try scratch.write("{\"user\":\"ada\",\"secr", to: "credentials.json.new")
        try await store.remove()
        #expect(try names() == [".lock"])
    }

    @Test("Concurrent writers leave one complete credential, and readers always find a complete one")
    func atOnce() async throws {
        let folder = StateFolder(path: scratch.path)
        try await store.save(ada)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let mine = Credential(user: "\(number)", secret: String(repeating: "\(number) ", count: 5_000))
                    try await FileCredentialStore(folder: folder).save(mine)
                }
                group.addTask {
                    let found = try #require(try await FileCredentialStore(folder: folder).credential())
                    if found.user == "ada" { return }
                    #expect(found.secret == String(repeating: "\(found.user) ", count: 5_000))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.credential()?.user != "ada")
        #expect(try names() == [".lock", "credentials.json"])
    }

    @Test("A credential is replaced only if the stored one is the expected one, byte for byte")
    func replace() async throws {
        let eve = Credential(user: "eve", secret: "Zo\u{EB}")
        #expect(try await store.replace(ada, with: eve) == false)
        #expect(try await store.credential() == nil)
        #expect(try await store.replace(nil, with: ada))
        for wrong in [nil, eve, Credential(user: "ada", secret: ""), Credential(user: "", secret: "s3cret")] {
            #expect(try await store.replace(wrong, with: eve) == false)
            #expect(try await store.replace(wrong, with: nil) == false)
        }
        #expect(try await store.credential() == ada)
        #expect(try await store.replace(ada, with: eve))
        // Equal for Swift, but another secret.
        #expect(try await store.replace(Credential(user: "eve", secret: "Zoe\u{308}"), with: ada) == false)
        try scratch.write("s3cret", to: "credentials.json.new")
        #expect(try await store.replace(eve, with: nil))
        #expect(try await store.credential() == nil)
        #expect(try names() == [".lock"])
        #expect(try await store.replace(nil, with: nil))
    }

    @Test("A damaged credential counts as none when it is replaced, and any other that cannot be read stays")
    func replaceUnreadable() async throws {
        try scratch.write("{\"secret\":\"s3cr", to: "credentials.json")
        try #require(chmod(file, 0o600) == 0)
        #expect(try await store.replace(ada, with: ada) == false)
        #expect(try await refusal().cause == "it is damaged")
        #expect(try await store.replace(nil, with: ada))
        try #require(chmod(file, 0o644) == 0)
        for new in [Credential(user: "eve", secret: "t"), nil] {
            let error = try await #require(throws: ViperError.self) { try await store.replace(ada, with: new) }
            #expect(error.code == .storeFailed && error.cause == "other users can access it (mode 644)")
        }
        try #require(chmod(file, 0o600) == 0)
        let large = Credential(user: "ada", secret: String(repeating: "s3cret", count: 20_000))
        let error = try await #require(throws: ViperError.self) { try await store.replace(ada, with: large) }
        #expect(error.code == .storeFailed && !"\(error)".contains("s3cret"))
        #expect(try await store.credential() == ada)
    }

    @Test("No replacement of three processes with two stores each is lost")
    func replaceAtOnce() async throws {
        let folder = scratch.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [folder = folder as String] in
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for _ in 0..<2 {
                                let store = FileCredentialStore(folder: StateFolder(path: folder))
                                group.addTask { for _ in 0..<20 { try await store.increment() } }
                            }
                            try await group.waitForAll()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.credential()?.secret == "120")
    }

    @Test("A process killed while writing leaves the last acknowledged credential or the next one")
    func killed() async throws {
        let (folder, log) = (scratch.path, "\(scratch.path)/log")
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, log = log as String] in
                let store = FileCredentialStore(folder: StateFolder(path: folder))
                try await KilledWriter.run(log: log) { number in
                    try await store.save(Credential(user: "\(number)", secret: "secret of \(number)"))
                }
            }
            let found = try #require(try await store.credential())
            #expect(found.secret == "secret of \(found.user)")
            let last = try #require(try KilledWriter.acknowledgedNumbers(log).last)
            #expect(found.user == "\(last)" || found.user == "\(last + 1)")
        }
    }
}

extension FileCredentialStore {
    /// Adds 1 to the number that is the secret. Retries while others change it.
    fileprivate func increment() async throws {
        while true {
            let old = try await credential()
            let number = old.flatMap { Int($0.secret) } ?? 0
            if try await replace(old, with: Credential(user: "counter", secret: "\(number + 1)")) { return }
        }
    }
}
