import ViperKit

// Charts, drawn with block characters.
extension SceneModel {
    private static let colours: [Style.Colour] = [.cyan, .magenta, .yellow, .green, .blue, .red]
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let levels = Array("▁▂▃▄▅▆▇█").map(String.init)

    private static func style(ofSeries series: Int) -> Style {
        Style(isDrawing: true, colour: colours[series % colours.count])
    }

    /// The names of the series, each in its colour.
    func legend(of section: Section) -> Line {
        var line = Line("  ")
        for (series, column) in section.columns.dropFirst().enumerated() where !column.title.isEmpty {
            line.add("■ ", Self.style(ofSeries: series))
            line.add(CellText.clean(column.title) + "  ", .dim)
        }
        return line.clipped(to: columns)
    }

    /// Returns a bar for each number of a row.
    func bars(of row: Row, _ place: Int) -> [Line] {
        let label = min(widths[place].first ?? 0, max(4, room / 3))
        let texts = row.columns.dropFirst().map { CellText.clean($0) }
        let longest = min(widths[place].dropFirst().max() ?? 0, max(4, room / 3))
        let width = max(1, room - label - longest - 4)
        return row.numbers.enumerated().map { series, number in
            var line = Line("  ")
            let title = series == 0 ? CellText.clean(row.title) : ""
            line.add(CellText.fitted(title, to: label), Style(row.tone))
            line.add("  ")
            line.add(Self.bar(number, of: scales[place], width), Self.style(ofSeries: series))
            let text = texts.indices.contains(series) ? texts[series] : number.isFinite ? "" : "?"
            line.add(" " + text, .dim)
            return line.clipped(to: columns)
        }
    }

    private static func bar(_ number: Double, of largest: Double, _ width: Int) -> String {
        guard number.isFinite, largest > 0 else { return "" }
        let length = Int((abs(number) / largest * Double(width * 8)).rounded())
        let rest = length / 8 < width ? eighths[length % 8] : ""
        let bar = String(repeating: "█", count: min(width, length / 8)) + rest
        // A bar to the left would need room on every line.
        return number < 0 ? "-" + bar : bar
    }

    /// Returns a line of levels for each series. Its rows follow as a table.
    func plot(_ place: Int) -> [Line] {
        let section = screen.sections[place]
        let count = section.rows.prefix(1_000).map(\.numbers.count).max() ?? 0
        let names = section.columns.dropFirst().map { CellText.clean($0.title) }
        let label = min(names.map { CellText.width($0) }.max() ?? 0, max(4, room / 3))
        return (0..<min(count, 16)).map { series in
            var line = Line("  ")
            line.add(CellText.fitted(names.indices.contains(series) ? names[series] : "", to: label), .dim)
            line.add(label == 0 ? "" : "  ")
            let numbers = section.rows.map { $0.numbers.indices.contains(series) ? $0.numbers[series] : .nan }
            line.add(Self.levels(of: numbers, max(1, room - label - 2)), Self.style(ofSeries: series))
            return line.clipped(to: columns)
        }
    }

    private static func levels(of numbers: [Double], _ width: Int) -> String {
        let finite = numbers.filter(\.isFinite)
        guard let low = finite.min(), let high = finite.max() else { return "" }
        let count = min(numbers.count, width)
        // The difference of two large numbers can be infinite, and that of two small ones zero.
        let height = high / 2 - low / 2
        return (0..<count).map { column in
            let number = numbers[column * numbers.count / count]
            guard number.isFinite else { return " " }
            let part = height > 0 ? (number / 2 - low / 2) / height : 0.5
            return levels[min(7, Int(part * 8))]
        }.joined()
    }
}
