/// A closure that repeats an operation.
///
/// - Parameter count: The number of repetitions.
/// - Returns: The number of repetitions with the expected result. Because the result is used, the optimiser cannot
///   remove the operation. If the closure measures the cost, the cost of one repetition; see ``Quantity``.
typealias Loop = @MainActor (_ count: Int) async throws -> Int

/// One of the host's operations, and its floor. The floor is minimal code that does the same without the host. If the
/// trial shows how size affects the operation, the floor may be the same operation at a small size.
@MainActor
struct Trial {
    /// One of the two parts of a trial: the operation or its floor.
    struct Side {
        var name: String
        var loop: Loop
    }

    /// A trial's place in a series. A series measures the same operation at different sizes, and becomes one chart.
    struct Series: Encodable {
        let name: String
        /// A plural noun for the things that the size counts, such as `modules`.
        let unit: String
        let size: Int
    }

    let subject: Side
    let floor: Side
    let quantity: Quantity
    /// Nil if the operation is measured at one size only.
    let series: Series?

    init(
        _ name: String, _ quantity: Quantity = .time, in series: Series? = nil, floor floorName: String,
        subject: @escaping Loop, by hand: @escaping Loop
    ) {
        (self.quantity, self.series) = (quantity, series)
        self.subject = Side(name: name, loop: subject)
        floor = Side(name: floorName, loop: hand)
    }

    /// Measures both sides alternately, so that a slow phase of the machine affects both.
    func run(_ effort: Effort) async throws -> Measurement {
        let subject = try await Batch(warmingUp: subject, quantity, effort)
        let floor = try await Batch(warmingUp: floor, quantity, effort)
        var rounds: [Measurement.Round] = []
        var quiet = 0
        let begin = ContinuousClock.now
        while !effort.isEnough(rounds: rounds.count, quiet: quiet, time: ContinuousClock.now - begin) {
            // Alternate which side runs first, because each side finds the processor's caches as the other side left
            // them.
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
