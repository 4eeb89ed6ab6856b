/// The growing pauses between attempts that fail.
package enum Backoff {
    /// Returns the pause after a number of consecutive failures. It doubles from one second to one minute.
    package static func pause(after failures: Int) -> Duration {
        .seconds(failures > 6 ? 60 : min(60, 1 << max(0, failures - 1)))
    }
}
