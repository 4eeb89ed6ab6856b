import Foundation
import Glibc
import TestSupport
import Testing

/// Hostile modules in a host that serves: in its process, and in processes of their own.
@Suite(.fewAtOnce, .hangLimit)
struct HostileServeTests {
    @Test("a hostile module in the process of host serve", arguments: HostileCase.all)
    func served(_ hostile: HostileCase) async throws {
        let scene = try await HostileScene(hostile, isolated: false)
        switch hostile.served {
        case .hostEnds(let ending):
            // Whoever was inside hears nothing but the end.
            _ = try? await scene.strike()
            #expect(try await scene.host.end() == ending, "\(scene.host.log)")
        case .takesAll:
            _ = try? await scene.strike()
            // What the module itself does where the system refuses: here that is soon.
            #expect(try await scene.host.end() == .signal(SIGSEGV))
        case .hangs:
            #expect(try await scene.strike().contains("time-limit"))
            // What needs no module goes on, and what needs one says that it takes too long.
            #expect(try await scene.client.call("modules").contains(#""module":"hostile""#))
            #expect(try await scene.client.call("open", #"{"route":"list"}"#).contains("time-limit"))
            scene.host.send(SIGTERM)
            #expect(try await scene.host.end() == .code(70))
            #expect(scene.host.log.contains("has open scenes  hostile"), "\(scene.host.log)")
        case .full:
            #expect(try await scene.strike().contains("came through 1"))
            let late = try scene.host.client()
            let call = try late.begin("routes")
            try await scene.host.wait(forLog: "cannot take a connection: Too many open files")
            #expect(try await scene.client.call("modules").contains(#""module":"hostile""#))
            _ = call
        case let outcome: try await scene.expect(outcome)
        }
    }

    @Test("a hostile module in a process of its own", arguments: HostileCase.all)
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
        // It strikes when the call is over: the scene is told to have ended.
        if hostile.deed == "thread" { told = try await scene.client.line(with: #""method":"closed""#) }
        #expect(told.contains(text), "\(told)")
        try await scene.expectOthersGoOn()
        if hostile.deed == "loop" {
            // Whoever comes before the worker is ended waits for its end.
            let waited = try await scene.client.call("open", #"{"route":"hostile"}"#)
            #expect(waited.contains(#""result""#) || waited.contains("worker-crashed"), "\(waited)")
        } else {
            #expect(told.contains("worker-crashed"), "\(told)")
        }
        // The next call has a new worker, and a module that crashes as it is opened crashes again.
        let next = try await scene.open("hostile")
        #expect(next.contains(hostile.place == "opening" ? text : #""title":"Hostile""#), "\(next)")
    }

    @Test("an isolated module that leaks descriptors keeps them from itself only")
    func leak() async throws {
        let scene = try await HostileScene(.leak, isolated: true)
        // More than a process may have.
        for count in 1...12 { #expect(try await scene.strike().contains("came through \(count)")) }
        _ = try await scene.host.client().call("routes")
        try await scene.expectOthersGoOn()
    }

    @Test("a module that closes descriptors 0 to 2 again and again takes neither a worker nor a client along")
    func closedStandardDescriptors() async throws {
        let scene = try await HostileScene(.closing, isolated: false, options: ["--isolate", "company-list"])
        #expect(try await scene.strike().contains("came through 1"))
        // Both would have got the numbers that are free now.
        let client = try scene.host.client()
        #expect(try await client.call("open", #"{"route":"list"}"#).contains(#""title":"People by company""#))
        let worker = try await client.workers()
        #expect(try await scene.strike().contains("came through 1"))
        let person = try await client.call("send", #"{"scene":1,"event":{"select":"58f9a19680685a4e1e6d5016"}}"#)
        #expect(person.contains("Bertha"), "\(person)")
        #expect(try await client.workers() == worker && worker.count == 1)
        try await scene.expectOthersGoOn()
    }

    @Test("a child that a module has forked holds neither socket nor lock of a host that was killed")
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
        // Its client learns of the end, and the next host starts in its place and clears up after it.
        try await scene.client.end()
        let next = try await ServingHost(root)
        #expect(try await next.client().call("open", #"{"route":"list"}"#).contains(#""title":"People by company""#))
        let folders = try FileManager.default.contentsOfDirectory(atPath: root.temporary)
        #expect(folders.filter { $0.hasPrefix("viper-host-") }.count == 1, "\(folders)")
        #expect(kill(process, 0) == 0)
    }

    @Test("an isolated module that hangs is ended also when nobody waits for it any more")
    func left() async throws {
        let scene = try await HostileScene(.hanging, isolated: true)
        _ = try await scene.client.call("open", #"{"route":"hostile"}"#)
        let number = try #require(try await scene.client.workers().first)
        let before = try Self.processorTime(of: number)
        try scene.client.begin("send", #"{"scene":1,"event":{"press":"strike"}}"#)
        // It hangs once it has used a fifth of a second more. Nobody asks for the module from then on.
        try #require(try await eventually { try Self.processorTime(of: number) >= before + 20 })
        scene.client.vanish()
        #expect(await eventually { kill(pid_t(number), 0) != 0 })
    }

    /// The time that a process has spent in its own code, in hundredths of a second.
    private static func processorTime(of process: Int) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The twelfth number after the program's name, which may have spaces in it.
        let numbers = try #require(status.split(separator: ")").last).split(separator: " ")
        return try #require(Int(numbers[11]))
    }

    @Test("the fifth crash within a minute quarantines an isolated module, and the report says where it crashed")
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
        "a route that the manifest does not declare is unknown to clients, and to the module", arguments: [false, true])
    func undeclared(isIsolated: Bool) async throws {
        let scene = try await HostileScene(.nothing, isolated: isIsolated)
        let unknown = #"cannot open route \"hostile/undeclared\": no module provides it"#
        #expect(try await scene.client.call("open", #"{"route":"hostile/undeclared"}"#).contains(unknown))
        let opened = try await scene.client.call("open", #"{"route":"hostile"}"#)
        #expect(opened.contains(#""title":"Hostile""#))
        let away = try await scene.client.call("send", #"{"scene":2,"event":{"press":"away"}}"#)
        #expect(away.contains(unknown), "\(away)")
    }
}

/// A host that serves a hostile module beside a good one, and a client of it.
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
        self.root = root
        var manifest = ManifestText.hostile
        if isolated { manifest.isolation = "process" }
        try root.add(manifest)
        try root.add(library: await ModuleFixture.hostile(hostile.deed, in: hostile.place), as: "libHostile.so")
        // Little enough for what takes all, and the standard output where it can be read.
        let isShort = !isolated && hostile.served == .full
        let isPoor = !isolated && hostile.served == .takesAll
        let limits = (isShort ? "ulimit -n 64; " : "") + (isPoor ? "ulimit -d 600000; " : "")
        let output = "\(root.folder.path)/output"
        // What hangs in a call is waited for; what hangs while it is loaded is ended earlier.
        let time = hostile.served == .hangs ? (isolated ? "5" : "2") : "60"
        let options = ["--state", root.folder.path + "/state", "--limit", "time=\(time)"] + options
        host = try await ServingHost(root) { child in
            child.arguments += options
            child.arguments = ["-c", "\(limits)exec \"$@\" > \(output)", "sh", child.program] + child.arguments
            child.program = "sh"
        }
        client = try host.client()
    }

    /// Has the module do its deed, and returns the answer to the call in which it does. Scenes are opened anew for it, but where an
    /// earlier one is still there.
    func strike() async throws -> String {
        if hostile.place == "event", hostile.deed == "leak", await scene.number > 0 { return try await press() }
        let answer = try await open("hostile")
        return hostile.place == "event" && answer.contains(#""result""#) ? try await press() : answer
    }

    /// Opens a route. Where calls have little time, the first one may spend it all on loading the module.
    func open(_ route: String) async throws -> String {
        var answer = ""
        _ = try await eventually {
            answer = try await client.call("open", #"{"route":"\#(route)"}"#)
            await scene.next()
            // A module that hangs where it is opened takes all the time that there is.
            return hostile.place == "opening" || !answer.contains("time-limit")
        }
        return answer
    }

    private func press() async throws -> String {
        try await client.call("send", #"{"scene":\#(await scene.number),"event":{"press":"strike"}}"#)
    }

    /// Checks what becomes of the call, where the host outlives it.
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
        // What a process of its own has printed is in the host's log, for those who want to read it.
        let printed = try String(contentsOfFile: output, encoding: .utf8)
        #expect((outcome == .printed) == (printed.contains("printed") || printed.contains("written")), "\(printed)")
    }

    /// Checks that the good module answers, to this client and to another one.
    func expectOthersGoOn() async throws {
        try await host.client().wait("open", #"{"route":"list"}"#, for: #""title":"People by company""#)
        let answer = try await open("list")
        #expect(answer.contains(#""title":"People by company""#), "\(answer)")
    }
}
