import HostSystem
import Synchronization
import ViperKit

/// The services that are being created, and the requests that are waiting for them.
///
/// Each creation runs in a single task, even if several requests are waiting for it. If a factory makes a request, its
/// creation waits for another creation. A request throws an error if it would make creations wait for each other in a
/// cycle.
final class ServiceCreations: Sendable {
    typealias Made = ServiceSlot.Made

    struct Waiter {
        /// The creation whose factory made the request. Nil if the request came directly from a module.
        var asker: ServiceCreation?
        var path: ServicePath
        var start: Duration
        var continuation: CheckedContinuation<Result<Made, ViperError>, Never>
    }

    struct Running {
        let creation: ServiceCreation
        let slot: ServiceSlot
        let tasks: [Task<Void, Never>]
        let start: Duration
        var waiters: [Int: Waiter] = [:]
        /// The number of the factory's requests that are still waiting for other services.
        private var openRequests = 0
        /// The time at which the factory began to wait for the requests that are still open.
        private var waitingSince = Duration.zero
        /// The total time of the factory's completed waits for other services. Requests that wait at the same time
        /// count once.
        private var waited = Duration.zero

        init(creation: ServiceCreation, slot: ServiceSlot, tasks: [Task<Void, Never>], start: Duration) {
            (self.creation, self.slot, self.tasks, self.start) = (creation, slot, tasks, start)
        }

        mutating func beginRequest(at now: Duration) {
            if openRequests == 0 { waitingSince = now }
            openRequests += 1
        }

        mutating func endRequest(at now: Duration) {
            openRequests -= 1
            if openRequests == 0 { waited += now - waitingSince }
        }

        /// Returns the time that the factory itself has run, excluding its waits.
        func ownTime(at now: Duration) -> Duration { (openRequests > 0 ? waitingSince : now) - start - waited }

        func end(with result: Result<Made, ViperError>) {
            for task in tasks { task.cancel() }
            for waiter in waiters.values {
                waiter.continuation.resume(
                    returning: result.mapError { creation.path.replaced(by: waiter.path, in: $0) })
            }
        }
    }

    struct State {
        var lastWaiter = 0
        var running: [ObjectIdentifier: Running] = [:]

        func isRunning(_ creation: ServiceCreation) -> Bool {
            running[creation.place]?.creation === creation
        }

        /// Returns the chain of creations from `first` to `last`, in which each creation waits for the next. Returns
        /// nil if there is no such chain.
        func chain(from first: ServiceCreation, to last: ServiceCreation) -> [ServiceCreation]? {
            var next: [ObjectIdentifier: ServiceCreation] = [:]
            var found = [last]
            while let creation = found.popLast() {
                if creation === first { return Array(sequence(first: first) { next[ObjectIdentifier($0)] }) }
                guard let waiters = running[creation.place]?.waiters else { continue }
                for asker in waiters.values.compactMap(\.asker) where next[ObjectIdentifier(asker)] == nil {
                    // The factory of a creation that has ended may still be waiting. This wait does not count, even if
                    // a newer creation for the same slot is running.
                    guard isRunning(asker) else { continue }
                    next[ObjectIdentifier(asker)] = creation
                    found.append(asker)
                }
            }
            return nil
        }

        /// Returns a creation and the creations that it is waiting for, in order. Each creation in the chain is waiting
        /// for the next. The time for each creation is the time that its factory has run, excluding its waits.
        func chain(from first: ServiceCreation, at now: Duration) -> [(creation: ServiceCreation, time: Duration)] {
            var next: [ObjectIdentifier: (creation: ServiceCreation, start: Duration)] = [:]
            for running in running.values {
                for waiter in running.waiters.values {
                    guard let asker = waiter.asker, isRunning(asker) else { continue }
                    // If a factory waits for several services, the longest wait counts.
                    if let other = next[ObjectIdentifier(asker)], other.start <= waiter.start { continue }
                    next[ObjectIdentifier(asker)] = (running.creation, waiter.start)
                }
            }
            var chain: [(creation: ServiceCreation, time: Duration)] = []
            var creation: ServiceCreation? = first
            while let current = creation, let run = running[current.place] {
                chain.append((current, run.ownTime(at: now)))
                creation = next[ObjectIdentifier(current)]?.creation
            }
            return chain
        }

        /// Adds a request that waits for the service that is being created.
        mutating func add(_ waiter: Waiter, _ number: Int, to place: ObjectIdentifier) {
            running[place]?.waiters[number] = waiter
            if let asker = waiter.asker { running[asker.place]?.beginRequest(at: waiter.start) }
        }

        /// Records that a request has ended in the creation whose factory made the request.
        private mutating func end(_ waiter: Waiter, at now: Duration) {
            guard let asker = waiter.asker, isRunning(asker) else { return }
            running[asker.place]?.endRequest(at: now)
        }

        /// Removes a creation that has ended.
        mutating func remove(_ creation: ServiceCreation, at now: Duration) -> Running? {
            guard isRunning(creation), let run = running.removeValue(forKey: creation.place) else { return nil }
            for waiter in run.waiters.values { end(waiter, at: now) }
            return run
        }

        /// Removes a request that has ended.
        ///
        /// - Returns: The request, and its creation if no other request is waiting for that creation.
        mutating func removeWaiter(
            _ number: Int, of place: ObjectIdentifier, at now: Duration
        ) -> (Waiter, abandoned: Running?)? {
            guard let waiter = running[place]?.waiters.removeValue(forKey: number) else { return nil }
            end(waiter, at: now)
            let isAbandoned = running[place]?.waiters.isEmpty ?? false
            return (waiter, isAbandoned ? running.removeValue(forKey: place) : nil)
        }
    }

    /// The maximum time for a creation, and for creating all services that a module needs.
    let timeLimit: Duration
    let clock: ServiceClock
    let state = Mutex(State())

    init(timeLimit: Duration, clock: ServiceClock) { (self.timeLimit, self.clock) = (timeLimit, clock) }

    /// The number of services that are being created.
    var count: Int { state.withLock { $0.running.count } }

    /// Returns the path that a new request extends. This is the path of the factory that is running in this task, or a
    /// path that contains only the module.
    func path(for module: String) -> ServicePath {
        let current = ServiceCreation.current
        return state.withLock { state in current.flatMap { state.isRunning($0) ? $0.path : nil } }
            ?? ServicePath(module: module)
    }

    /// Returns the service in a slot, creating it if necessary.
    ///
    /// - Parameter deadline: The time at which to stop waiting, if it is earlier than the creation's own deadline.
    /// - Throws: ``ViperError/Code/serviceCycle``, ``ViperError/Code/serviceFailed`` (even if this task is cancelled),
    ///   ``ViperError/Code/timeLimit``, or another error about a service that the factory needs.
    func service(
        of slot: ServiceSlot, for consumer: ServiceConsumer, until deadline: Duration? = nil
    ) async throws(ViperError) -> Made {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(number, continuation, to: slot, for: consumer)
                // If the task was already cancelled, the cancellation handler ran before the request was added.
                if Task.isCancelled { remove(number, from: slot) }
                // Start the timer after adding the request, so that a deadline in the past ends the request.
                timer = deadline.map { deadline in
                    Task { if await clock.wait(until: deadline) { expire(number, of: slot) } }
                }
            }
        } onCancel: {
            remove(number, from: slot)
        }
        return try result.get()
    }

    private func add(
        _ number: Int, _ continuation: CheckedContinuation<Result<Made, ViperError>, Never>, to slot: ServiceSlot,
        for consumer: ServiceConsumer
    ) {
        let (current, now) = (ServiceCreation.current, clock.now())
        let result = state.withLock { state -> Result<Made, ViperError>? in
            // Lock order: this lock, then that of the slot. No creation starts once the slot has a service.
            if let made = slot.made { return .success(made) }
            // A task that a factory started may outlive the creation.
            let asker = current.flatMap { state.isRunning($0) ? $0 : nil }
            let path = (asker?.path ?? ServicePath(module: consumer.module)).appending(slot.name)
            let waiter = Waiter(asker: asker, path: path, start: now, continuation: continuation)
            let place = ObjectIdentifier(slot)
            guard let creation = state.running[place]?.creation else {
                state.running[place] = start(slot, path, for: consumer, at: now)
                state.add(waiter, number, to: place)
                return nil
            }
            if let asker, let chain = state.chain(from: creation, to: asker) {
                return .failure(Self.cycle(chain, path))
            }
            state.add(waiter, number, to: place)
            return nil
        }
        if let result { continuation.resume(returning: result) }
    }

    /// Resumes a cancelled request with an error.
    private func remove(_ number: Int, from slot: ServiceSlot) {
        end(number, of: slot) { _, _, path in
            ViperError(
                .serviceFailed, operation: "cannot create service", subject: slot.name,
                cause: "the request was cancelled",
                notes: [path.note])
        }
    }

    /// Resumes a request with an error at its deadline.
    private func expire(_ number: Int, of slot: ServiceSlot) {
        end(number, of: slot) { state, creation, path in overdue(state.chain(from: creation, at: clock.now()), path) }
    }

    /// Resumes a request with an error. If no other request is waiting for the creation, also ends the creation.
    private func end(
        _ number: Int, of slot: ServiceSlot, with error: (State, ServiceCreation, ServicePath) -> ViperError
    ) {
        let now = clock.now()
        let ended = state.withLock { state -> (Waiter, abandoned: Running?, State, ServiceCreation)? in
            let (place, before) = (ObjectIdentifier(slot), state)
            guard let creation = before.running[place]?.creation,
                let (waiter, abandoned) = state.removeWaiter(number, of: place, at: now)
            else { return nil }
            return (waiter, abandoned, before, creation)
        }
        guard let (waiter, abandoned, before, creation) = ended else { return }
        abandoned?.tasks.forEach { $0.cancel() }
        waiter.continuation.resume(returning: .failure(error(before, creation, waiter.path)))
    }

    private func start(
        _ slot: ServiceSlot, _ path: ServicePath, for consumer: ServiceConsumer, at start: Duration
    ) -> Running {
        let creation = ServiceCreation(in: slot, path)
        let work = Task { finish(creation, await creation.run(slot, for: consumer)) }
        let timer = Task {
            // The sleep is cancelled when the creation has ended.
            if await clock.wait(until: start + timeLimit) { expire(creation) }
        }
        return Running(creation: creation, slot: slot, tasks: [work, timer], start: start)
    }

    private func finish(_ creation: ServiceCreation, _ result: Result<Made, ViperError>) {
        let now = clock.now()
        let running = state.withLock { state -> Running? in
            // If the creation was abandoned or took too long, another creation for the same slot may be running.
            guard state.isRunning(creation) else { return nil }
            // Lock order: this lock, then that of the slot.
            if case .success(let made) = result { state.running[creation.place]?.slot.keep(made) }
            return state.remove(creation, at: now)
        }
        running?.end(with: result)
    }

    /// Ends a creation at its time limit, and with it all others that have reached theirs.
    ///
    /// If the creations ended one by one, a creation could lose the one that it waits for before its own time limit is
    /// handled. The error would then blame the provider that only waited.
    private func expire(_ creation: ServiceCreation) {
        let now = clock.now()
        let ended = state.withLock { state -> [(Running, ViperError)] in
            guard state.isRunning(creation) else { return [] }
            let before = state
            return before.running.values.compactMap { run in
                guard run.creation === creation || now - run.start >= timeLimit else { return nil }
                let error = overdue(before.chain(from: run.creation, at: now), run.creation.path)
                return state.remove(run.creation, at: now).map { ($0, error) }
            }
        }
        for (running, error) in ended { running.end(with: .failure(error)) }
    }

    /// Returns the error for the first creation in a chain. The error names the creation whose factory has run the
    /// longest, excluding waits.
    private func overdue(_ chain: [(creation: ServiceCreation, time: Duration)], _ path: ServicePath) -> ViperError {
        // If times are equal, name the last creation, because the earlier creations are waiting for it.
        let slowest = chain.reversed().max { $0.time < $1.time }
        let path = chain.dropFirst().reduce(path) { $0.appending($1.creation.service) }
        return ViperError(
            .timeLimit, operation: "cannot create service", subject: slowest?.creation.service ?? "",
            cause:
                "its provider \"\(slowest?.creation.provider ?? "")\" took too long; the limit is \(timeLimit.inSeconds)",
            notes: [path.note], fix: "let its factory return or throw sooner")
    }

    private static func cycle(_ chain: [ServiceCreation], _ path: ServicePath) -> ViperError {
        let names = chain.map(\.service) + chain.prefix(1).map(\.service)
        return ViperError(
            .serviceCycle, operation: "cannot create service", subject: names[0],
            cause: "it depends on itself: \(names.joined(separator: " → "))", notes: [path.note],
            fix: "resolve one of them later, when it is used")
    }
}
