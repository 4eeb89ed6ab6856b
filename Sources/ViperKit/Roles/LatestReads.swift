/// The reads of a presenter, of which only the latest result counts.
///
/// A presenter reads when its scene opens, after each change of the data, and when the user asks for it. Several reads can
/// run at the same time and finish in another order. A result that a newer read has overtaken must not replace the newer
/// result on the screen.
///
/// ```swift
/// private let reads = LatestReads()
///
/// func load() async {
///     reads.follow(interactor.changes()) { [weak self] in await self?.read() }
///     await read()
/// }
///
/// private func read() async {
///     do {
///         guard let teas = try await reads.latest(interactor.teas) else { return }
///         view?.show(teas)
///     } catch {
///         view?.show(error)
///     }
/// }
/// ```
@MainActor
public final class LatestReads {
    private var begun = 0
    private var finished = 0
    private var following: Task<Void, Never>?

    /// Creates reads that follow no changes.
    public init() {}

    deinit { following?.cancel() }

    /// Performs an action after each change, until this object is freed or its scene closes.
    ///
    /// If this object already follows changes, the call does nothing. To avoid missing a change, call this method before
    /// the first read.
    ///
    /// - Parameters:
    ///   - changes: The stream of changes, which is evaluated only if it is needed.
    ///   - action: A closure that reads again. It must not retain the presenter.
    public func follow<Change: Sendable>(
        _ changes: @autoclosure () -> AsyncStream<Change>, _ action: @escaping @MainActor () async -> Void
    ) {
        if following != nil { return }
        let changes = changes()
        // A call that still runs may retain the presenter of a scene that has closed.
        following = Task { for await _ in changes where !Task.isCancelled { await action() } }
        SceneLifetime.current?.add(self)
    }

    /// Ends following changes.
    func stop() { following?.cancel() }

    /// Reads a value.
    ///
    /// - Parameter read: A closure that reads the value.
    /// - Returns: The value, or nil if a newer read has finished before.
    /// - Throws: The error of the closure, unless a newer read has finished before.
    public func latest<Value: Sendable>(
        _ read: () async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value? {
        begun += 1
        let number = begun
        let result: Result<Value, ViperError>
        do { result = .success(try await read()) } catch { result = .failure(error) }
        if number < finished { return nil }
        finished = number
        return try result.get()
    }
}
