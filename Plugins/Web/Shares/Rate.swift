/// A bound of how often something happens.
struct Rate {
    /// The number of times within a second. As many are possible at once.
    let perSecond: Int
    private var used = 0.0
    private var last: ContinuousClock.Instant?

    init(perSecond: Int) { self.perSecond = perSecond }

    /// Counts one time.
    ///
    /// - Returns: False if it is too early.
    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        let last = last ?? now
        used = max(0, used - max(.zero, now - last) / .seconds(1) * Double(perSecond))
        self.last = max(last, now)
        if used > Double(perSecond - 1) { return false }
        used += 1
        return true
    }
}
