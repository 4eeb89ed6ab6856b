/// The state of a service during a resolution.
///
/// During a resolution, a refused provider never becomes usable again. ``candidates(in:)`` therefore skips each refused
/// provider only once.
struct ServiceDemand {
    let name: String
    let isOfHost: Bool
    /// The indices of the modules that provide the service, in order of arrival. Providers that the settings rule out
    /// are not included.
    var providers: [Int] = []
    var consumers: [Int] = []
    /// True if the host provides the service, or if a usable provider is selected.
    var isMet: Bool
    /// True if the service has no provider, or only refused providers.
    var isLacking = false
    private var first = 0
    private var second = 1

    init(_ name: String, isOfHost: Bool) { (self.name, self.isOfHost, isMet) = (name, isOfHost, isOfHost) }

    /// Returns the first provider that is not refused. If the next such provider arrived at the same time, also returns
    /// that provider.
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
