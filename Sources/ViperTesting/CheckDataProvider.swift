import DataProviders
public import Testing
public import ViperKit

/// Records an issue for each requirement of ``ViperKit/DataProvider`` that a provider does not meet.
///
/// Call this function from a test of your provider:
///
/// ```swift
/// @Test("the provider keeps what every provider promises")
/// func promises() async throws {
///     let folder = try ScratchFolder()
///     await checkDataProvider { store in JSONDataProvider(folder: "\(folder.path)/\(store)") }
/// }
/// ```
///
/// Each issue names the requirement.
///
/// - Parameters:
///   - sourceLocation: The location of the issues.
///   - open: Opens the store with the given name, which is a plain word. A new name stands for an empty store. A name
///     from an earlier call stands for the same store: return a second provider for it.
public func checkDataProvider(
    sourceLocation: SourceLocation = #_sourceLocation, open: (_ store: String) async throws -> any DataProvider
) async {
    for broken in await failedConformanceChecks(open: open) {
        Issue.record(Comment(rawValue: broken), sourceLocation: sourceLocation)
    }
}
