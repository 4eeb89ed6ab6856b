public import Foundation

/// How a child process ended, and what it left.
public struct ChildResult: Sendable, CustomStringConvertible {
    /// The way in which a process ends.
    public enum Ending: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    public var ending: Ending
    /// Standard output, byte for byte.
    public var output: Data
    /// Standard error.
    public var errors: String
    /// The most memory that was resident at one time, in bytes. An upper bound: the kernel counts in what the test process
    /// had resident when it started the child.
    public var peakMemory: Int

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// All of it, for the message of a test that fails.
    public var description: String { "\(ending)\n--- stdout\n\(text)--- stderr\n\(errors)---" }
}

/// A child process that could not be run to its end.
public struct ChildFailure: Error, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
