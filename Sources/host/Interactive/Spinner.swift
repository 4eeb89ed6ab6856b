import Glibc
import ViperKit

/// A spinner that is shown on the terminal during long work. It runs off the main actor, so it keeps moving even if a
/// module blocks the main actor.
struct Spinner {
    private let task = Task { await Self.turn() }

    /// Stops the spinner and clears its line.
    func stop() async {
        task.cancel()
        await task.value
    }

    @concurrent
    private static func turn() async {
        try? await Task.sleep(for: .milliseconds(150))
        if Task.isCancelled { return }
        let frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".map(String.init)
        var frame = 0
        while !Task.isCancelled {
            // If writing to the terminal fails, the session reports the error.
            try? Terminal.writeVerbatim("\r\(frames[frame]) Loading …", to: STDOUT_FILENO)
            frame = (frame + 1) % frames.count
            try? await Task.sleep(for: .milliseconds(100))
        }
        try? Terminal.writeVerbatim("\r           \r", to: STDOUT_FILENO)
    }
}
