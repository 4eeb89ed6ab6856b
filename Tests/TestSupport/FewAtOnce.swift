import Foundation
public import Testing

/// Runs few of the tests with this trait at the same time.
///
/// Swift Testing starts all tests of a run at once. Tests that run processes then compete for the processors: each of them takes
/// minutes, and every limit that the host itself keeps is reached. A test holds one turn from its beginning to its end.
public struct FewAtOnce: TestTrait, SuiteTrait, TestScoping {
    // More than processors, because most of these tests wait for a process.
    private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount + 2)

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Only cases take turns: a suite holds none while its tests wait for theirs.
        if testCase == nil { return try await function() }
        try await Self.turns.take(function)
    }
}

extension Trait where Self == FewAtOnce {
    /// Runs few of these tests at the same time.
    public static var fewAtOnce: Self { Self() }
}
