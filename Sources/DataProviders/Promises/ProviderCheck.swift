import ViperKit

/// The context for checking a requirement. It contains two providers that use the same store.
///
/// The methods throw ``BrokenPromise`` at the first difference, because any later difference may only be a consequence
/// of the first.
struct ProviderCheck: Sendable {
    let provider: any DataProvider
    let other: any DataProvider

    func expect<Value: Equatable>(_ found: Value, is expected: Value, _ subject: String) throws {
        guard found != expected else { return }
        throw BrokenPromise(description: "\(subject) is \(shortened(found)), expected \(shortened(expected))")
    }

    /// Throws an error if either provider returns records other than the expected ones for a collection.
    func expect(_ collection: String, has records: [SampleRecord]) async throws {
        for (name, provider) in [("the collection", provider), ("the collection by another provider", other)] {
            let found = try await provider.all(SampleRecord.self, in: collection)
            try expect(found, is: records, "\(name) \"\(collection)\"")
        }
    }

    /// Throws an error if a call succeeds, or if it fails with a different code or an empty cause.
    func expect(_ code: ViperError.Code, _ subject: String, from body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ViperError {
            try expect(error.code.name, is: code.name, "the error of \(subject)")
            return try expect(error.cause.isEmpty, is: false, "cause.isEmpty of the error of \(subject)")
        } catch {
            throw BrokenPromise(description: "\(subject) throws \(error), which is not a ViperError")
        }
        throw BrokenPromise(description: "\(subject) succeeds, expected the error \(code.name)")
    }

    // Returns a description of a value. A long description is cut off to keep the message readable.
    private func shortened(_ value: some Equatable) -> String {
        let text = String(reflecting: value)
        return text.count > 400 ? "\(text.prefix(400))…" : text
    }
}

struct BrokenPromise: Error, CustomStringConvertible {
    var description: String
}

struct SampleRecord: Record, Equatable, CustomDebugStringConvertible {
    var id: String
    var text: String
    var number: Int?

    init(_ id: String, _ text: String = "", number: Int? = nil) {
        (self.id, self.text, self.number) = (id, text, number)
    }

    var debugDescription: String { "(\(id.debugDescription) \(text.debugDescription)\(number.map { " \($0)" } ?? ""))" }

    // Compares the UTF-8 bytes, because `==` considers canonically equivalent strings equal.
    static func == (left: Self, right: Self) -> Bool {
        left.id.utf8.elementsEqual(right.id.utf8) && left.text.utf8.elementsEqual(right.text.utf8)
            && left.number == right.number
    }
}

/// A record whose text is a number. No record that a check inserts can be decoded as this type.
struct NumericRecord: Record {
    var id: String
    var text: Int
}
