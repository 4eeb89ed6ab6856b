public import Testing
public import ViperKit

/// Holds a provider of data against all that ``ViperKit/DataProvider`` promises. Whoever writes a provider runs this from a test:
///
/// ```swift
/// @Test("the provider keeps what every provider promises")
/// func promises() async throws {
///     let folder = try ScratchFolder()
///     await checkDataProvider { store in JSONDataProvider(folder: "\(folder.path)/\(store)") }
/// }
/// ```
///
/// Each promise that is broken is an issue at the caller's line, which names the promise.
///
/// - Parameters:
///   - sourceLocation: Where issues are recorded.
///   - open: Makes a provider for the store of this name, a plain word. A name that it has not seen before stands for a store
///     without records, and one that it has seen for the same store once more: a second provider beside the first.
public func checkDataProvider(
    sourceLocation: SourceLocation = #_sourceLocation, open: (_ store: String) async throws -> any DataProvider
) async {
    for promise in providerPromises {
        var broken: String?
        do {
            try await promise.check(ProviderCheck(provider: open(promise.store), other: open(promise.store)))
        } catch let error as BrokenPromise {
            broken = "\(error)"
        } catch {
            broken = "it throws \(error)"
        }
        if let broken {
            Issue.record(Comment(rawValue: "\(promise.text): \(broken)"), sourceLocation: sourceLocation)
        }
    }
}

/// One thing that every provider does.
struct ProviderPromise: Sendable {
    /// What errors call it by, as a sentence.
    var text: String
    /// The name of its own store.
    var store: String
    var check: @Sendable (ProviderCheck) async throws -> Void

    init(_ store: String, _ text: String, check: @escaping @Sendable (ProviderCheck) async throws -> Void) {
        (self.text, self.store, self.check) = (text, store, check)
    }
}

private let providerPromises =
    readingPromises + changingPromises + transactionPromises + recordPromises + namePromises + sharingPromises
