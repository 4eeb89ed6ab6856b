import Foundation
import HostDriver

/// The parser of Prometheus' Python client, which reads the OpenMetrics format strictly.
package enum Prometheus {
    private static let hasPackage = Task {
        let child = try? await Python.installedProcess(["-B", "-c", "import prometheus_client"])
        return try? await child?.run().ending == .code(0)
    }

    static var isInstalled: Bool { get async { await hasPackage.value == true } }

    /// Reads a text in the OpenMetrics format.
    ///
    /// - Returns: The numbers, keyed by name and sorted labels, such as `viper_scenes{module=people}`.
    /// - Throws: An error if the text is invalid. The error that ends a skipped test.
    package static func samples(in text: String) async throws -> [String: Double] {
        try await Requirement.prometheusClient.check()
        let folder = try ScratchFolder()
        let file = try folder.write(text, to: "metrics")
        let script = """
            import json, sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families
            samples = {}
            for family in text_string_to_metric_families(open(sys.argv[1]).read()):
                for sample in family.samples:
                    labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
                    samples[f"{sample.name}{{{labels}}}"] = sample.value
            print(json.dumps(samples))
            """
        let result = try await Python.process(["-B", "-c", script, file]).run()
        guard result.ending == .code(0) else { throw Tool.Failure(description: "invalid metrics: \(result)\n\(text)") }
        return try JSONDecoder().decode([String: Double].self, from: result.output)
    }
}
