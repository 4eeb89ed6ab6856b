package import HostSystem

/// The list of the files that are packed into a library.
///
/// A library has its resources in one section, at the end of the file, behind everything that is loaded:
///
/// 1. the size of the index, as eight bytes, the lowest first
/// 2. the index: the name, size and SHA-256 of each file
/// 3. the contents of the files, in the same order and without gaps
///
/// The index has no offsets, so files cannot overlap.
package struct ResourceIndex: Sendable, Equatable {
    /// A packed file.
    package struct File: Sendable, Equatable, Encodable {
        /// The path in the module's resources, such as `images/logo.png`.
        package var name: String
        package var size: Int
        package var digest: Digest
    }

    /// The name of the section. Like the manifest's section, it is not loaded into memory.
    static let section = ".viper_resources"
    /// The maximum size of a packed file in bytes. A file is read in one piece.
    package static let longestFile = 1 << 30
    /// The maximum size of an index in bytes.
    static let limit = 1 << 24

    package let files: [File]
    /// The places of the files in ``files`` and their offsets from the first content, keyed by name.
    private let places: [String: (file: Int, offset: Int)]
    /// The sum of the sizes of all files.
    let contentSize: Int

    package static func == (left: ResourceIndex, right: ResourceIndex) -> Bool { left.files == right.files }

    /// Creates an index of files.
    ///
    /// - Throws: ``ElfFile/Problem`` if a name is not a plain relative path or occurs twice, or if a size is negative.
    init(_ files: [File]) throws(ElfFile.Problem) {
        var (places, offset): ([String: (file: Int, offset: Int)], Int) = ([:], 0)
        for (number, file) in files.enumerated() {
            guard isPlainPath(file.name) else {
                throw Self.damage("\"\(file.name)\" is not a path inside the resources")
            }
            // Swift compares characters, so the names may also differ in their Unicode form.
            guard places.updateValue((number, offset), forKey: file.name) == nil else {
                throw Self.damage("\"\(file.name)\" occurs twice")
            }
            guard file.size >= 0 else { throw Self.damage("a file has the size \(file.size)") }
            offset = try ElfFile.sum(offset, file.size)
        }
        (self.files, self.places, contentSize) = (files, places, offset)
    }

    /// Returns a file and the offset of its content from the first content. Returns nil if no file has the name.
    func file(named name: String) -> (file: File, offset: Int)? {
        places[name].map { (files[$0.file], $0.offset) }
    }

    /// The index as bytes, with its size before it.
    var bytes: [UInt8] {
        var writer = IndexWriter()
        writer.add(files) { writer, file in
            writer.add(file.name)
            writer.add(file.size)
            writer.add(file.digest.description)
        }
        return withUnsafeBytes(of: UInt64(writer.bytes.count).littleEndian, Array.init) + writer.bytes
    }

    /// Creates an index from bytes.
    ///
    /// - Throws: ``ElfFile/Problem`` if the bytes are not an index.
    init(decoding bytes: ArraySlice<UInt8>) throws(ElfFile.Problem) {
        var reader = IndexReader(bytes)
        let files: [File]
        do throws(IndexReader.Damage) {
            files = try reader.list { reader throws(IndexReader.Damage) in
                let (name, size) = (try reader.text(), try reader.integer())
                guard let digest = Digest(try reader.text()) else { throw IndexReader.Damage() }
                return File(name: name, size: size, digest: digest)
            }
            guard reader.rest.isEmpty else { throw IndexReader.Damage() }
        } catch { throw Self.damage("their index cannot be decoded") }
        try self.init(files)
    }

    private static func damage(_ cause: String) -> ElfFile.Problem {
        ElfFile.Problem(cause: "its packed resources are damaged: \(cause)")
    }

    /// Reads the index of a library by reading only parts of it.
    ///
    /// - Parameter size: The size of the file in bytes.
    /// - Returns: The index, and the offset of the first content, which is the size of the library without the
    ///   contents. Nil if the library has no packed resources.
    /// - Throws: ``ElfFile/Problem`` if the resources are incomplete or damaged.
    static func read(
        inFileOf size: Int, _ part: ElfFile.Part
    ) throws(ElfFile.Problem) -> (index: ResourceIndex, offset: Int)? {
        // A check of the whole library explains other damage.
        guard let place = try? ElfFile.place(ofSection: section, inFileOf: size, part) else { return nil }
        guard place.offset >= 0, place.size >= 8 else { throw damage("their section has \(place.size) bytes") }
        let end = try ElfFile.sum(place.offset, place.size)
        guard end <= size else {
            throw ElfFile.Problem(cause: "it is truncated: its packed resources end beyond the end of the file")
        }
        // The rest of the library must be readable without the contents.
        guard end == size else { throw damage("they are not at the end of the file") }
        let length: UInt64 = try ElfFile.read([UInt8](try part(place.offset, 8)), at: 0)
        guard length <= limit, Int(length) <= place.size - 8 else {
            throw damage("their index has \(length) bytes, expected at most \(min(limit, place.size - 8))")
        }
        let index = try ResourceIndex(decoding: try part(place.offset + 8, Int(length)))
        let offset = place.offset + 8 + Int(length)
        guard index.contentSize == size - offset else {
            throw damage("the files have \(size - offset) bytes, expected \(index.contentSize)")
        }
        return (index, offset)
    }
}
