import CSystem
import Glibc
package import ViperKit

/// The pipes between the host and the standard descriptors of a child process.
package struct SubprocessPipes {
    private struct Pipe {
        var own: Int32
        var child: Int32
        /// The standard descriptor that the pipe becomes in the child.
        var number: Int32
    }

    private var all: [Pipe] = []

    /// Creates a pipe for each given standard descriptor.
    ///
    /// - Parameter numbers: The child's standard descriptors that become pipes.
    package init(_ numbers: [Int32]) throws(ViperError) {
        for number in numbers { try add(number) }
    }

    /// Returns the host's end of the pipe for a standard descriptor, or -1 if the descriptor has no pipe.
    package func own(_ number: Int32) -> Int32 { all.first { $0.number == number }?.own ?? -1 }

    /// Returns the child's end of the pipe for a standard descriptor, or -1 if the descriptor has no pipe.
    package func child(_ number: Int32) -> Int32 { all.first { $0.number == number }?.child ?? -1 }

    private mutating func add(_ number: Int32) throws(ViperError) {
        var ends: [Int32] = [-1, -1]
        // O_CLOEXEC prevents a child that another thread spawns at the same time from inheriting the ends.
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            let cause = String(cString: strerror(errno))
            closeChildSides()
            closeOwnSides()
            throw ViperError(.programFailed, operation: "cannot run", subject: "a program", cause: cause)
        }
        let isInput = number == STDIN_FILENO
        all.append(Pipe(own: ends[isInput ? 1 : 0], child: ends[isInput ? 0 : 1], number: number))
    }

    /// The value to use for ``ChildSpawn/descriptors``.
    var descriptors: [(own: Int32, child: Int32)] { all.map { ($0.child, $0.number) } }

    /// Closes the host's copies of the child's pipe ends. While they are open, the host cannot detect the end of the
    /// output.
    package func closeChildSides() { all.forEach { close($0.child) } }

    package func closeOwnSides() { all.forEach { close($0.own) } }
}
