package import ViperKit

/// A requirement that every data provider must meet.
struct ConformanceCheck: Sendable {
    var text: String
    var store: String
    var check: @Sendable (ProviderCheck) async throws -> Void

    init(_ store: String, _ text: String, check: @escaping @Sendable (ProviderCheck) async throws -> Void) {
        (self.text, self.store, self.check) = (text, store, check)
    }

    static let all =
        readingPromises + changingPromises + transactionPromises + recordPromises + namePromises + queryPromises
        + sharingPromises
}

/// Checks whether a data provider meets the requirements of ``ViperKit/DataProvider``.
///
/// - Parameters:
///   - announce: A closure to call with a description of each requirement before the requirement is checked.
///   - open: A closure that creates a provider for a store. It is called twice for each store. A store must be empty
///     before its first use.
/// - Returns: A sentence for each requirement that the provider does not meet.
nonisolated(nonsending) package func failedConformanceChecks(
    announce: (String) -> Void = { _ in }, open: (_ store: String) async throws -> any DataProvider
) async -> [String] {
    var broken: [String] = []
    for promise in ConformanceCheck.all {
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
