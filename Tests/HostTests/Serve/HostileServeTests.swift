import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct HostileServeTests {
    @Test("A hostile module in the process of host serve has the expected effect", arguments: HostileCase.all)
    func served(_ hostile: HostileCase) async throws {
        let scene = try await HostileScene(hostile, isolated: false)
        switch hostile.served {
        case .hostEnds(let ending):
            // The call fails, because the host ends during the call.
            _ = try? await scene.strike()
            #expect(try await scene.host.end() == ending, "\(scene.host.log)")
        case .takesAll:
            _ = try? await scene.strike()
            // The module crashes when the system refuses memory, which the limit causes soon.
            #expect(try await scene.host.end() == .signal(SIGSEGV))
        case .hangs:
            #expect(try await scene.strike().contains("time-limit"))
            #expect(try await scene.client.call("modules").contains(#""module":"hostile""#))
            #expect(try await scene.client.call("open", #"{"route":"list"}"#).contains("time-limit"))
            scene.host.send(SIGTERM)
            #expect(try await scene.host.end() == .code(70))
            #expect(scene.host.log.contains("has a running call  hostile"), "\(scene.host.log)")
        case .full:
            #expect(try await scene.strike().contains("came through 1"))
            // The host closes a few descriptors after the module has taken the last one, so one client may get in.
            let late = try (0..<20).map { _ in try scene.host.client() }
            try await scene.host.wait(forLog: "cannot accept a connection: Too many open files")
            #expect(try await scene.client.call("modules").contains(#""module":"hostile""#))
            withExtendedLifetime(late) {}
        case let outcome: try await scene.expect(outcome)
        }
    }

    @Test("A hostile module in a worker has the expected effect, and others keep working", arguments: HostileCase.all)
    func isolated(_ hostile: HostileCase) async throws {
        let scene = try await HostileScene(hostile, isolated: true)
        if case .hostEnds(let ending) = hostile.isolated {
            _ = try? await scene.strike()
            #expect(try await scene.host.end() == ending)
            return
        }
        guard case .callFails(let text) = hostile.isolated, hostile.deed != "throw" else {
            return try await scene.expect(hostile.isolated)
        }
        var told = try await scene.strike()
        // The thread crashes after the call, so the client receives a `closed` notification.
        if hostile.deed == "thread" { told = try await scene.client.line(with: #""method":"closed""#) }
        #expect(told.contains(text), "\(told)")
        try await scene.expectOthersGoOn()
        if hostile.deed == "loop" {
            // A call that arrives before the worker has ended waits for its end.
            let waited = try await scene.client.call("open", #"{"route":"hostile"}"#)
            #expect(waited.contains(#""result""#) || waited.contains("worker-crashed"), "\(waited)")
        } else {
            #expect(told.contains("worker-crashed"), "\(told)")
        }
        // The next call gets a new worker. A module that crashes in its route's closure crashes again.
        let next = try await scene.open("hostile")
        #expect(next.contains(hostile.place == "opening" ? text : #""title":"Hostile""#), "\(next)")
    }

    @Test("An isolated module that leaks descriptors affects only itself")
    func leak() async throws {
        let scene = try await HostileScene(.leak, isolated: true)
        // More descriptors in total than a process may have.
        for count in 1...12 { #expect(try await scene.strike().contains("came through \(count)")) }
        _ = try await scene.host.client().call("routes")
        try await scene.expectOthersGoOn()
    }

    @Test("A module that closes descriptors 0 to 2 repeatedly affects no worker and no client")
    func closedStandardDescriptors() async throws {
        let scene = try await HostileScene(.closing, isolated: false, options: ["--isolate", "company-list"])
        #expect(try await scene.strike().contains("came through 1"))
        // The new client and the new worker need descriptors, of which 0 to 2 are free now.
        let client = try scene.host.client()
        #expect(try await client.call("open", #"{"route":"list"}"#).contains(#""title":"People by company""#))
        let worker = try await client.workers()
        #expect(try await scene.strike().contains("came through 1"))
        let person = try await client.call("event", #"{"scene":1,"event":{"select":"58f9a19680685a4e1e6d5016"}}"#)
        #expect(person.contains("Bertha"), "\(person)")
        #expect(try await client.workers() == worker && worker.count == 1)
        try await scene.expectOthersGoOn()
    }

    @Test("A child forked by a module holds neither the socket nor the lock of a killed host")
    func orphan() async throws {
        let scene = try await HostileScene(.forking, isolated: false)
        #expect(try await scene.strike().contains("came through 1"))
        let (root, deadline) = (scene.root, ContinuousClock.now + .seconds(60))
        var orphan: Int32?
        while orphan == nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
            orphan = (try? String(contentsOfFile: "\(root.temporary)/orphan", encoding: .utf8)).flatMap(Int32.init)
        }
        let process = try #require(orphan)
        defer { kill(process, SIGKILL) }
        scene.host.send(SIGKILL)
        #expect(try await scene.host.end() == .signal(SIGKILL))
        // The client's connection ends. The next host starts at the same socket and removes the leftovers.
        try await scene.client.end()
        let next = try await ServingHost(root)
        #expect(try await next.client().call("open", #"{"route":"list"}"#).contains(#""title":"People by company""#))
        let folders = try root.temporaryFolders()
        #expect(folders.filter { $0.hasPrefix("viper-host-") }.count == 1, "\(folders)")
        #expect(kill(process, 0) == 0)
    }

    @Test("A hanging isolated module is ended even if no client waits for it")
    func abandonedHang() async throws {
        let scene = try await HostileScene(.hanging, isolated: true)
        _ = try await scene.client.call("open", #"{"route":"hostile"}"#)
        let number = try #require(try await scene.client.workers().first)
        try scene.client.begin("event", #"{"scene":1,"event":{"press":"strike"}}"#)
        // No client uses the module from then on.
        try await scene.host.wait(forLog: "loops\n")
        scene.client.vanish()
        #expect(await eventually { kill(pid_t(number), 0) != 0 })
    }

    @Test("The fifth crash quarantines an isolated module, and the report says where it crashed")
    func quarantine() async throws {
        let scene = try await HostileScene(.late("null", in: "event", .signal(SIGSEGV), says: ""), isolated: true)
        for _ in 1...5 { #expect(try await scene.strike().contains("worker-crashed")) }
        let answer = try await scene.client.call("open", #"{"route":"hostile"}"#)
        #expect(answer.contains("library-quarantined") && answer.contains("hostile_null"), "\(answer)")
        try await scene.expectOthersGoOn()
        let shown = try await scene.root.host("quarantine", "show", "hostile", "--state", scene.state)
        #expect(shown.text.contains("hostile_null") && shown.text.contains("signal 11"), "\(shown)")
    }

    @Test(
        "An undeclared route is unknown to clients and to the module", arguments: [false, true])
    func undeclared(isIsolated: Bool) async throws {
        let scene = try await HostileScene(.nothing, isolated: isIsolated)
        let unknown = #"cannot open route \"hostile/undeclared\": no module provides it"#
        #expect(try await scene.client.call("open", #"{"route":"hostile/undeclared"}"#).contains(unknown))
        let opened = try await scene.client.call("open", #"{"route":"hostile"}"#)
        #expect(opened.contains(#""title":"Hostile""#))
        let away = try await scene.client.call("event", #"{"scene":2,"event":{"press":"away"}}"#)
        #expect(away.contains(unknown), "\(away)")
    }
}

/// A host that serves a hostile module and a good one, with a connected client.
struct HostileScene {
    let root: ScratchRoot
    let host: ServingHost
    let client: TestClient
    private let hostile: HostileCase
    private let scene: Scene

    private actor Scene {
        var number = 0
        func next() { number += 1 }
    }

    var state: String { root.folder.path + "/state" }
    private var output: String { root.folder.path + "/output" }

    init(_ hostile: HostileCase, isolated: Bool, options: [String] = []) async throws {
        (self.hostile, scene) = (hostile, Scene())
        let root = try ScratchRoot()
        try root.copyManifest("details")
        self.root = root
        var manifest = ManifestText.hostile
        if isolated { manifest.isolation = "process" }
        try root.add(manifest)
        try root.add(library: await ModuleFixture.hostile(hostile.deed, in: hostile.place), as: "libHostile.so")
        // Low limits for the cases that need them. Standard output goes to a file that the test can read.
        let isShort = !isolated && hostile.served == .full
        let isPoor = !isolated && hostile.served == .takesAll
        let limits = (isShort ? "ulimit -n 64; " : "") + (isPoor ? "ulimit -d 600000; " : "")
        let output = "\(root.folder.path)/output"
        // A call that hangs lasts until this limit. A hang while loading ends earlier.
        let time = hostile.served == .hangs ? (isolated ? "5" : "2") : "60"
        let options = ["--state", root.folder.path + "/state", "--limit", "time=\(time)"] + options
        // A backtrace takes longer than the crash. Workers write theirs in any case.
        host = try await ServingHost(root, environment: ["SWIFT_BACKTRACE": "enable=no"]) { child in
            child.arguments += options
            child.arguments = ["-c", "\(limits)exec \"$@\" > \(output)", "sh", child.program] + child.arguments
            child.program = "sh"
        }
        client = try host.client()
    }

    /// Triggers the hostile action, and returns the response of the call that contains it. Opens a new scene, except
    /// for repeated leaks.
    func strike() async throws -> String {
        if hostile.place == "event", hostile.deed == "leak", await scene.number > 0 { return try await press() }
        let answer = try await open("hostile")
        return hostile.place == "event" && answer.contains(#""result""#) ? try await press() : answer
    }

    /// Opens a route. Retries if the call times out while the module loads.
    func open(_ route: String) async throws -> String {
        var answer = ""
        _ = try await eventually {
            answer = try await client.call("open", #"{"route":"\#(route)"}"#)
            await scene.next()
            // A module that hangs in its route's closure always times out.
            return hostile.place == "opening" || !answer.contains("time-limit")
        }
        return answer
    }

    private func press() async throws -> String {
        try await client.call("event", #"{"scene":\#(await scene.number),"event":{"press":"strike"}}"#)
    }

    /// Checks the outcome of the call in a host that survives it.
    func expect(_ outcome: HostileOutcome) async throws {
        let answer = try await strike()
        switch outcome {
        case .quarantined:
            #expect(answer.contains("library-quarantined"), "\(answer)")
            let listed = try await root.host("quarantine", "--state", state)
            #expect(listed.text.contains("libHostile.so"), "\(listed)")
        case .refused(let cause):
            #expect(answer.contains(cause), "\(answer)")
            #expect(try await client.call("modules").contains(#""state":"refused""#))
        case .callFails(let text): #expect(answer.contains(#""error""#) && answer.contains(text), "\(answer)")
        case .harmless, .printed:
            #expect(answer.contains(#""title":"Hostile""#), "\(answer)")
        default: Issue.record("the host does not outlive it")
        }
        try await expectOthersGoOn()
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        // A worker's output goes to the host's log instead of its standard output.
        let printed = try String(contentsOfFile: output, encoding: .utf8)
        #expect((outcome == .printed) == (printed.contains("printed") || printed.contains("written")), "\(printed)")
    }

    /// Checks that the good module responds to this client and to a new one.
    func expectOthersGoOn() async throws {
        try await host.client().wait("open", #"{"route":"list"}"#, for: #""title":"People by company""#)
        let answer = try await open("list")
        #expect(answer.contains(#""title":"People by company""#), "\(answer)")
    }
}
