import CSystem
import Glibc
package import ViperKit

/// The pipes between the host and a program that it runs.
package struct SubprocessPipes {
    private struct Pipe {
        var own: Int32
        var child: Int32
        /// Which descriptor of the child it becomes.
        var number: Int32
    }

    private var all: [Pipe] = []

    /// - Parameter numbers: Which of the child's standard descriptors become a pipe.
    package init(_ numbers: [Int32]) throws(ViperError) {
        for number in numbers { try add(number) }
    }

    /// The host's end of a pipe; -1 where there is none.
    package func own(_ number: Int32) -> Int32 { all.first { $0.number == number }?.own ?? -1 }

    /// The child's end of a pipe; -1 where there is none.
    package func child(_ number: Int32) -> Int32 { all.first { $0.number == number }?.child ?? -1 }

    private mutating func add(_ number: Int32) throws(ViperError) {
        var ends: [Int32] = [-1, -1]
        // Closed on exec: no other child that is spawned meanwhile keeps them open.
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            let cause = String(cString: strerror(errno))
            closeChildSides()
            closeOwnSides()
            throw ViperError(.programFailed, "cannot run", "a program", cause: cause)
        }
        let isInput = number == STDIN_FILENO
        all.append(Pipe(own: ends[isInput ? 1 : 0], child: ends[isInput ? 0 : 1], number: number))
    }

    /// What a child begins with as its standard descriptors.
    var descriptors: [(own: Int32, child: Int32)] { all.map { ($0.child, $0.number) } }

    /// Closes the child's sides here, so that the end of its output can be seen.
    package func closeChildSides() { all.forEach { close($0.child) } }

    package func closeOwnSides() { all.forEach { close($0.own) } }
}
