import FoundationEssentials
import Glibc
import Synchronization

/// What a check was about to do, in a file, for whoever finds the process gone.
final class LastStep: Sendable {
    private let path: String
    private let last = Mutex("")

    /// Beside the file of a check's result.
    init(_ result: String) { path = result + ".step" }

    @Sendable
    func write(_ step: String) {
        last.withLock { last in
            // The same thousand times is told once.
            if step == last { return }
            last = step
            // Nobody is told when it cannot be kept: the check goes on, and its own end says more.
            try? Data(step.prefix(200).utf8).write(to: URL(filePath: path))
        }
    }

    func read() -> String? { (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) } }
}
