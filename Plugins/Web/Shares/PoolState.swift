/// The leases of each client in a pool.
struct PoolState {
    private struct Entry {
        var amount: Int
        /// Nil if the lease cannot be lost.
        var holder: (any LeaseHolder)?

        var isLosable: Bool { holder != nil && amount > 0 }
    }

    private struct Holding {
        let client: Client
        var amount = 0
        /// The leases, by number. A higher number is newer.
        var entries: [Int: Entry] = [:]

        var claim: Claim { Claim(hasSentForm: client.hasSentForm, amount: amount) }
    }

    /// The keys are those of the clients.
    private var holdings: [ObjectIdentifier: Holding] = [:]
    /// The amount of all clients with a session.
    private var amount = 0
    private var lastNumber = 0

    /// The maximum number of leases that are lost to one request, so that a request takes a bounded time.
    private static let lossLimit = 16

    func amount(of client: Client) -> Int { holdings[ObjectIdentifier(client)]?.amount ?? 0 }

    func has(_ number: Int, of client: Client) -> Bool {
        holdings[ObjectIdentifier(client)]?.entries[number] != nil
    }

    /// Adds a lease, and returns its number.
    mutating func add(_ amount: Int, of client: Client, for holder: (any LeaseHolder)?) -> Int {
        lastNumber += 1
        holdings[ObjectIdentifier(client), default: Holding(client: client)].entries[lastNumber] = Entry(
            amount: 0, holder: holder)
        grow(lastNumber, of: client, by: amount)
        return lastNumber
    }

    mutating func grow(_ number: Int, of client: Client, by amount: Int) {
        let key = ObjectIdentifier(client)
        holdings[key]?.entries[number]?.amount += amount
        holdings[key]?.amount += amount
        if client.isKnown { self.amount += amount }
    }

    /// Changes the holder of a lease if it exists, and returns the earlier one.
    mutating func setHolder(
        _ number: Int, of client: Client, _ holder: (any LeaseHolder)?
    ) -> (any LeaseHolder)? {
        let key = ObjectIdentifier(client)
        defer { holdings[key]?.entries[number]?.holder = holder }
        return holdings[key]?.entries[number]?.holder
    }

    /// Removes a lease if it exists, and returns its holder.
    mutating func remove(_ number: Int, of client: Client) -> (any LeaseHolder)? {
        let key = ObjectIdentifier(client)
        guard let entry = holdings[key]?.entries.removeValue(forKey: number) else { return nil }
        holdings[key]?.amount -= entry.amount
        if client.isKnown { amount -= entry.amount }
        if holdings[key]?.entries.isEmpty ?? false { holdings[key] = nil }
        return entry.holder
    }

    /// Makes room for an amount, if the client has a claim to it.
    ///
    /// - Returns: The holders that have lost their leases for it, even if there is no room in the end.
    mutating func makeRoom(
        for amount: Int, of client: Client, within bounds: Pool.Bounds
    ) -> (hasRoom: Bool, losers: [any LeaseHolder]) {
        if !client.isKnown { return makeCommonRoom(for: amount, of: client, within: bounds) }
        var losers: [any LeaseHolder] = []
        let held = self.amount(of: client)
        if held + amount > bounds.share, held > 0 || !bounds.allowsOneLarge { return (false, []) }
        let after = held + amount
        if after <= bounds.floor { return (true, losers) }
        let claim = Claim(hasSentForm: client.hasSentForm, amount: after)
        while self.amount + amount > bounds.total {
            guard losers.count < Self.lossLimit, let other = weakest(except: client), other.claim.yields(to: claim),
                let newest = losable(of: other.client).max(), let holder = remove(newest, of: other.client)
            else { return (false, losers) }
            losers.append(holder)
        }
        return (true, losers)
    }

    /// Makes room in the share of requests without a session. Nobody can tell their clients apart, so the oldest ones lose: a
    /// client that reads nothing must not keep out those that come later.
    private mutating func makeCommonRoom(
        for amount: Int, of client: Client, within bounds: Pool.Bounds
    ) -> (hasRoom: Bool, losers: [any LeaseHolder]) {
        func hasRoom() -> Bool {
            let held = self.amount(of: client)
            return held + amount <= bounds.common || held == 0 && bounds.allowsOneLarge
        }
        if hasRoom() { return (true, []) }
        if amount > bounds.common, !bounds.allowsOneLarge { return (false, []) }
        var losers: [any LeaseHolder] = []
        for oldest in losable(of: client).sorted().prefix(Self.lossLimit) where !hasRoom() {
            if let holder = remove(oldest, of: client) { losers.append(holder) }
        }
        return (hasRoom(), losers)
    }

    /// Returns the numbers of the leases that a client can lose. One without an amount would make no room.
    private func losable(of client: Client) -> [Int] {
        (holdings[ObjectIdentifier(client)]?.entries ?? [:]).filter { $0.value.isLosable }.map(\.key)
    }

    /// Returns the client with a session that is the first to lose a lease.
    private func weakest(except client: Client) -> (client: Client, claim: Claim)? {
        let others = holdings.values.filter { holding in
            holding.client.isKnown && holding.client !== client && holding.entries.contains { $0.value.isLosable }
        }
        return others.map { ($0.client, $0.claim) }.min { $0.1 < $1.1 }
    }
}
