import Synchronization

/// Something that the server has a bounded amount of, with a share for each client.
///
/// A bound without shares lets one client take everything, and keep all others out.
final class Pool: Sendable {
    /// The bounds of a pool.
    struct Bounds {
        /// The amount that all clients with a session hold together.
        var total: Int
        /// The amount that one of them holds.
        var share: Int
        /// The amount that all requests without a session hold together.
        var common = 0
        /// The amount that a client can always hold, also if the pool is full.
        var floor = 0
        /// True if a client that holds nothing can exceed its share once.
        var allowsOneLarge = false
    }

    private let bounds: Bounds
    private let state = Mutex(PoolState())

    init(_ bounds: Bounds) { self.bounds = bounds }

    /// Leases an amount to a client. If the pool is full, clients with weaker claims lose their newest leases. If the share of
    /// requests without a session is full, their oldest leases are lost.
    ///
    /// - Parameter holder: The user of the lease. Nil if it cannot be lost.
    /// - Returns: Nil if there is no room.
    func lease(_ amount: Int, to client: Client, for holder: (any LeaseHolder)?) -> Lease? {
        let (number, losers) = state.withLock { state -> (Int?, [any LeaseHolder]) in
            let (hasRoom, losers) = state.makeRoom(for: amount, of: client, within: bounds)
            return (hasRoom ? state.add(amount, of: client, for: holder) : nil, losers)
        }
        losers.forEach { $0.lose() }
        return number.map { Lease(self, $0, client) }
    }

    /// Returns true if a client with a session holds its whole share. Requests without a session are many clients, so none of
    /// them is refused because of the others.
    func isUsedUp(by client: Client) -> Bool {
        client.isKnown && state.withLock { $0.amount(of: client) } >= bounds.share
    }

    fileprivate func grow(_ number: Int, of client: Client, by amount: Int) -> Bool {
        let (isGranted, losers) = state.withLock { state -> (Bool, [any LeaseHolder]) in
            if !state.has(number, of: client) { return (false, []) }
            let (hasRoom, losers) = state.makeRoom(for: amount, of: client, within: bounds)
            // The lease itself may have made room.
            if !hasRoom || !state.has(number, of: client) { return (false, losers) }
            state.grow(number, of: client, by: amount)
            return (true, losers)
        }
        losers.forEach { $0.lose() }
        return isGranted
    }

    // The last reference to a holder is given up outside of the lock, because its `deinit` may end other leases.
    fileprivate func setHolder(_ number: Int, of client: Client, _ holder: (any LeaseHolder)?) {
        _ = state.withLock { $0.setHolder(number, of: client, holder) }
    }

    fileprivate func end(_ number: Int, of client: Client) { _ = state.withLock { $0.remove(number, of: client) } }
}

/// The user of a lease, which can lose it.
protocol LeaseHolder: AnyObject, Sendable {
    /// Gives up what was leased, because a client with a better claim needs it. Called while no lock of the pool is held.
    func lose()
}

/// A part of a pool that a client holds.
///
/// The pool refers to the holder until the lease ends or is lost. A lease that nobody refers to has ended.
final class Lease: Sendable {
    private let pool: Pool
    private let number: Int
    private let client: Client

    fileprivate init(_ pool: Pool, _ number: Int, _ client: Client) {
        (self.pool, self.number, self.client) = (pool, number, client)
    }

    deinit { pool.end(number, of: client) }

    /// Adds to the leased amount.
    ///
    /// - Returns: False if there is no room, or if the lease was lost or has ended.
    func grow(by amount: Int) -> Bool { pool.grow(number, of: client, by: amount) }

    /// Changes the user of the lease. Without one, the lease cannot be lost.
    func setHolder(_ holder: (any LeaseHolder)?) { pool.setHolder(number, of: client, holder) }

    /// Gives the amount back.
    func end() { pool.end(number, of: client) }
}
