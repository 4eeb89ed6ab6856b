import HostDriver
import Synchronization
import TestSupport
import Testing

/// Probes and metrics of the server.
@Suite(.fewAtOnce, .hangLimit)
struct HealthTests {
    @Test("Probes are answered under any host name, and need no session")
    func probes() async throws {
        let web = try await WebHost()
        for path in ["/healthz", "/readyz"] {
            let response = try await web.connection().request("GET", path, ["Host": "10.0.0.1:9"])
            #expect(response.status == 200 && response.body == "ok\n" && response["Set-Cookie"] == nil, "\(response)")
            #expect(response["Cache-Control"] == "no-store")
            let head = try await web.connection().request("HEAD", path, ["Host": "10.0.0.1:9"])
            #expect(head.status == 200 && head["Content-Length"] == "3", "\(head)")
            #expect(try await web.connection().request("POST", path, ["Host": "127.0.0.1:\(web.port)"]).status == 405)
        }
    }

    @Test("A host without routes is not ready, and is again when there is one")
    func unready() async throws {
        let root = try await WebHost.root()
        let (manifests, hidden) = ("\(root.path)/Manifests", root.folder.path + "/hidden")
        let web = try await WebHost(in: root)
        let browser = web.browser()
        _ = try await Tool.run("mkdir", [hidden])
        for name in ["board", "company-list"] {
            _ = try await Tool.run("mv", ["\(manifests)/\(name).json", hidden])
        }
        #expect(try await eventually { try await browser.send("GET", "/readyz").status == 503 })
        #expect(try await browser.send("GET", "/readyz").body == "no routes\n")
        #expect(try await browser.send("GET", "/healthz").status == 200)
        _ = try await Tool.run("mv", ["\(hidden)/board.json", manifests])
        #expect(try await eventually { try await browser.send("GET", "/readyz").status == 200 })
    }

    @Test("A host is not ready before clients reach each module that serves them at a socket")
    func waiting() async throws {
        let root = try await WebHost.root()
        try await root.add(.listener(), .listener)
        let begin = ContinuousClock.now
        let web = try await WebHost(in: root)
        let client = try web.host.client()
        // The module starts, or has been waited for on a busy machine.
        let hasBegun = try await eventually {
            let isStarting = try await client.call("modules").contains(#""run":"starting""#)
            return isStarting || web.host.log.contains("does not answer at a socket 10 s after its start")
        }
        #expect(hasBegun)
        let connection = try web.connection()
        let isAnswered = Mutex(false)
        let answer = Task {
            let answer = try await connection.request("GET", "/readyz", ["Host": "10.0.0.1:9"])
            isAnswered.withLock { $0 = true }
            return answer
        }
        // A server that does not wait answers before it has answered all of these.
        for _ in 0..<20 {
            #expect(try await web.connection().request("GET", "/healthz", ["Host": "10.0.0.1:9"]).status == 200)
        }
        // On a busy machine, the server may have waited for ten seconds.
        let isEarly = isAnswered.withLock { $0 } && .now < begin + .seconds(10)
        #expect(!isEarly)
        for name in ["open", "accept"] { try root.folder.write("", to: "tmp/\(name)") }
        #expect(try await answer.value.status == 200)
        #expect(try await !client.call("modules").contains(#""run":"starting""#))
    }

    @Test("The metrics count the pages that browsers have opened", .needs(.prometheusClient))
    func metrics() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        _ = try await browser.get("/board")
        let response = try await browser.send("GET", "/metrics")
        #expect(response.status == 200, "\(response)")
        #expect(response["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        let samples = try await Prometheus.samples(in: response.body)
        #expect(samples["viper_call_seconds_count{module=board,route=board}"] == 2, "\(samples)")
        #expect(samples["viper_scenes{module=board}"] == 1)
        #expect(try await browser.send("GET", "/metrics", ["Host": "evil.example"]).status == 421)
    }
}
