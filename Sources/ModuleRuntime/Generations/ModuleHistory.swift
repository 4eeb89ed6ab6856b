import Synchronization
import ViperKit

package final class ModuleHistory: Sendable {
    private struct State: Sendable {
        var generations = 0
        var loads = 0
        var openScenes = 0
        /// The number of times that the module is being loaded, created or tried now.
        var startsInProgress = 0
        /// The retired generations that are still in use.
        var draining: [Generation] = []
        /// The number of stopped generations whose libraries stay loaded in this process.
        var retired = 0
        /// The paths of the libraries that were loaded into this process.
        var images: [String] = []
        /// The histories of the same module from earlier manifest files.
        var earlier: [ModuleHistory] = []
    }

    package let calls = CallCount()
    private let state = Mutex(State())
    /// Set when clients have reached the module for the first time.
    private let reached = Atomic(false)

    package var generations: Int { all.reduce(0) { $0 + $1.generations } }
    package var loads: Int { all.reduce(0) { $0 + $1.loads } }
    package var openScenes: Int { all.reduce(0) { $0 + $1.openScenes } }
    /// The number of calls that have not returned.
    package var runningCalls: Int { earlier.reduce(calls.running) { $0 + $1.runningCalls } }
    /// True if the module is being loaded, created or tried.
    package var isStarting: Bool { all.contains { $0.startsInProgress > 0 } }
    package var images: [String] { all.flatMap(\.images) }
    package var draining: [Generation] { all.flatMap(\.draining) }
    /// True if the work of a retired generation was cancelled and has not ended.
    package var hasActiveRun: Bool { draining.contains { $0.run.isActive } }
    package var retired: Int { all.reduce(0) { $0 + $1.retired + $1.draining.count } }
    package var numbers: CallCount.Numbers { earlier.reduce(calls.numbers) { $0 + $1.numbers } }
    /// The calls by route.
    package var routes: [String: CallCount.Numbers] {
        earlier.reduce(calls.routes) { $0.merging($1.routes) { $0 + $1 } }
    }

    /// True if clients can reach the module at its sockets, or if the host no longer waits for that.
    package var isReached: Bool { reached.load(ordering: .relaxed) || earlier.contains(where: \.isReached) }

    package func noteReached() { reached.store(true, ordering: .relaxed) }

    /// Waits until all retired generations have stopped.
    package func stopped() async { for generation in draining { await generation.stopped() } }

    /// True if no generation is in use, and no library of the module stays in memory.
    var isForgotten: Bool { all.allSatisfy { $0.images.isEmpty && $0.draining.isEmpty } }

    private var earlier: [ModuleHistory] { state.withLock { $0.earlier } }
    private var all: [State] { [state.withLock { $0 }] + earlier.flatMap(\.all) }

    /// Adds the history of the same module from another manifest file. Lock order: the registry's lock, then this one.
    func goOn(from other: ModuleHistory) { state.withLock { $0.earlier.append(other) } }

    /// Adds a generation to the history and returns its number.
    func begin() -> Int {
        let before = earlier.reduce(0) { $0 + $1.generations }
        return state.withLock { state in
            state.generations += 1
            return before + state.generations
        }
    }

    /// Counts one load of the library, or one start of a worker.
    package func load(image: String?) {
        state.withLock { state in
            state.loads += 1
            if let image { state.images.append(image) }
        }
    }

    /// Runs a closure that loads, creates or tries the module.
    func start<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        state.withLock { $0.startsInProgress += 1 }
        defer { state.withLock { $0.startsInProgress -= 1 } }
        return try await body()
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
