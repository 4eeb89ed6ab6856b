import HostSystem

/// The identity of a library that is in only one of the two folders that the host searches.
struct FoundLibrary: Equatable {
    var identity: FileIdentity
    /// True if the library is in the folder of the host's executable.
    var isBundled: Bool
}

extension FoundLibrary {
    func write(to writer: inout IndexWriter) {
        identity.write(to: &writer)
        writer.add(isBundled)
    }

    init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        self.init(identity: try FileIdentity(from: &reader), isBundled: try reader.flag())
    }
}
