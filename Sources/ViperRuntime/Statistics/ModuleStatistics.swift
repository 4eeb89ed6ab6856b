/// What there is to count of one module, at one moment.
public struct ModuleStatistics: Sendable, Equatable, Codable {
    /// The module's name.
    public var module: String
    /// Its state in one word.
    public var state: String
    /// The number of the generation that answers, while one does.
    public var generation: Int?
    /// Whether it runs in a process of its own, and that process's number while there is one.
    public var isolation: String
    public var process: Int?
    /// How many generations of it were made.
    public var generations: Int
    /// How often its library was loaded, or its worker started.
    public var loads: Int
    /// Scenes that are open, in all its generations.
    public var openScenes: Int
    /// Opens, what they begin, and events; over all its generations.
    public var calls: Int
    /// Those of them that ended in an error.
    public var failures: Int
    /// How long all calls together have taken, in seconds.
    public var seconds: Double
    /// Generations that answer no more.
    public var retired: Int
    /// What of the images of retired generations is in memory, in bytes.
    public var retiredMemory: Int
}
