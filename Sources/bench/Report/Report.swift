import FoundationEssentials

/// All rows of one run.
struct Report: Encodable {
    let rows: [ReportRow]
    /// True for a run with `--quick`.
    let isQuick: Bool
    /// False for a debug build.
    let isOptimized: Bool

    init(rows: [ReportRow], isQuick: Bool) {
        (self.rows, self.isQuick) = (rows, isQuick)
        #if DEBUG
        isOptimized = false
        #else
        isOptimized = true
        #endif
    }

    /// Returns the rows as one JSON object.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// One line of a report: an operation of the host beside its floor. Times are in nanoseconds.
struct ReportRow: Encodable {
    struct Floor: Encodable {
        let name: String
        let nanoseconds: Double
    }

    struct Ratio: Encodable {
        let median: Double
        /// The bounds of the middle half of all rounds: the first and the third quartile.
        let low, high: Double
    }

    let subject: String
    let name: String
    let nanoseconds: Double
    let floor: Floor
    let ratio: Ratio
    let rounds: Int
    let isNoisy: Bool

    @MainActor
    init(_ subject: String, _ trial: Trial, _ result: Measurement) {
        self.subject = subject
        (name, nanoseconds) = (trial.subject.name, result.subject)
        floor = Floor(name: trial.floor.name, nanoseconds: result.floor)
        ratio = Ratio(median: result.ratio.median, low: result.ratio.low, high: result.ratio.high)
        (rounds, isNoisy) = (result.rounds, result.isNoisy)
    }
}
