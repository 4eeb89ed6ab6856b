/// The bounds of the server that clients share.
struct Pools: Sendable {
    /// The streams.
    let streams: Pool
    /// The requests that modules are answering.
    let answers: Pool
    /// The bodies that are being received.
    let receptions: Pool
    /// The bytes of the bodies, from their reception until their forms are executed.
    let bodies: Pool
    /// The bytes of responses and events that browsers have not read.
    let unsent: Pool
    /// The windows.
    let windows: Pool
    /// The client of requests without a session.
    let unknown = Client(isKnown: false)
    /// The client of all probes. Their share is their own, so that monitoring is answered whatever others hold.
    let probes = Client(isKnown: false)

    /// Creates the pools.
    ///
    /// - Parameters:
    ///   - connections: The maximum number of connections. A tenth of them stays free of streams and of requests
    ///     that modules are answering, because a new connection displaces neither.
    ///   - windows: The maximum number of windows of a session. While it opens more, earlier ones close.
    init(connections: Int, windows: Int) {
        streams = Pool(.init(total: connections / 2, share: 8))
        answers = Pool(.init(total: connections / 4, share: 16, common: max(4, connections / 32)))
        receptions = Pool(.init(total: .max, share: 4))
        bodies = Pool(.init(total: 64 << 20, share: 4 << 20, floor: 64 << 10))
        unsent = Pool(
            .init(total: 256 << 20, share: 8 << 20, common: 8 << 20, floor: 128 << 10, allowsOneLarge: true))
        self.windows = Pool(.init(total: 4_000, share: windows + 16))
    }
}
