/// A shared library in the ELF format. All offsets are checked when they are read.
///
/// glibc trusts the headers of an ELF file, so a damaged file can crash the process in `dlopen`. This type reads the
/// same tables before the library is loaded. Names and numbers follow the System V ABI, https://gabi.xinuos.com, for
/// 64-bit little-endian files.
struct ElfFile {
    struct Problem: Error, Equatable {
        var cause: String
    }

    static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
    static let headerSize = 64
    /// The maximum size in bytes of a library without its packed resources. A larger file is rejected before it is read.
    static let limit = 512 << 20

    /// A closure that returns the given number of bytes at an offset. Both are within the file.
    typealias Part = (_ offset: Int, _ count: Int) throws(Problem) -> ArraySlice<UInt8>

    let bytes: [UInt8]
    let layout: ElfLayout

    /// Creates an ELF file from its bytes. Checks that the header is valid and that every segment is inside the file.
    ///
    /// - Throws: ``Problem`` if a check fails.
    init(_ bytes: [UInt8]) throws(Problem) {
        self.bytes = bytes
        layout = try ElfLayout(inFileOf: bytes.count, Self.parts(of: bytes))
    }

    /// Returns a closure for the parts of a file that is in memory.
    static func parts(of bytes: [UInt8]) -> Part { { offset, count in bytes[offset..<(offset + count)] } }

    /// Checks that a file with these first bytes is a shared library for this machine.
    static func checkHeader(_ bytes: [UInt8]) throws(Problem) {
        guard bytes.starts(with: magic) else { throw Problem(cause: "it is not an ELF file") }
        guard bytes.count >= headerSize else { throw Problem(cause: "it ends within the ELF header") }
        guard bytes[4] == 2, bytes[5] == 1 else { throw Problem(cause: "it is not 64-bit and little-endian") }
        let machine: UInt16 = try read(bytes, at: 18)
        guard machine == Machine.own.number else {
            throw Problem(cause: "it is built for \(Machine(machine).name), and this host is \(Machine.own.name)")
        }
        let type: UInt16 = try read(bytes, at: 16)
        guard type == 3 else { throw Problem(cause: "it is not a shared library (ELF type \(type))") }
    }

    /// Returns true if a file with these first bytes may be a library for this machine. The dynamic linker skips other
    /// files.
    static func isLoadable(beginning bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: magic), bytes.count >= headerSize, bytes[4] == 2, bytes[5] == 1 else { return false }
        return (try? read(bytes, at: 18) as UInt16) == Machine.own.number
    }

    /// Returns the entries of the dynamic section before DT_NULL.
    func dynamicEntries() throws(Problem) -> [(tag: Int, value: Int)] {
        try layout.dynamicEntries(Self.parts(of: bytes))
    }

    /// Returns the file offset of the byte at a virtual address.
    func offset(ofAddress address: Int) throws(Problem) -> Int { try layout.offset(ofAddress: address) }

    func read<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) throws(Problem) -> Number {
        try Self.read(bytes, at: offset)
    }

    static func read<Number: FixedWidthInteger & BitwiseCopyable>(_ bytes: [UInt8], at offset: Int) throws(Problem)
        -> Number
    {
        let size = MemoryLayout<Number>.size
        guard offset >= 0, offset <= bytes.count - size else { throw Problem(cause: "it is truncated") }
        // The method is unsafe because not every bit pattern is valid for every type. For integers, every bit pattern
        // is.
        return Number(littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Returns the sum of two numbers. Throws if the sum overflows, because overflow would crash the process.
    static func sum(_ left: Int, _ right: Int) throws(Problem) -> Int {
        let (sum, overflows) = left.addingReportingOverflow(right)
        if overflows { throw Problem(cause: "a number in it is out of range") }
        return sum
    }
}

/// A processor architecture, identified by its number in `e_machine`.
private struct Machine {
    let number: UInt16

    init(_ number: UInt16) { self.number = number }

    static var own: Machine {
        #if arch(arm64)
        Machine(183)
        #else
        Machine(62)
        #endif
    }

    var name: String {
        switch number {
        case 3: "i386"
        case 40: "ARM"
        case 62: "x86-64"
        case 183: "AArch64"
        case 243: "RISC-V"
        default: "machine \(number)"
        }
    }
}
