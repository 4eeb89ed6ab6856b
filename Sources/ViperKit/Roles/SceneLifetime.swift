/// The time for which a scene is open. The host sets it while it calls the scene's view, and ends it when the scene
/// closes.
@_spi(Host)
@MainActor
public final class SceneLifetime {
    /// The lifetime of the scene whose view the host calls. Nil outside such a call.
    @TaskLocal public static var current: SceneLifetime?

    private var isOver = false
    private var tasks: [Task<Void, Never>] = []

    /// Creates the lifetime of a scene that has just opened.
    public init() {}

    /// Cancels the tasks of the scene.
    public func end() {
        isOver = true
        for task in tasks { task.cancel() }
        tasks = []
    }

    /// Cancels a task when the scene closes.
    func add(_ task: Task<Void, Never>) { if isOver { task.cancel() } else { tasks.append(task) } }
}
