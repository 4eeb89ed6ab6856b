/// The scenes that a guard has allowed, or is being asked about.
struct GuardedScenes {
    private struct Entry {
        weak var navigator: SceneNavigator?
        var identity: String
        var route: String

        @MainActor var isOver: Bool { navigator?.scene?.isClosed ?? (navigator == nil) }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of entries at which those of closed scenes are removed. It doubles with the open scenes, so each entry
    /// is looked at a few times only.
    private var limit = 16

    @MainActor
    mutating func add(_ navigator: SceneNavigator, _ route: String) {
        if entries.count >= limit {
            entries = entries.filter { !$0.value.isOver }
            limit = max(16, entries.count * 2)
        }
        entries[ObjectIdentifier(navigator)] = Entry(
            navigator: navigator, identity: navigator.identity, route: route)
    }

    mutating func remove(_ navigator: SceneNavigator) { entries[ObjectIdentifier(navigator)] = nil }

    /// Removes the scenes of an identity, and returns their navigators and routes.
    mutating func take(of identity: String) -> [(SceneNavigator, String)] {
        // Texts with the same characters in another Unicode form are different identities.
        let taken = entries.filter { $0.value.identity.utf8.elementsEqual(identity.utf8) }
        for key in taken.keys { entries[key] = nil }
        return taken.values.compactMap { entry in entry.navigator.map { ($0, entry.route) } }
    }
}
