import Foundation
import HostDriver
public import Testing

/// A trait that limits how many tests run at the same time.
///
/// Swift Testing starts all tests of a run at once. Tests that run processes then compete for the processors, take
/// minutes each, and exceed the host's own time limits. A test keeps its slot from start to end.
public struct FewAtOnce: TestTrait, SuiteTrait, TestScoping {
    // More than the number of processors, because most of these tests wait for a process.
    private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount + 2)

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Only test cases take a slot. A suite that held one could block its own tests.
        if testCase == nil { return try await function() }
        try await Self.turns.take(function)
    }
}

extension Trait where Self == FewAtOnce {
    /// A trait that limits how many tests run at the same time.
    public static var fewAtOnce: Self { Self() }
}
