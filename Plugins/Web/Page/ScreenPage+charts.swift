import ViperKit

/// Charts. Each has its numbers as a table, too, for those who cannot see the drawing.
extension ScreenPage {
    /// The number of series with a colour of their own. Further series have the colours again.
    private static let colours = 4

    /// Returns a table whose rows have bars below their titles.
    func barChart(_ section: Section, _ number: Int) -> HTML {
        let chart = Chart(section, hasZero: true)
        let count = max(section.columns.count, section.columnCount)
        let rows = HTML.joined(zip(section.rows, chart.rows)) { row, numbers in
            let first = rowHead(row, isEnd: false, plot: bars(numbers, of: chart))
            return tableRow(row, first, of: section, count, buttons(of: row).map { "<td class=\"acts\">\($0)</td>" })
        }
        let hasActions = section.rows.contains { !$0.actions.isEmpty }
        return """
            \(legend(section, chart))\(scrolling(section, number, """
                <table class="chart">
                \(head(section, count, hasActions))<tbody>
                \(rows)</tbody>
                </table>

                """))
            """
    }

    private func bars(_ numbers: [Double?], of chart: Chart) -> HTML? {
        if numbers.isEmpty { return nil }
        let zero = chart.place(of: 0)
        let bars = HTML.joined(numbers.enumerated()) { series, number in
            let end = number.map { chart.place(of: $0) } ?? zero
            let (x, width) = (min(zero, end) * 1000, abs(end - zero) * 1000)
            return """
                <rect class="s\(series % Self.colours)" x="\(length(x))" y="\(series * 10)" width="\(length(width))" \
                height="8"/>
                """
        }
        return """
            <svg class="bars n\(min(numbers.count, 4))" viewBox="0 0 1000 \(numbers.count * 10 - 2)" \
            preserveAspectRatio="none" aria-hidden="true" focusable="false">\(bars)</svg>
            """
    }

    /// Returns a drawing with a line for each series, and a table below it that can be opened.
    func lineChart(_ section: Section, _ number: Int) -> HTML {
        let chart = Chart(section, hasZero: false)
        let lines = HTML.joined(0..<chart.seriesCount) { series in
            HTML.joined(Self.lines(through: chart.series(series), of: chart)) { points in
                "<polyline class=\"s\(series % Self.colours)\" points=\"\(points)\"/>"
            }
        }
        let (first, last) = (section.rows.first?.title ?? "", section.rows.last?.title ?? "")
        return """
            \(legend(section, chart))<figure class="lines-chart" aria-hidden="true">
            <div class="edges"><span>\(shown(chart.high))</span><span>\(shown(chart.low))</span></div>
            <svg class="plot" viewBox="0 0 1000 300" preserveAspectRatio="none" focusable="false">\
            <path class="grid" d="M0 0H1000M0 150H1000M0 300H1000"/>\(lines)</svg>
            <figcaption><bdi>\(first)</bdi><bdi>\(last)</bdi></figcaption>
            </figure>
            <details class="data" data-key="data\(number)"><summary>Show as a table</summary>
            \(table(section, number))</details>

            """
    }

    /// Returns the points of the lines of a series. A missing number ends a line.
    private static func lines(through numbers: [Double?], of chart: Chart) -> [String] {
        var (lines, points) = ([String](), [String]())
        func end() {
            // A line with one point is not drawn.
            if points.count == 1 { points += points }
            if !points.isEmpty { lines.append(points.joined(separator: " ")) }
            points = []
        }
        for (index, number) in numbers.enumerated() {
            guard let number else {
                end()
                continue
            }
            let x = numbers.count < 2 ? 500 : Double(index) / Double(numbers.count - 1) * 1000
            points.append("\(length(x)),\(length((1 - chart.place(of: number)) * 300))")
        }
        end()
        return lines
    }

    /// Returns the names of the series, if there are several.
    private func legend(_ section: Section, _ chart: Chart) -> HTML? {
        if chart.seriesCount < 2 { return nil }
        let names = HTML.joined(0..<chart.seriesCount) { series in
            let column = series + 1
            let name = section.columns.indices.contains(column) ? section.columns[column].title : "\(column)"
            return "<li class=\"s\(series % Self.colours)\"><bdi>\(name)</bdi></li>"
        }
        return "<ul class=\"legend\" role=\"list\" aria-label=\"Series\">\(names)</ul>\n"
    }

    private func shown(_ number: Double) -> String {
        // Whole numbers look better without a fraction.
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    }
}
