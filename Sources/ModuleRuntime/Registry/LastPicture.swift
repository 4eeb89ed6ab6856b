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
        state.withLock { state in
            if state.snapshot !== snapshot { (state.snapshot, state.text) = (snapshot, drawing()) }
            return state.text
        }
    }
}
