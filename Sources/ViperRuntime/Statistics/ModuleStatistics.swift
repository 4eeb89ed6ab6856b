package struct ModuleStatistics: Sendable, Equatable, Codable {
    package var module: String
    package var state: String
    /// The number of the current generation. Nil unless the module is active.
    package var generation: Int?
    /// The module's isolation, `none` or `process`. For `process`, the property ``process`` contains the process ID of
    /// the running worker.
    package var isolation: String
    package var process: Int?
    /// The state of the module's work without a screen, as in ``ModuleListing/Entry/run``. Nil if it has none.
    package var run: String?
    /// The number of generations that were created.
    package var generations: Int
    /// The number of times that the library was loaded or a worker was started.
    package var loads: Int
    package var openScenes: Int
    /// The number of calls in all generations. A call opens a scene, loads a scene, or handles an event.
    package var calls: Int
    package var failures: Int
    /// The total duration of all calls, in seconds.
    package var seconds: Double
    /// The number of retired generations that are still in use, or whose libraries stay loaded in this process.
    package var retired: Int
    /// The resident memory that the libraries of retired generations use, in bytes.
    package var retiredMemory: Int
}
