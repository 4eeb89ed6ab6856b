extension Report {
    /// Returns the rows as a table. Notes below the table report problems that make the numbers unreliable.
    func text() -> String {
        let header = ["operation", "cost", "floor", "cost", "ratio", "middle half", "rounds", ""]
        let cells = rows.map { row in
            [
                row.name, row.quantity.shown(row.cost), row.floor.name, row.quantity.shown(row.floor.cost),
                fixed(row.ratio.median, 2), "\(fixed(row.ratio.low, 2)) to \(fixed(row.ratio.high, 2))",
                "\(row.rounds)", row.isNoisy ? "noisy" : "",
            ]
        }
        let table = [header] + cells
        let widths = header.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let lines = table.map { line in
            let padded = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return (lines + notes).joined(separator: "\n")
    }

    private var notes: [String] {
        var notes: [String] = []
        if !isOptimized { notes.append("This is a debug build. Measure with: swift run -c release bench") }
        if isQuick { notes.append("This is a quick run with few rounds. Measure without --quick.") }
        let noisy = rows.count(where: \.isNoisy)
        if noisy > 0 {
            notes.append(
                "The machine is too noisy for \(noisy) of \(rows.count) rows. End other programs, and run bench again.")
        }
        return notes.isEmpty ? [] : [""] + notes
    }
}

extension Quantity {
    /// Returns a value of this quantity as text in a suitable unit.
    func shown(_ value: Double) -> String {
        if self != .memory { return shownTime(value) }
        return value < 1_048_576 ? fixed(value / 1024, 1) + " KiB" : fixed(value / 1_048_576, 1) + " MiB"
    }
}

/// Returns a time as text in a suitable unit. Nanoseconds have at most one decimal place.
func shownTime(_ nanoseconds: Double, digits: Int = 2) -> String {
    switch nanoseconds {
    case ..<1_000: fixed(nanoseconds, min(digits, 1)) + " ns"
    case ..<1_000_000: fixed(nanoseconds / 1_000, digits) + " µs"
    case ..<1_000_000_000: fixed(nanoseconds / 1_000_000, digits) + " ms"
    default: fixed(nanoseconds / 1_000_000_000, digits) + " s"
    }
}

/// Returns a positive number as text with this number of decimal places. FoundationEssentials has no `String(format:)`.
func fixed(_ value: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    if digits == 0 { return "\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
}
