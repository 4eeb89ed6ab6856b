/// What one connection may take of a host, and how many there may be.
package struct Limits: Sendable, Equatable {
    /// The longest message that is read, in bytes. Far longer than any call that a person makes.
    package var message = 1 << 20
    /// The connections at once.
    package var connections = 64
    /// The scenes of a connection that are open at once.
    package var scenes = 100
    /// The calls of a connection that are being done at once.
    package var calls = 64
    /// What may wait for a client to read it, in bytes. Room for a screen of ten thousand rows.
    package var pending = 8 << 20
    /// How long a call may take.
    package var time = Duration.seconds(30)

    package init() {}

    /// Sets a limit by its name.
    ///
    /// - Returns: Whether there is such a limit, and the text is a number that it can have.
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

    /// The names, as people write them.
    package static let names = ["message", "connections", "scenes", "calls", "pending", "time"]

    /// Those of an end that has chosen whom it calls: the other end has limits of its own.
    package static var ofCaller: Limits {
        var limits = Limits()
        (limits.message, limits.calls, limits.time) = (1 << 30, 10_000, .seconds(86_400))
        return limits
    }
}
