/// A fixed number of sessions. A session connects when it is first used.
actor SessionPool {
    private var idle: [Session]
    private var waiting: [CheckedContinuation<Session, Never>] = []

    init(_ database: Database, size: Int) { idle = (0..<size).map { _ in Session(database) } }

    /// Runs a closure with a session that no other task uses at that time. Tasks wait in the order in which they ask.
    nonisolated func withSession<Value: Sendable, Failure: Error>(
        _ body: (Session) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let session = await take()
        do {
            let value = try await body(session)
            await put(session)
            return value
        } catch {
            await put(session)
            throw error
        }
    }

    private func take() async -> Session {
        // The session that was used last is most probably connected.
        if let session = idle.popLast() { return session }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func put(_ session: Session) {
        if waiting.isEmpty {
            idle.append(session)
        } else {
            waiting.removeFirst().resume(returning: session)
        }
    }
}
