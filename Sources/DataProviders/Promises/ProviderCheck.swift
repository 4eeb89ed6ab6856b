import ViperKit

/// One promise under test: a provider on a store of its own, and a second provider on the same store.
///
/// Its methods throw ``BrokenPromise`` at the first difference: one issue says what is wrong, and what would follow from it
/// is not told.
struct ProviderCheck: Sendable {
    let provider: any DataProvider
    let other: any DataProvider

    /// Throws when two values differ.
    func expect<Value: Equatable>(_ found: Value, is expected: Value, _ subject: String) throws {
        guard found != expected else { return }
        throw BrokenPromise(description: "\(subject) is \(shortened(found)), expected \(shortened(expected))")
    }

    /// Throws when a collection has other records, for one provider or the other.
    func expect(_ collection: String, has records: [SampleRecord]) async throws {
        for (name, provider) in [("the collection", provider), ("the collection by another provider", other)] {
            let found = try await provider.all(SampleRecord.self, in: collection)
            try expect(found, is: records, "\(name) \"\(collection)\"")
        }
    }

    /// Throws when a call succeeds, or fails with another code.
    func expect(_ code: ViperError.Code, _ subject: String, from body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ViperError {
            try expect(error.code.rawValue, is: code.rawValue, "the error of \(subject)")
            return try expect(error.cause.isEmpty, is: false, "the error of \(subject), when asked for an empty cause,")
        } catch {
            throw BrokenPromise(description: "\(subject) throws \(error), which is no ViperError")
        }
        throw BrokenPromise(description: "\(subject) succeeds, expected the error \(code.rawValue)")
    }

    // A value in a store may be very long; the message of an issue should not be.
    private func shortened(_ value: some Equatable) -> String {
        let text = String(reflecting: value)
        return text.count > 400 ? "\(text.prefix(400))…" : text
    }
}

/// What a provider did that it must not do.
struct BrokenPromise: Error, CustomStringConvertible {
    var description: String
}

/// A record with an optional value.
struct SampleRecord: Record, Equatable, CustomDebugStringConvertible {
    var id: String
    var text: String
    var number: Int?

    init(_ id: String, _ text: String = "", number: Int? = nil) {
        (self.id, self.text, self.number) = (id, text, number)
    }

    var debugDescription: String { "(\(id.debugDescription) \(text.debugDescription)\(number.map { " \($0)" } ?? ""))" }

    // By bytes: to `==` two texts are the same when they look the same.
    static func == (left: Self, right: Self) -> Bool {
        left.id.utf8.elementsEqual(right.id.utf8) && left.text.utf8.elementsEqual(right.text.utf8)
            && left.number == right.number
    }
}

/// A record whose text is a number: nothing that a promise inserts can be read as it.
package struct NumericRecord: Record {
    package var id: String
    var text: Int
}
