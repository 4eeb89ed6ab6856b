/// The time for which a scene is open. The host sets it while it calls the scene's view, and ends it when the scene
/// closes.
@_spi(Host)
@MainActor
public final class SceneLifetime {
    /// The lifetime of the scene whose view the host calls. Nil outside such a call.
    @TaskLocal public static var current: SceneLifetime?

    /// Reads that may have been freed.
    private struct Following {
        weak var reads: LatestReads?
    }

    private var isOver = false
    private var following: [Following] = []
    /// The number of elements above which those of freed reads are removed.
    private var limit = 16

    /// Creates the lifetime of a scene that has just opened.
    public init() {}

    /// Cancels the tasks of the scene.
    public func end() {
        isOver = true
        for element in following { element.reads?.stop() }
        following = []
    }

    /// Stops reads when the scene closes.
    func add(_ reads: LatestReads) {
        if isOver { return reads.stop() }
        if following.count >= limit {
            following.removeAll { $0.reads == nil }
            limit = max(16, 2 * following.count)
        }
        following.append(Following(reads: reads))
    }
}
