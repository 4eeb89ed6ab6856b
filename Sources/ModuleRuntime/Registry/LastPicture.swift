import Synchronization

/// The last picture that was drawn. Several pages show it, and ask for it again and again.
final class LastPicture: Sendable {
    private struct State {
        // A strong reference would keep the generations of an earlier snapshot.
        weak var snapshot: RegistrySnapshot?
        var text = ""
    }

    private let state = Mutex(State())

    func text(of snapshot: RegistrySnapshot, drawing: () -> String) -> String {
        if let known = state.withLock({ $0.snapshot === snapshot ? $0.text : nil }) { return known }
        let text = drawing()
        state.withLock { ($0.snapshot, $0.text) = (snapshot, text) }
        return text
    }
}
