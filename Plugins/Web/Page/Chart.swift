import ViperKit

/// The numbers of a chart, and their places between its edges.
struct Chart {
    /// The numbers of each row, without those that are infinite or not a number.
    let rows: [[Double?]]
    /// The largest number of series of a row.
    let seriesCount: Int
    let low: Double
    let high: Double

    /// Creates a chart.
    ///
    /// - Parameter hasZero: True if zero is between the edges, also if all numbers are above or below it.
    init(_ section: Section, hasZero: Bool) {
        rows = section.rows.map { $0.numbers.map { $0.isFinite ? $0 : nil } }
        seriesCount = rows.reduce(0) { max($0, $1.count) }
        let known = rows.joined().compactMap(\.self)
        let edges = (known.min() ?? 0, known.max() ?? 0)
        (low, high) = hasZero ? (min(edges.0, 0), max(edges.1, 0)) : edges
    }

    /// Returns the place of a number, from 0 at the lower edge to 1 at the upper edge.
    func place(of number: Double) -> Double {
        // The difference of two large numbers can be infinite, and that of their halves cannot.
        let height = high / 2 - low / 2
        return height > 0 ? (number / 2 - low / 2) / height : 0.5
    }

    /// Returns the numbers of a series, one for each row.
    func series(_ number: Int) -> [Double?] { rows.map { number < $0.count ? $0[number] : nil } }
}

/// Returns a length in a drawing with one digit after the point.
func length(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
}
