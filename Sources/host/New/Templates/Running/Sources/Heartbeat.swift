import ViperKit

/// The module's work. It logs a line now and once a minute.
struct Heartbeat: Interactor {
    let clock: any Clock<Duration>
    let logger: any Logger

    /// Works until the task is cancelled. Sleeping throws then.
    func run() async throws {
        var count = 0
        while true {
            count += 1
            logger.log(.info, "beat \(count)")
            try await clock.sleep(for: .seconds(60))
        }
    }
}
