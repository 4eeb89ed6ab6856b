/// A part of the host that reads from a module in all of its generations, without a gap between two of them.
protocol GenerationReader: AnyObject, Sendable {
    /// Begins to read from a new generation. The generation is not in the registry before this method returns, so nobody
    /// can use it yet.
    func read(from generation: Generation) async
}

/// A reference to a reader, which owns the activator.
struct WeakReader: Sendable {
    weak var reader: (any GenerationReader)?
}
