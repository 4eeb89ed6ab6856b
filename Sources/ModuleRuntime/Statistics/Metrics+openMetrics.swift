extension Metrics {
    /// The numbers in the OpenMetrics text format, version 1.0.0 (https://prometheus.io/docs/specs/om/open_metrics_spec).
    package var openMetrics: String {
        var text = OpenMetricsText()
        text.add("viper_call_seconds", .histogram, "Calls that open or load scenes, or handle events", unit: "seconds")
        let limits = CallCount.Numbers.limits.map { "\($0 / .seconds(1))" } + ["+Inf"]
        for route in calls {
            let labels = OpenMetricsText.labels([("module", route.module), ("route", route.route)])
            var count = 0
            for (limit, calls) in zip(limits, route.durations) {
                count += calls
                text.add("_bucket", "\(labels),le=\"\(limit)\"", "\(count)")
            }
            text.add("_count", labels, "\(route.calls)")
            text.add("_sum", labels, "\(route.seconds)")
        }
        text.add("viper_call_failures", .counter, "Calls that failed")
        for route in calls {
            let labels = OpenMetricsText.labels([("module", route.module), ("route", route.route)])
            text.add("_total", labels, "\(route.failures)")
        }
        text.add("viper_module_state", .gauge, "1 for the state that each module has")
        for module in modules {
            text.add("", OpenMetricsText.labels([("module", module.module), ("state", module.state)]), "1")
        }
        text.add("viper_running_calls", .gauge, "Calls that have not returned", of: modules) { $0.runningCalls }
        text.add("viper_scenes", .gauge, "Open scenes", of: modules) { $0.openScenes }
        text.add("viper_generations", .counter, "Generations that were created", of: modules) { $0.generations }
        text.add("viper_retired_generations", .gauge, "Retired generations that still take memory", of: modules) {
            $0.retired
        }
        text.add(
            "viper_retired_memory_bytes", .gauge, "Resident memory of the libraries of retired generations",
            unit: "bytes", of: modules
        ) { $0.retiredMemory }
        text.add("viper_worker_memory_bytes", .gauge, "Resident memory of the workers", unit: "bytes", of: modules) {
            $0.workerMemory
        }
        text.add("viper_memory_bytes", .gauge, "Resident memory of the host's process", unit: "bytes")
        text.add("", "", "\(memory)")
        text.add("viper_pending_steps", .gauge, "1 for a module that needs a step, such as a trial", of: modules) {
            $0.isPending ? 1 : 0
        }
        text.add("viper_quarantined", .gauge, "1 for a module that is refused by the quarantine", of: modules) {
            $0.isQuarantined ? 1 : 0
        }
        return text.lines + "# EOF\n"
    }
}

/// Metrics that are written one after another.
private struct OpenMetricsText {
    enum Kind: String { case counter, gauge, histogram }

    private(set) var lines = ""
    private var name = ""

    /// Begins a metric.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, unit: String? = nil) {
        self.name = name
        lines += "# TYPE \(name) \(kind.rawValue)\n"
        if let unit { lines += "# UNIT \(name) \(unit)\n" }
        lines += "# HELP \(name) \(help).\n"
    }

    /// Adds a metric with a number for each module that has one.
    mutating func add(
        _ name: String, _ kind: Kind, _ help: String, unit: String? = nil, of modules: [Metrics.Module],
        number: (Metrics.Module) -> Int?
    ) {
        add(name, kind, help, unit: unit)
        for module in modules {
            guard let number = number(module) else { continue }
            add(kind == .counter ? "_total" : "", Self.labels([("module", module.module)]), "\(number)")
        }
    }

    /// Adds a sample of the last metric.
    mutating func add(_ suffix: String, _ labels: String, _ number: String) {
        lines += name + suffix + (labels.isEmpty ? "" : "{\(labels)}") + " \(number)\n"
    }

    static func labels(_ labels: [(name: String, value: String)]) -> String {
        labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
