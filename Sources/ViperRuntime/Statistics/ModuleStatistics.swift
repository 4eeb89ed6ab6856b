public struct ModuleStatistics: Sendable, Equatable, Codable {
    public var module: String
    public var state: String
    /// The number of the current generation. Nil unless the module is active.
    public var generation: Int?
    /// The module's isolation, `none` or `process`. For `process`, the property ``process`` contains the process ID of
    /// the running worker.
    public var isolation: String
    public var process: Int?
    /// The state of the module's work without a screen, as in ``ModuleListing/Entry/run``. Nil if it has none.
    public var run: String?
    /// The number of generations that were created.
    public var generations: Int
    /// The number of times that the library was loaded or a worker was started.
    public var loads: Int
    public var openScenes: Int
    /// The number of calls in all generations. A call opens a scene, loads a scene, or handles an event.
    public var calls: Int
    public var failures: Int
    /// The total duration of all calls, in seconds.
    public var seconds: Double
    /// The number of retired generations that are still in use, or whose libraries stay loaded in this process.
    public var retired: Int
    /// The resident memory that the libraries of retired generations use, in bytes.
    public var retiredMemory: Int
}
