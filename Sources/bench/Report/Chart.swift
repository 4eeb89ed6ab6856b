import Glibc

/// An SVG chart of the time that an operation takes at several sizes. Both axes are logarithmic. A dashed line shows
/// the floor.
struct Chart {
    private struct Point {
        let size: Double
        let time: Double
        let floor: Double
    }

    let name: String
    private let unit: String
    private let points: [Point]

    private static let (width, height) = (640.0, 400.0)
    /// The margins around the plotted lines. They contain the chart's name and the labels of the axes.
    private static let (left, right, top, bottom) = (70.0, 40.0, 40.0, 50.0)

    /// Returns one chart for each series in the rows. Rows without a series appear in no chart.
    static func charts(of rows: [ReportRow]) -> [Chart] {
        var names: [String] = []
        for case let series? in rows.map(\.series) where !names.contains(series.name) { names.append(series.name) }
        return names.map { name in Chart(name, rows.filter { $0.series?.name == name }) }
    }

    private init(_ name: String, _ rows: [ReportRow]) {
        self.name = name
        unit = rows.first?.series?.unit ?? ""
        points = rows.compactMap { row in
            row.series.map { Point(size: Double($0.size), time: row.cost, floor: row.floor.cost) }
        }.sorted { $0.size < $1.size }
    }

    /// The chart's file name.
    var file: String { name.split(separator: " ").joined(separator: "-") + ".svg" }

    /// Returns the picture.
    func svg() -> String {
        let sizes = Axis(points.map(\.size), from: Self.left, to: Self.width - Self.right)
        let times = Axis(points.flatMap { [$0.time, $0.floor] }, from: Self.height - Self.bottom, to: Self.top)
        var parts = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 400\" font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"640\" height=\"400\" fill=\"white\"/>",
            text(name, Self.left, 22, "start", size: 15),
            text("number of \(unit)", (Self.left + Self.width) / 2, Self.height - 10, "middle"),
        ]
        for size in sizes.ticks {
            let x = sizes.place(size)
            parts.append(line(x, Self.top, x, Self.height - Self.bottom))
            parts.append(text(Self.shown(size), x, Self.height - Self.bottom + 18, "middle"))
        }
        for time in times.ticks {
            let y = times.place(time)
            parts.append(line(Self.left, y, Self.width - Self.right, y))
            parts.append(text(shownTime(time, digits: 0), Self.left - 8, y + 4, "end"))
        }
        parts += path(points.map { (sizes.place($0.size), times.place($0.floor)) }, "#777", " stroke-dasharray=\"6 4\"")
        parts += path(points.map { (sizes.place($0.size), times.place($0.time)) }, "#c33", "")
        if let last = points.last {
            let x = sizes.place(last.size)
            parts.append(text("host", x, times.place(last.time) - 8, "end"))
            parts.append(text("floor", x, times.place(last.floor) - 8, "end"))
        }
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    private func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String, size: Int = 12) -> String {
        "<text x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\" text-anchor=\"\(anchor)\" font-size=\"\(size)\">\(text)</text>"
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<path d=\"M\(fixed(x1, 1)) \(fixed(y1, 1))L\(fixed(x2, 1)) \(fixed(y2, 1))\" stroke=\"#ddd\"/>"
    }

    private func path(_ places: [(x: Double, y: Double)], _ colour: String, _ style: String) -> [String] {
        let steps = places.map { "\(fixed($0.x, 1)) \(fixed($0.y, 1))" }.joined(separator: "L")
        let dots = places.map {
            "<circle cx=\"\(fixed($0.x, 1))\" cy=\"\(fixed($0.y, 1))\" r=\"3\" fill=\"\(colour)\"/>"
        }
        return ["<path d=\"M\(steps)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"\(style)/>"] + dots
    }

    private static func shown(_ size: Double) -> String {
        let digits = String(String(Int(size)).reversed())
        let groups = stride(from: 0, to: digits.count, by: 3).map { digits.dropFirst($0).prefix(3) }
        return String(groups.joined(separator: ",").reversed())
    }
}

/// A logarithmic axis. It begins and ends at a power of ten.
private struct Axis {
    /// The powers of ten on the axis.
    let ticks: [Double]
    private let start, length: Double

    init(_ values: [Double], from start: Double, to end: Double) {
        let first = Int(log10(values.min() ?? 1).rounded(.down))
        let last = max(first + 1, Int(log10(values.max() ?? 1).rounded(.up)))
        ticks = (first...last).map { pow(10, Double($0)) }
        (self.start, length) = (start, end - start)
    }

    func place(_ value: Double) -> Double {
        let (first, last) = (log10(ticks[0]), log10(ticks[ticks.count - 1]))
        return start + length * (log10(value) - first) / (last - first)
    }
}
