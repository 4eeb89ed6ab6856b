/// The limits that a server sets for its connections.
package struct Limits: Sendable, Equatable {
    /// The maximum length of a received message, in bytes.
    package var message = 1 << 20
    /// The maximum number of open connections.
    package var connections = 64
    /// The maximum number of open scenes for each connection.
    package var scenes = 100
    /// The maximum number of calls that run concurrently on each connection.
    package var calls = 64
    /// The maximum size of a connection's unsent output, in bytes. The default is enough for a screen with ten thousand
    /// rows.
    package var pending = 8 << 20
    /// The maximum size of a connection's unsent output, in bytes, if it is another one than ``pending``. That is then the
    /// maximum length of a sent message only.
    ///
    /// The connection with a worker ends the scenes of all clients if it ends. Each message on it belongs to a call or a scene
    /// of a client, whose numbers are limited for each client, so it needs no limit of its own.
    package var unsent: Int?
    /// The maximum running time for each call.
    package var time = Duration.seconds(30)

    package init() {}

    /// Sets a limit by its name.
    ///
    /// - Returns: True if the limit was set. False if the limit does not exist or the value is invalid.
    package mutating func set(_ name: String, to text: String) -> Bool {
        let numbers: [String: WritableKeyPath<Limits, Int>] = [
            "message": \.message, "connections": \.connections, "scenes": \.scenes, "calls": \.calls,
            "pending": \.pending,
        ]
        if let path = numbers[name], let number = Int(text), (1...1 << 40).contains(number) {
            self[keyPath: path] = number
            return true
        }
        guard name == "time", let seconds = Double(text), seconds > 0, seconds <= 86_400 else { return false }
        time = .seconds(seconds)
        return true
    }

    /// Returns a noun phrase that describes the valid values of a limit. Returns nil if the limit does not exist.
    package static func expectation(of name: String) -> String? {
        if name == "time" { return "seconds above 0, up to 86400" }
        return names.contains(name) ? "an integer from 1 to \(1 << 40)" : nil
    }

    package static let names = ["message", "connections", "scenes", "calls", "pending", "time"]

    /// The limits for a client. They are generous, because the client chose the process that it calls.
    package static var ofCaller: Limits {
        var limits = Limits()
        (limits.message, limits.calls, limits.time) = (1 << 30, 10_000, .seconds(86_400))
        return limits
    }
}
