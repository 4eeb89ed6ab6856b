import Synchronization

/// What is counted of a module over all its generations.
final class ModuleHistory: Sendable {
    private struct State {
        var generations = 0
        var loads = 0
        var openScenes = 0
        /// The retired generations that scenes or other modules still use.
        var draining: [Generation] = []
        /// Retired generations that have ended, and that were loaded into this process for good.
        var retired = 0
        /// Where the images lie that were loaded into this process.
        var images: [String] = []
    }

    let calls = CallCount()
    private let state = Mutex(State())

    var generations: Int { state.withLock { $0.generations } }
    var loads: Int { state.withLock { $0.loads } }
    var openScenes: Int { state.withLock { $0.openScenes } }
    var images: [String] { state.withLock { $0.images } }
    /// The generations that answer no more, and that somebody still uses.
    var draining: [Generation] { state.withLock { $0.draining } }
    var retired: Int { state.withLock { $0.retired + $0.draining.count } }

    /// The number of the next generation.
    func begin() -> Int {
        state.withLock { state in
            state.generations += 1
            return state.generations
        }
    }

    /// A library was loaded, or a worker started.
    func load(image: String?) {
        state.withLock { state in
            state.loads += 1
            if let image { state.images.append(image) }
        }
    }

    func openScene() { state.withLock { $0.openScenes += 1 } }
    func closeScene() { state.withLock { $0.openScenes -= 1 } }

    func retire(_ generation: Generation) { state.withLock { $0.draining.append(generation) } }

    func end(_ generation: Generation) {
        state.withLock { state in
            state.draining.removeAll { $0 === generation }
            if generation.code.image != nil { state.retired += 1 }
        }
    }
}
