import Dispatch
import Glibc

/// Hears the signals that end a session: the first lets it leave cleanly, the second ends the process at once.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    init(_ hear: @escaping @Sendable (Int32) -> Void) {
        // Serial, so that handlers do not run at the same moment. Not the main queue: a module may block that.
        let queue = DispatchQueue(label: "signals")
        sources = [SIGHUP, SIGINT, SIGTERM].map { number in
            // The source sees it all the same.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // Whoever asks twice does not want to wait for modules that do not end.
                source.setEventHandler { _exit(128 + number) }
                hear(number)
            }
            source.activate()
            return source
        }
    }
}
