import Foundation
import HostDriver
import TestSupport
import Testing

/// The costs of short commands, in counts that do not depend on the speed of the machine. A count may fall, but not rise.
@Suite(.fewAtOnce, .hangLimit)
struct StartTests {
    struct Limits: Sendable {
        var words: [String]
        /// The number of threads that are started. Nil if it depends on what other threads do.
        var threads: Int?
        /// The number of opened files and folders, without libraries.
        var files: Int
        /// The number of created folders.
        var folders: Int
    }

    private static let commands = [
        Limits(words: ["--version"], threads: 0, files: 1, folders: 0),
        Limits(words: ["routes"], files: 14, folders: 0),
        // The folder is for the copies of the libraries. Three folders are opened to find the quarantines of serving hosts.
        Limits(words: ["run", "list"], files: 21, folders: 1),
    ]

    /// The libraries of the toolchain and of the system that every command maps.
    private static let libraries: Set = [
        "ld-linux-x86-64.so.2", "libBlocksRuntime.so", "libFoundationEssentials.so", "libViperKit.so", "libc.so.6",
        "libdispatch.so", "libgcc_s.so.1", "libm.so.6", "libstdc++.so.6", "libswiftCore.so", "libswiftDispatch.so",
        "libswiftGlibc.so", "libswiftObservation.so", "libswiftSwiftOnoneSupport.so", "libswiftSynchronization.so",
        "libswift_Builtin_float.so", "libswift_Concurrency.so", "libswift_RegexParser.so",
        "libswift_StringProcessing.so",
    ]

    @Test(
        "A command starts no more threads, and opens and creates no more files and folders than recorded",
        .needs(.strace), arguments: commands)
    func systemCalls(limits: Limits) async throws {
        let root = try ScratchRoot()
        let log = root.folder.path + "/calls"
        let result = try await root.host(
            limits.words,
            under: [
                "strace", "-f", "-qq", "-o", log, "-e",
                "trace=clone,clone3,openat,mkdir,mkdirat,fsync,fdatasync",
            ])
        #expect(result.ending == .code(0), "\(result)")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        func count(_ names: String...) -> Int {
            lines.count { line in names.contains { line.contains(" \($0)(") } }
        }
        let files = lines.filter { line in
            // The number of folders in which the loader looks, and of the folders above a root, depends on the machine,
            // and Dispatch reads the state of threads at times that depend on its load. The folder of the copies is listed
            // only if it is removed before the last copy, which another thread removes.
            line.contains(" openat(")
                && !["O_PATH", ".so", "hwcaps", "\"/sys/", "/stat\"", "/tmp/viper-host-"].contains { line.contains($0) }
        }
        #expect(files.count <= limits.files, "\(files)")
        #expect(count("mkdir", "mkdirat") <= limits.folders)
        // Only a command that stores something has a reason to wait for the disk.
        #expect(count("fsync", "fdatasync") == 0)
        if let threads = limits.threads { #expect(count("clone", "clone3") <= threads) }
    }

    @Test("A command maps only the libraries of the recorded list", arguments: commands.map(\.words))
    func mapped(words: [String]) async throws {
        let root = try ScratchRoot()
        let result = try await root.host(words[0], environment: ["LD_DEBUG": "files"]) { child in
            child.arguments.insert(contentsOf: words.dropFirst(), at: 1)
        }
        let names = result.errors.matches(of: /calling init: \S*\/(\S+)/).map { String($0.1) }
        #expect(names.contains("libViperKit.so"), "\(result)")
        // The copy of a library has a number before its name.
        #expect(Set(names.filter { !$0.hasSuffix("-libCompanyList.so") }).subtracting(Self.libraries) == [])
    }
}
