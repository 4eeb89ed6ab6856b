import DataProviders
public import Testing
public import ViperKit

/// Records an issue for each requirement of ``ViperKit/DataProvider`` that a provider does not meet.
///
/// Call this function from a test of your provider:
///
/// ```swift
/// @Test("the provider meets all requirements")
/// func requirements() async throws {
///     let folder = try ScratchFolder()
///     await checkDataProvider { store in JSONDataProvider(folder: "\(folder.path)/\(store)") }
/// }
/// ```
///
/// Each issue names the requirement that is not met.
///
/// - Parameters:
///   - sourceLocation: The source location of the recorded issues.
///   - open: A closure that returns a provider for the store with the given name. For a new name, return a provider for
///     an empty store. For a name from an earlier call, return a second provider for the same store. The names consist
///     of lowercase letters and hyphens.
public func checkDataProvider(
    sourceLocation: SourceLocation = #_sourceLocation, open: (_ store: String) async throws -> any DataProvider
) async {
    for broken in await failedConformanceChecks(open: open) {
        Issue.record(Comment(rawValue: broken), sourceLocation: sourceLocation)
    }
}
