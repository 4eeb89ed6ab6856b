import Foundation
import HostDriver
/// A real shared library that the toolchain builds from C code. It has only a few kilobytes, so tests can corrupt it at
/// every offset.
package struct SmallLibrary {
    package var source: String
    /// True if the library depends on libViperKit.so. The library is then linked against a stub with that name.
    package var linksViperKit: Bool
    /// The style of the hash table: `gnu`, `sysv` or `both`.
    package var hashStyle: String
    package var flags: [String]

    package init(
        source: String = "int viper_entry_v1_One(void) { return 1; }", linksViperKit: Bool = true,
        hashStyle: String = "gnu", flags: [String] = []
    ) {
        (self.source, self.linksViperKit, self.hashStyle, self.flags) = (source, linksViperKit, hashStyle, flags)
    }

    /// Returns the library's bytes. Each library is compiled only once per test run.
    ///
    /// - Throws: ``ChildFailure`` with the compiler's output.
    package func bytes() async throws -> [UInt8] {
        let stub = CLibraryFixture("libViperKit.so", "", flags: ["-Wl,-soname,libViperKit.so"])
        let needed = linksViperKit ? ["-Wl,--no-as-needed", try await stub.compiled()] : []
        let library = CLibraryFixture("libOne.so", source, flags: ["-Wl,--hash-style=\(hashStyle)"] + needed + flags)
        return [UInt8](try Data(contentsOf: URL(filePath: await library.compiled())))
    }
}

package enum BuiltLibrary {
    package static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(Products.folder)/\(name)")))
    }
}

extension [UInt8] {
    /// Writes an integer at an offset, least significant byte first.
    package mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        for index in 0..<MemoryLayout<Number>.size {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (index * 8))
        }
    }
}

/// A random number generator that returns the same sequence for the same seed in every run. It uses SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
