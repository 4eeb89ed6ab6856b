import Glibc
import ViperKit

/// Turns on a terminal while something takes long. Runs off the main actor, so that it also turns while a module blocks that.
struct Spinner {
    private let task = Task { await Self.turn() }

    /// Stops it, and leaves an empty line.
    func stop() async {
        task.cancel()
        await task.value
    }

    @concurrent
    private static func turn() async {
        // What is over by then needs no spinner.
        try? await Task.sleep(for: .milliseconds(150))
        if Task.isCancelled { return }
        let frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".map(String.init)
        var frame = 0
        while !Task.isCancelled {
            // A terminal that cannot be written is the session's to find out.
            try? Terminal.writeVerbatim("\r\(frames[frame]) Loading …", to: STDOUT_FILENO)
            frame = (frame + 1) % frames.count
            try? await Task.sleep(for: .milliseconds(100))
        }
        try? Terminal.writeVerbatim("\r           \r", to: STDOUT_FILENO)
    }
}
