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

    /// Those of an end that has chosen whom it calls: the other end has limits of its own.
    package static var ofCaller: Limits {
        var limits = Limits()
        (limits.message, limits.calls, limits.time) = (1 << 30, 10_000, .seconds(86_400))
        return limits
    }
}
