import Foundation
import HostDriver
import TestSupport
import Testing

/// `host metrics`, and the method `metrics`.
@Suite(.fewAtOnce, .hangLimit)
struct MetricsTests {
    @Test(
        "The metrics count calls, failures and durations by route, and describe modules and workers",
        .needs(.prometheusClient))
    func numbers() async throws {
        let root = try await ServeTests.root()
        let source = ModuleFixture.serve.source.replacing("Serve", with: "Isolated")
            .replacing("\"serve", with: "\"isolated")
        try await root.add(.named("Isolated", source), isolated)
        let host = try await ServingHost(root)
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve"}"#)
        _ = try await client.call("event", #"{"scene":1,"event":{"press":"block"}}"#)
        #expect(try await client.call("event", #"{"scene":1,"event":{"press":"none"}}"#).contains("event-unknown"))
        _ = try await client.call("open", #"{"route":"isolated"}"#)
        let result = try await root.host("metrics", "--via", host.socket) { $0.arguments.removeLast(2) }
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let samples = try await Prometheus.samples(in: result.text)
        func value(_ name: String, _ labels: String) -> Double? { samples["\(name){\(labels)}"] }
        // Each scene was opened and loaded.
        #expect(value("viper_call_seconds_count", "module=serve,route=serve") == 4)
        #expect(value("viper_call_seconds_bucket", "le=+Inf,module=serve,route=serve") == 4)
        #expect(value("viper_call_seconds_count", "module=isolated,route=isolated") == 2)
        #expect(value("viper_call_failures_total", "module=serve,route=serve") == 1)
        #expect(value("viper_call_failures_total", "module=isolated,route=isolated") == 0)
        let limits = ["0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0"]
        let counts = (limits + ["10.0", "+Inf"]).map {
            value("viper_call_seconds_bucket", "le=\($0),module=serve,route=serve") ?? -1
        }
        #expect(counts == counts.sorted() && counts.first != -1, "\(counts)")
        #expect(value("viper_scenes", "module=serve") == 1 && value("viper_running_calls", "module=serve") == 0)
        #expect(value("viper_generations_total", "module=serve") == 1)
        #expect(value("viper_module_state", "module=details,state=resolved") == 1)
        #expect(value("viper_worker_memory_bytes", "module=isolated") ?? 0 > 1_000_000)
        #expect(value("viper_worker_memory_bytes", "module=serve") == nil)
        #expect(value("viper_memory_bytes", "") ?? 0 > 1_000_000)
        #expect(value("viper_quarantined", "module=serve") == 0 && value("viper_pending_steps", "module=serve") == 0)
        let json = try await root.host("metrics", "--via", host.socket, "--format", "json") {
            $0.arguments.removeLast(2)
        }
        #expect(json.text.contains(#""route" : "isolated""#), "\(json)")
        #expect(try await client.call("metrics").contains(#""runningCalls":0"#))
    }

    private var isolated: ManifestText {
        var manifest = ManifestText("isolated", library: "libIsolated.so", routes: ["isolated"])
        (manifest.requires, manifest.isolation) = (["logger"], "process")
        return manifest
    }

    @Test("Modules with the same name share their samples, because no two samples may have equal labels")
    func twins() async throws {
        let root = try ScratchRoot()
        for (name, library) in [("a", "libA.so"), ("b", "libB.so")] {
            try root.add(manifest: ManifestText("twin", library: library, routes: []).text, as: "\(name).json")
        }
        let host = try await ServingHost(root)
        let result = try await root.host("metrics", "--via", host.socket) { $0.arguments.removeLast(2) }
        let samples = result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let names = samples.map { $0[..<($0.lastIndex(of: " ") ?? $0.endIndex)] }
        #expect(names.contains(#"viper_module_state{module="twin",state="refused"}"#), "\(names)")
        #expect(Set(names).count == names.count, "\(names)")
    }

    @Test("Without a host, the command says what is missing")
    func missing() async throws {
        let root = try ScratchRoot()
        let result = try await root.host("metrics") { $0.arguments.removeLast(2) }
        #expect(result.ending == .code(64) && result.errors.contains("give --via PATH"), "\(result)")
    }

    @Test("The ID of a request stands in the log, also in that of a worker", arguments: [false, true])
    func request(isIsolated: Bool) async throws {
        let root = try ScratchRoot()
        var manifest = ManifestText.serve
        manifest.isolation = isIsolated ? "process" : nil
        try await root.add(.serve, manifest)
        let host = try await ServingHost(root)
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve"}"#)
        func press(_ id: Int, _ request: String) async throws {
            try client.send(
                """
                {"jsonrpc":"2.0","id":\(id),"method":"event",\
                "params":{"scene":1,"event":{"press":"block"}}\(request)}
                """)
            _ = try await client.answer(to: id)
        }
        try await press(100, #","request":"r-0123-abc""#)
        #expect(await eventually { host.timedLog.contains("serve: error: blocks [r-0123-abc]\n") }, "\(host.timedLog)")
        // A text that is no ID, or none, gets one.
        for request in ["", #","request":"x] forged: error: line""#, #","request":7"#] {
            let before = host.timedLog.matches(of: /serve: error: blocks \[r-[0-9a-f]{8}\]\n/).count
            try await press(101 + before, request)
            let isLogged = await eventually {
                host.timedLog.matches(of: /serve: error: blocks \[r-[0-9a-f]{8}\]\n/).count == before + 1
            }
            #expect(isLogged, "\(host.timedLog)")
        }
        #expect(!host.timedLog.contains("forged"))
    }

    @Test("A notification belongs to no request, although one has subscribed to it")
    func subscription() async throws {
        let root = try ScratchRoot()
        let host = try await ServingHost(root)
        let client = try host.client()
        try client.send(
            #"{"jsonrpc":"2.0","id":9,"method":"subscribe","params":{"to":["registry"]},"request":"r-0123"}"#)
        _ = try await client.answer(to: 9)
        try root.add(ManifestText("late", library: "libLate.so", routes: []))
        let line = try await client.line(with: #""method":"registry""#)
        #expect(!line.contains("r-0123"), "\(line)")
    }
}
