import Foundation
import TestSupport

/// A real shared library of a few kilobytes, linked by the toolchain from C and small enough to damage at each offset.
struct SmallLibrary {
    var source = "int viper_module_v1_One(void) { return 1; }"
    /// True if the library needs libViperKit.so. It is linked with a stub of that name.
    var linksViperKit = true
    /// The style of the hash table: `gnu`, `sysv` or `both`.
    var hashStyle = "gnu"
    var flags: [String] = []

    /// Returns the library's bytes. Each library is compiled once in a test run.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output.
    func bytes() async throws -> [UInt8] {
        let stub = CLibraryFixture("libViperKit.so", "", flags: ["-Wl,-soname,libViperKit.so"])
        let needed = linksViperKit ? ["-Wl,--no-as-needed", try await stub.compiled()] : []
        let library = CLibraryFixture("libOne.so", source, flags: ["-Wl,--hash-style=\(hashStyle)"] + needed + flags)
        return [UInt8](try Data(contentsOf: URL(filePath: await library.compiled())))
    }
}

enum BuiltLibrary {
    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(Products.folder)/\(name)")))
    }
}

extension [UInt8] {
    /// Writes an integer at an offset, least significant byte first.
    mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        for index in 0..<MemoryLayout<Number>.size {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (index * 8))
        }
    }
}

/// A generator of the same sequence in every run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
