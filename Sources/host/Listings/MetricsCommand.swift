import ModuleIsolation
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host metrics --via PATH`: prints what a serving host measures.
struct MetricsCommand: Command {
    var via = Via()
    var format = Format.text

    static let name = "metrics"
    static let summary = "Print the metrics of a serving host"
    static let example = "metrics --via ~/host.sock"
    static let options = [Via.option.at(\Self.via), Format.option.at(\Self.format)]
    static let details =
        """
        The text has the format of OpenMetrics, which Prometheus reads: calls, failures and durations by route, and the \
        states, scenes, generations and memory of the modules. The module web shows the same as /metrics.
        """

    func check() throws(ViperError) { try via.require() }

    func output() async throws -> String {
        let metrics = try await via.ask { host throws(ViperError) in try await host.metrics() }
        guard let metrics else { return "" }
        return format == .json ? try renderJSON(metrics) : metrics.openMetrics
    }
}
