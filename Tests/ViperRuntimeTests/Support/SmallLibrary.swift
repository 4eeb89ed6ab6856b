import Foundation
import TestSupport

/// Real shared libraries of a few kilobytes, linked by the toolchain from C: small enough to damage in every place.
struct SmallLibrary {
    /// C declarations and definitions.
    var source = "int viper_module_v1_One(void) { return 1; }"
    /// Whether it names libViperKit.so as needed. The one it is linked with is a stub of that name.
    var linksViperKit = true
    /// `gnu`, `sysv` or `both`.
    var hashStyle = "gnu"

    /// Builds it.
    ///
    /// - Throws: ``Tool/Failure`` with what the compiler said.
    func bytes() throws -> [UInt8] {
        let folder = try ScratchFolder()
        let (stub, library) = ("\(folder.path)/libViperKit.so", "\(folder.path)/libOne.so")
        try Self.compile("", to: stub, in: folder, ["-Wl,-soname,libViperKit.so"])
        let needed = linksViperKit ? ["-Wl,--no-as-needed", stub] : []
        try Self.compile(source, to: library, in: folder, ["-Wl,--hash-style=\(hashStyle)"] + needed)
        return [UInt8](try Data(contentsOf: URL(filePath: library)))
    }

    private static func compile(_ source: String, to library: String, in folder: ScratchFolder, _ flags: [String])
        throws
    {
        let file = try folder.write(source + "\n", to: "source.c")
        // The toolchain's own linker. Nothing of the system is linked, so no development package is needed.
        let options = ["-shared", "-fPIC", "-nostdlib", "-fuse-ld=lld", "-o", library, file]
        _ = try Tool.run([compiler.get()] + options + flags)
    }

    // The toolchain has it, beside swiftc where it is not in PATH by itself.
    private static let compiler = Result {
        let search = "command -v clang || echo \"$(dirname \"$(readlink -f \"$(command -v swiftc)\")\")/clang\""
        return try Tool.run(["sh", "-c", search]).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The libraries that were built with the tests.
enum BuiltLibrary {
    /// The folder of the test's executable.
    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }
}

extension [UInt8] {
    /// Writes a number at an offset, least significant byte first.
    mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        for index in 0..<MemoryLayout<Number>.size {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (index * 8))
        }
    }
}

/// The same sequence in every run: SplitMix64.
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
