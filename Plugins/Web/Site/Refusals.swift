import Synchronization
import ViperKit

/// The counts of refused requests. They are logged at most once a minute, so that requests cannot fill the log.
final class Refusals: Sendable {
    /// The reason of a refusal.
    enum Reason: String {
        case host = "wrong host name"
        case origin = "request of another site"
        case token = "wrong token"
        case window = "unknown window"
        case login = "not logged in"
        case path = "invalid path"
        case form = "invalid form"
        case framing = "ambiguous request"
        case malformed = "malformed request"
        case limit = "limit reached"
        case slow = "too slow"
    }

    private struct State {
        var counts: [Reason: Int] = [:]
        var nextLine: ContinuousClock.Instant?
    }

    static let interval = Duration.seconds(60)

    private let logger: any Logger
    private let state = Mutex(State())

    init(logger: any Logger) { self.logger = logger }

    /// Counts refusals, and logs the counts unless they were logged a short time ago.
    func add(_ reason: Reason, count: Int = 1) {
        if count == 0 { return }
        state.withLock { $0.counts[reason, default: 0] += count }
        tell()
    }

    /// Logs the counts since the last line, unless that was a short time ago and another line can follow.
    func tell(isLast: Bool = false) {
        let line = state.withLock { state -> String? in
            if state.counts.isEmpty || !isLast && state.nextLine.map({ .now < $0 }) ?? false { return nil }
            defer { (state.counts, state.nextLine) = ([:], .now + Self.interval) }
            return state.counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) × \($0.key.rawValue)" }
                .joined(separator: ", ")
        }
        if let line { logger.log(.warning, "refused requests: \(line)") }
    }
}
