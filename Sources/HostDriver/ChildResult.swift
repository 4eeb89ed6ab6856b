public import Foundation

/// The exit status, output and memory use of a child process.
public struct ChildResult: Sendable, CustomStringConvertible {
    public enum Ending: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    public var ending: Ending
    /// The bytes that the process wrote to standard output.
    public var output: Data
    public var errors: String
    /// The peak resident memory in bytes. The value is an upper bound, because the kernel includes the memory that was
    /// resident in the test process when it started the child.
    public var peakMemory: Int

    public var text: String { String(decoding: output, as: UTF8.self) }

    /// The complete result as text, for use in test failure messages.
    public var description: String { "\(ending)\n--- stdout\n\(text)--- stderr\n\(errors)---" }
}

/// An error that is thrown when a child process cannot start, fails, or exceeds its time limit.
public struct ChildFailure: Error, CustomStringConvertible {
    public var description: String

    package init(_ description: String) { self.description = description }
}
