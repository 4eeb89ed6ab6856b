/// Repeats an operation.
///
/// - Parameter count: The number of repetitions.
/// - Returns: The number of repetitions with the expected result. The sum keeps the optimiser from removing the operation.
typealias Loop = @MainActor (_ count: Int) async throws -> Int

/// An operation of the host, and the least code that does the same.
@MainActor
struct Trial {
    /// One of the two sides.
    struct Side {
        var name: String
        var loop: Loop
    }

    let subject: Side
    let floor: Side

    init(_ name: String, floor floorName: String, subject: @escaping Loop, by hand: @escaping Loop) {
        self.subject = Side(name: name, loop: subject)
        floor = Side(name: floorName, loop: hand)
    }

    /// Measures both sides in turns, so that a slow phase of the machine affects both.
    func run(_ effort: Effort) async throws -> Measurement {
        let subject = try await Batch(warmingUp: subject, effort)
        let floor = try await Batch(warmingUp: floor, effort)
        var rounds: [Measurement.Round] = []
        var quiet = 0
        let begin = ContinuousClock.now
        while !effort.isEnough(rounds: rounds.count, quiet: quiet, time: ContinuousClock.now - begin) {
            // Each side begins every other round, because it runs with the caches that the other one has left.
            if rounds.count.isMultiple(of: 2) {
                rounds.append(Measurement.Round(subject: try await subject.read(), floor: try await floor.read()))
            } else {
                let floor = try await floor.read()
                rounds.append(Measurement.Round(subject: try await subject.read(), floor: floor))
            }
            quiet += rounds.last?.isInterrupted == false ? 1 : 0
        }
        return Measurement(rounds)
    }
}
