import ViperKit

/// A change whose names were checked and whose record is encoded, so that what is left to fail is the server.
struct EncodedChange: Sendable {
    enum Kind: Sendable {
        case insert, replace, delete
    }

    let kind: Kind
    let collection: String
    let id: String
    /// Empty for a deletion.
    private(set) var json: [UInt8] = []

    /// What is tried, for an error.
    var what: String { "cannot \(kind) record" }

    init(_ change: DataChange, with coder: any JSONCoder) throws(ViperError) {
        let record: (any Record)?
        switch change {
        case .insert(let new, let name): (kind, collection, id, record) = (.insert, name, new.id, new)
        case .replace(let new, let name): (kind, collection, id, record) = (.replace, name, new.id, new)
        case .delete(let old, let name): (kind, collection, id, record) = (.delete, name, old, nil)
        @unknown default:
            throw ViperError(
                .storeFailed, "cannot make change", "\(change)", cause: "this provider does not know its kind")
        }
        try checkCollection(collection)
        guard let record else { return }
        guard !id.isEmpty else { throw invalid("its id is empty") }
        let read: [Identified]
        do {
            json = try coder.encode(record)
            // As it will be read: in an array with the others.
            read = try coder.decode([Identified].self, from: "[".utf8 + json + "]".utf8, named: id)
        } catch {
            throw invalid(error.cause)
        }
        guard read.first?.id.utf8.elementsEqual(id.utf8) == true else {
            throw invalid("it is encoded with another \"id\" than its own")
        }
    }

    /// The part of an encoded record that every record has.
    private struct Identified: Decodable {
        var id: String
    }

    private func invalid(_ cause: String) -> ViperError {
        ViperError(.recordInvalid, what, id, cause: cause, notes: [.init("collection", collection)])
    }
}

/// Checks that a collection's name is made as those of services are: words of small letters and digits, joined by hyphens.
func checkCollection(_ name: String) throws(ViperError) {
    let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isMadeOfWords = words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
    guard isMadeOfWords, let first = name.utf8.first, first >= 0x61, name.utf8.count <= 64 else {
        throw ViperError(
            .recordInvalid, "cannot use collection", name, cause: "a collection cannot have this name",
            mend: "write small letters, digits and single hyphens, beginning with a letter, at most 64 of them")
    }
}
