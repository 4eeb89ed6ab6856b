import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Libraries that are refused before their code runs.
@Suite(.fewAtOnce)
struct LibraryRefusalTests {
    private static let rebuild = "\n  fix: rebuild it with swift build, and copy the whole file"
    private static let define =
        "\n  fix: define exactly one function with @c(viper_entry_v1_NAME), as in @c(viper_entry_v1_NAME) "
        + "public func entry() -> UnsafeRawPointer { ModuleEntry.export(YourModule.self) }"
    private static let cannot = "cannot load library \"libBad.so\": "

    private func expectRefused(_ bytes: Data, _ cause: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let refusal = try Refusal()
        try refusal.root.add(library: bytes, as: "libBad.so")
        try await refusal.expect(Self.cannot + cause + Self.rebuild, sourceLocation: sourceLocation)
    }

    private func goodLibrary() throws -> Data { try Data(contentsOf: URL(filePath: Products.companyList)) }

    @Test("A missing library is refused")
    func missing() async throws {
        let refusal = try Refusal()
        try await refusal.expect(
            """
            \(Self.cannot)it does not exist
              looked in  \(refusal.root.path)/Plugins
              looked in  \(Products.folder)
              fix: copy it to Plugins, or build it with swift build or host build
            """)
    }

    @Test("A text file, an empty file and half a header are refused")
    func noELF() async throws {
        try await expectRefused(Data("hello, I am a plug-in\n".utf8), "it is not an ELF file")
        try await expectRefused(Data(), "it is not an ELF file")
        try await expectRefused(goodLibrary().prefix(40), "it ends within the ELF header")
    }

    @Test("A library with a truncated segment is refused")
    func truncated() async throws {
        let good = try goodLibrary()
        try await expectRefused(good.prefix(64), "it is truncated")
        let (end, segment) = Self.lastSegment(of: good)
        try await expectRefused(
            good.prefix(end - 1), "it is truncated: segment \(segment) ends beyond the end of the file")
        // Only section headers and debug information follow the last segment. They are not loaded.
        let root = try ScratchRoot()
        try root.add(library: good.prefix(end), as: "libCompanyList.so")
        #expect(try await root.host("run", "list").text == RunTests.list)
    }

    /// Returns the end of the loaded part of a library, and the first segment that ends there.
    private static func lastSegment(of library: Data) -> (end: Int, index: Int) {
        func number(_ offset: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(library[offset + $1]) << ($1 * 8) }
        }
        let ends = (0..<number(56, 2)).map { index in
            let header = number(32, 8) + index * 56
            return number(header + 8, 8) + number(header + 32, 8)
        }
        let end = ends.max() ?? 0
        return (end, ends.firstIndex(of: end) ?? 0)
    }

    @Test("A library for another architecture, word size, byte order or purpose is refused")
    func otherMachine() async throws {
        let cases: [(offset: Int, byte: UInt8, cause: String)] = [
            (
                18, Self.otherMachine,
                "it is built for \(Self.otherMachineName), and this host is \(Self.ownMachineName)"
            ),
            (4, 1, "it is not 64-bit and little-endian"), (5, 2, "it is not 64-bit and little-endian"),
            (16, 2, "it is not a shared library (ELF type 2)"),
        ]
        for (offset, byte, cause) in cases {
            var bytes = try goodLibrary()
            bytes[offset] = byte
            try await expectRefused(bytes, cause)
        }
    }

    #if arch(arm64)
    private static let (otherMachine, otherMachineName, ownMachineName): (UInt8, String, String) = (
        62, "x86-64", "AArch64"
    )
    #else
    private static let (otherMachine, otherMachineName, ownMachineName): (UInt8, String, String) = (
        183, "AArch64", "x86-64"
    )
    #endif

    @Test("A folder, a named pipe and a device in place of a library are refused")
    func noRegularFile() async throws {
        let makers: [(String) throws -> Void] = [
            { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
            { try #require(mkfifo($0, 0o600) == 0) },
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/dev/zero") },
        ]
        for make in makers {
            let refusal = try Refusal()
            let folder = refusal.root.path + "/Plugins"
            try make(folder + "/libBad.so")
            try await refusal.expect(Self.cannot + "it is not a regular file\n  folder  \(folder)")
        }
    }

    @Test("A library with no entry, two entries or an entry of another version is refused")
    func entries() async throws {
        let cases: [(fixture: ModuleFixture, cause: String)] = [
            (.entryless, "it has no entry" + Self.define),
            (
                .twoEntries,
                "it has several entries: viper_entry_v1_One, viper_entry_v1_Two" + Self.define
            ),
            (
                .nextEntry,
                "its entry viper_entry_v2_NextEntry belongs to another binary interface; this host's entries begin with viper_entry_v1_\n"
                    + "  fix: build it against this host's ViperKit"
            ),
        ]
        for (fixture, cause) in cases {
            let refusal = try Refusal()
            try await refusal.copy(fixture)
            try await refusal.expect(Self.cannot + cause)
        }
    }

    @Test("ViperKit and the host's executable are refused as modules")
    func noModule() async throws {
        try await expectForeign(Products.folder + "/libViperKit.so")
        try await expectForeign(Products.host)
    }

    private func expectForeign(_ path: String) async throws {
        let refusal = try Refusal()
        try refusal.root.copy(path, to: "libBad.so")
        try await refusal.expect(
            Self.cannot + "it has no entry" + Self.define)
    }
}
