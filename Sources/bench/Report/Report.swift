import FoundationEssentials

/// The results of one `bench` run.
struct Report: Encodable {
    let rows: [ReportRow]
    /// True if the run used `--quick`.
    let isQuick: Bool
    /// True for a release build. False for a debug build.
    let isOptimized: Bool

    init(rows: [ReportRow], isQuick: Bool) {
        (self.rows, self.isQuick) = (rows, isQuick)
        #if DEBUG
        isOptimized = false
        #else
        isOptimized = true
        #endif
    }

    /// Returns the report as a JSON object.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// One row of a report. It compares one of the host's operations with its floor.
struct ReportRow: Encodable {
    struct Floor: Encodable {
        let name: String
        let cost: Double
    }

    struct Ratio: Encodable {
        let median: Double
        /// The first and third quartiles of the ratios.
        let low, high: Double
    }

    let subject: String
    let name: String
    /// The row's series and size. Nil if the operation is measured at one size only.
    let series: Trial.Series?
    let quantity: Quantity
    /// The median cost of one repetition. Times are in nanoseconds, memory in bytes.
    let cost: Double
    let floor: Floor
    let ratio: Ratio
    let rounds: Int
    let isNoisy: Bool

    @MainActor
    init(_ subject: String, _ trial: Trial, _ result: Measurement) {
        (self.subject, series) = (subject, trial.series)
        (name, quantity, cost) = (trial.subject.name, trial.quantity, result.subject)
        floor = Floor(name: trial.floor.name, cost: result.floor)
        ratio = Ratio(median: result.ratio.median, low: result.ratio.low, high: result.ratio.high)
        (rounds, isNoisy) = (result.rounds, result.isNoisy)
    }
}
