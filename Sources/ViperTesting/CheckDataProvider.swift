public import Testing
public import ViperKit
import ViperRuntime

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
    for broken in await brokenProviderPromises(open: open) {
        Issue.record(Comment(rawValue: broken), sourceLocation: sourceLocation)
    }
}
