/// A service while a resolution finds out which modules can be used.
///
/// Providers are only ever refused while that happens, so that each is passed over once.
struct ServiceDemand {
    let name: String
    /// True if the host itself provides it.
    let isOfHost: Bool
    /// The places of the modules that are asked for it, the first to come first.
    var providers: [Int] = []
    /// The places of the modules that require it.
    var consumers: [Int] = []
    /// True if one provider is asked for it, and can be used.
    var isMet: Bool
    /// True if all providers are refused, or there is none.
    var isLacking = false
    private var first = 0
    private var second = 1

    init(_ name: String, isOfHost: Bool) { (self.name, self.isOfHost, isMet) = (name, isOfHost, isOfHost) }

    /// The first provider that is not refused, and the next one if it came at the same time as the first.
    mutating func candidates(in records: [ModuleRecord]) -> (first: Int?, rival: Int?) {
        while first < providers.count, records[providers[first]].state.isRefused { first += 1 }
        guard first < providers.count else { return (nil, nil) }
        second = max(second, first + 1)
        while second < providers.count, records[providers[second]].state.isRefused { second += 1 }
        let rival = second < providers.count ? providers[second] : nil
        let isTie = rival.map { records[$0].arrival == records[providers[first]].arrival } ?? false
        return (providers[first], isTie ? rival : nil)
    }
}
