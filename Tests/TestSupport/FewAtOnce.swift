import Foundation
import HostDriver
public import Testing

/// A trait that limits how many tests run at the same time.
///
/// Swift Testing starts all tests of a run at once. Without a limit, tests that run processes compete for the
/// processors, take minutes each, and exceed the host's time limits. Each test case occupies a slot while it runs.
public struct FewAtOnce: TestTrait, SuiteTrait, TestScoping {
    // More than the number of processors, because most of these tests wait for a process, and some for a time limit of
    // the host.
    private static let slots = Semaphore(ProcessInfo.processInfo.activeProcessorCount + 4)

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Only test cases occupy a slot. A suite that occupied a slot could block its own tests.
        if testCase == nil { return try await function() }
        try await Self.slots.withSlot(isFirst: test.traits.contains { $0 is Long }, function)
    }
}

/// A trait of a test that takes many seconds. It gets a slot of ``FewAtOnce`` before other tests, because the run would
/// otherwise end with one such test while a processor is idle.
public struct Long: TestTrait, SuiteTrait {
    public var isRecursive: Bool { true }
}

extension Trait where Self == Long {
    /// A trait of a test that takes many seconds, which starts before other tests.
    public static var long: Self { Self() }
}

extension Trait where Self == FewAtOnce {
    /// A trait that limits how many tests run at the same time.
    public static var fewAtOnce: Self { Self() }
}
