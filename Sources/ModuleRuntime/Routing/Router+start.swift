package import ViperKit

extension Router {
    /// A value that modules contribute to the point `start`.
    private struct Start: Decodable {
        /// The address of the route that a host opens if none is named.
        var route: String
    }

    /// The error of the start route that the settings choose. Nil if they choose none, or if it can be opened.
    package var startError: ViperError? {
        if start == nil { return nil }
        do throws(ViperError) {
            _ = try request("", parameters: [:])
            return nil
        } catch { return error }
    }

    /// Returns the address of the start: the one of the settings, or else the only one that a usable module contributes.
    ///
    /// - Throws: ``ViperError/Code/routeUnknown`` if there is none, or ``ViperError/Code/routeContested`` if several
    ///   modules contribute different ones.
    func startAddress(in snapshot: RegistrySnapshot) throws(ViperError) -> String {
        if let start { return start }
        let contributions = snapshot.contributions(to: "start").map { $0.decoded(as: Start.self) }
        var starts: [(module: String, route: String)] = []
        for contribution in contributions {
            let route = try contribution.value.get().route
            if !starts.contains(where: { $0.route == route }) { starts.append((contribution.module, route)) }
        }
        if let start = starts.first, starts.count == 1 { return start.route }
        if starts.isEmpty {
            throw ViperError(
                .routeUnknown, operation: "cannot open", subject: "the start route",
                cause: "no usable module contributes one",
                fix: "name a route; host routes lists them, and \"start\" in host.json chooses one")
        }
        throw ViperError(
            .routeContested, operation: "cannot open", subject: "the start route",
            cause: "\(starts.count) modules contribute different ones",
            notes: starts.map { .init($0.module, $0.route) },
            fix: "choose one with --start, or with \"start\" in host.json")
    }
}
