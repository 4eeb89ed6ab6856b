package import ViperKit

/// One thing that every provider of data does.
struct ProviderPromise: Sendable {
    /// What errors call it by, as a sentence.
    var text: String
    /// The name of its own store.
    var store: String
    var check: @Sendable (ProviderCheck) async throws -> Void

    init(_ store: String, _ text: String, check: @escaping @Sendable (ProviderCheck) async throws -> Void) {
        (self.text, self.store, self.check) = (text, store, check)
    }

    static let all =
        readingPromises + changingPromises + transactionPromises + recordPromises + namePromises + sharingPromises
}

/// Holds a provider of data against all that ``ViperKit/DataProvider`` promises.
///
/// - Parameters:
///   - announce: Hears of each promise before it is checked.
///   - open: Makes a provider for the store of this name. It is called twice for each store, which is empty at first.
/// - Returns: A sentence for each promise that is broken.
nonisolated(nonsending) package func brokenProviderPromises(
    announce: (String) -> Void = { _ in }, open: (_ store: String) async throws -> any DataProvider
) async -> [String] {
    var broken: [String] = []
    for promise in ProviderPromise.all {
        announce(promise.text)
        do {
            try await promise.check(ProviderCheck(provider: open(promise.store), other: open(promise.store)))
        } catch let error as BrokenPromise {
            broken.append("\(promise.text): \(error)")
        } catch {
            broken.append("\(promise.text): it throws \(error)")
        }
    }
    return broken
}
