/// The segments of a library, read from its headers.
struct ElfLayout {
    /// A segment that a program header describes.
    struct Segment {
        var type: UInt32
        var flags: UInt32
        var offset: Int
        var address: Int
        var fileSize: Int
    }

    /// The segment types PT_LOAD and PT_DYNAMIC.
    private static let (loadable, dynamic): (UInt32, UInt32) = (1, 2)

    let segments: [Segment]

    /// Creates a layout by reading only the headers. Checks that they are valid and that every segment is inside the
    /// file.
    ///
    /// - Parameter size: The size of the file in bytes.
    /// - Throws: ``ElfFile/Problem`` if a check fails.
    init(inFileOf size: Int, _ part: ElfFile.Part) throws(ElfFile.Problem) {
        let header = [UInt8](try part(0, min(size, ElfFile.headerSize)))
        try ElfFile.checkHeader(header)
        let table: Int = try ElfFile.read(header, at: 32)
        let entrySize: UInt16 = try ElfFile.read(header, at: 54)
        let count: UInt16 = try ElfFile.read(header, at: 56)
        guard entrySize == 56 else { throw ElfFile.Problem(cause: "its program headers have an unknown size") }
        guard table >= 0, table <= size - Int(count) * 56 else {
            throw ElfFile.Problem(cause: "it is truncated")
        }
        let headers = [UInt8](try part(table, Int(count) * 56))
        var segments: [Segment] = []
        for index in 0..<Int(count) {
            let start = index * 56
            let segment = Segment(
                type: try ElfFile.read(headers, at: start), flags: try ElfFile.read(headers, at: start + 4),
                offset: try ElfFile.read(headers, at: start + 8),
                address: try ElfFile.read(headers, at: start + 16), fileSize: try ElfFile.read(headers, at: start + 32))
            let memorySize: Int = try ElfFile.read(headers, at: start + 40)
            guard segment.offset >= 0, segment.fileSize >= 0, segment.address >= 0,
                try ElfFile.sum(segment.offset, segment.fileSize) <= size
            else { throw ElfFile.Problem(cause: "it is truncated: segment \(index) ends beyond the end of the file") }
            guard segment.type != Self.loadable || memorySize >= segment.fileSize else {
                throw ElfFile.Problem(cause: "segment \(index) is larger in the file than in memory")
            }
            segments.append(segment)
        }
        guard segments.contains(where: { $0.type == Self.loadable }) else {
            throw ElfFile.Problem(cause: "it has no loadable segment")
        }
        self.segments = segments
    }

    /// Returns the entries of the dynamic section before DT_NULL.
    func dynamicEntries(_ part: ElfFile.Part) throws(ElfFile.Problem) -> [(tag: Int, value: Int)] {
        guard let section = segments.first(where: { $0.type == Self.dynamic }) else {
            throw ElfFile.Problem(cause: "it has no dynamic section")
        }
        // glibc finds the section by its address. If the offset led to other bytes, the host would check the wrong
        // bytes.
        guard try offset(ofAddress: section.address) == section.offset else {
            throw ElfFile.Problem(cause: "the address and the offset of its dynamic section do not match")
        }
        let bytes = [UInt8](try part(section.offset, section.fileSize))
        var entries: [(tag: Int, value: Int)] = []
        for index in 0..<(section.fileSize / 16) {
            let tag: Int = try ElfFile.read(bytes, at: index * 16)
            if tag == 0 { return entries }
            entries.append((tag, try ElfFile.read(bytes, at: index * 16 + 8)))
        }
        throw ElfFile.Problem(cause: "its dynamic section has no terminating entry")
    }

    /// Returns the file offset of the byte at a virtual address.
    func offset(ofAddress address: Int) throws(ElfFile.Problem) -> Int {
        for segment in segments where segment.type == Self.loadable && address >= segment.address {
            let distance = address - segment.address
            if distance < segment.fileSize { return segment.offset + distance }
        }
        throw ElfFile.Problem(cause: "an address in its dynamic section is outside the file")
    }
}
