import Glibc

/// A process, identified by its number and its start. The number alone may belong to a later process.
package struct ProcessIdentity: Sendable, Equatable {
    package let number: Int32
    /// The time of its start in ticks of the system since it booted.
    package let start: UInt64

    package init(number: Int32, start: UInt64) { (self.number, self.start) = (number, start) }

    /// Returns the identity of the process with this number. Returns nil if there is none, or if it has exited.
    package init?(of number: Int32) { self.init(named: "\(number)") }

    /// The identity of this process, as other processes in its PID namespace see it.
    package static var own: ProcessIdentity? { ProcessIdentity(named: ownProcess) }

    private init?(named name: String) {
        guard let number = Int32(name), let text = KernelFile.read("/proc/\(name)/stat") else { return nil }
        // The second field is the program's name in parentheses, which may contain both spaces and parentheses.
        let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        // A zombie has exited, but its parent has not waited for it.
        guard fields.count > 19, !["Z", "X"].contains(fields[0]), let start = UInt64(fields[19]) else { return nil }
        (self.number, self.start) = (number, start)
    }

    package var isRunning: Bool { Self(of: number) == self }
}
