/// A shared library in the ELF format. All offsets are checked when they are read.
///
/// glibc trusts the headers of an ELF file, so a damaged file can crash the process in `dlopen`. This type reads the
/// same tables before the library is loaded. Names and numbers follow the System V ABI, https://gabi.xinuos.com, for
/// 64-bit little-endian files.
struct ElfFile {
    struct Problem: Error, Equatable {
        var cause: String
    }

    /// A segment that a program header describes.
    struct Segment {
        var type: UInt32
        var offset: Int
        var address: Int
        var fileSize: Int
    }

    /// The segment types PT_LOAD and PT_DYNAMIC.
    private static let (loadable, dynamic): (UInt32, UInt32) = (1, 2)

    static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
    static let headerSize = 64

    let bytes: [UInt8]
    let segments: [Segment]

    /// Creates an ELF file from its bytes. Checks that the header is valid and that every segment is inside the file.
    ///
    /// - Throws: ``Problem`` if a check fails.
    init(_ bytes: [UInt8]) throws(Problem) {
        self.bytes = bytes
        try Self.checkHeader(bytes)
        segments = try Self.readSegments(bytes)
        guard segments.contains(where: { $0.type == Self.loadable }) else {
            throw Problem(cause: "it has no loadable segment")
        }
    }

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

    private static func readSegments(_ bytes: [UInt8]) throws(Problem) -> [Segment] {
        let table: Int = try read(bytes, at: 32)
        let entrySize: UInt16 = try read(bytes, at: 54)
        let count: UInt16 = try read(bytes, at: 56)
        guard entrySize == 56 else { throw Problem(cause: "its program headers have an unknown size") }
        var segments: [Segment] = []
        for index in 0..<Int(count) {
            let header = try sum(table, index * 56)
            let segment = Segment(
                type: try read(bytes, at: header), offset: try read(bytes, at: try sum(header, 8)),
                address: try read(bytes, at: try sum(header, 16)), fileSize: try read(bytes, at: try sum(header, 32)))
            let memorySize: Int = try read(bytes, at: try sum(header, 40))
            guard segment.offset >= 0, segment.fileSize >= 0, segment.address >= 0,
                try sum(segment.offset, segment.fileSize) <= bytes.count
            else { throw Problem(cause: "it is truncated: segment \(index) ends beyond the end of the file") }
            guard segment.type != loadable || memorySize >= segment.fileSize else {
                throw Problem(cause: "segment \(index) is larger in the file than in memory")
            }
            segments.append(segment)
        }
        return segments
    }

    /// Returns the entries of the dynamic section before DT_NULL.
    func dynamicEntries() throws(Problem) -> [(tag: Int, value: Int)] {
        guard let section = segments.first(where: { $0.type == Self.dynamic }) else {
            throw Problem(cause: "it has no dynamic section")
        }
        // glibc finds the section by its address. If the offset led to other bytes, the host would check the wrong
        // bytes.
        guard try offset(ofAddress: section.address) == section.offset else {
            throw Problem(cause: "the address and the offset of its dynamic section do not match")
        }
        var entries: [(tag: Int, value: Int)] = []
        for index in 0..<(section.fileSize / 16) {
            let offset = try Self.sum(section.offset, index * 16)
            let tag: Int = try read(at: offset)
            if tag == 0 { return entries }
            entries.append((tag, try read(at: try Self.sum(offset, 8))))
        }
        throw Problem(cause: "its dynamic section has no terminating entry")
    }

    /// Returns the file offset of the byte at a virtual address.
    func offset(ofAddress address: Int) throws(Problem) -> Int {
        for segment in segments where segment.type == Self.loadable && address >= segment.address {
            let distance = address - segment.address
            if distance < segment.fileSize { return segment.offset + distance }
        }
        throw Problem(cause: "an address in its dynamic section is outside the file")
    }

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
