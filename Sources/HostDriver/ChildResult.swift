public import Foundation

/// The exit status, output and memory use of a child process.
public struct ChildResult: Sendable, CustomStringConvertible {
    public enum Ending: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    public var ending: Ending
    /// Standard output, byte for byte.
    public var output: Data
    public var errors: String
    /// The peak resident memory in bytes. This is an upper bound: the kernel includes the memory that the test process
    /// had resident when it started the child.
    public var peakMemory: Int

    public var text: String { String(decoding: output, as: UTF8.self) }

    /// The whole result, for the message of a failed test.
    public var description: String { "\(ending)\n--- stdout\n\(text)--- stderr\n\(errors)---" }
}

/// The error of a child process that could not start, failed, or exceeded its time limit.
public struct ChildFailure: Error, CustomStringConvertible {
    public var description: String

    package init(_ description: String) { self.description = description }
}
