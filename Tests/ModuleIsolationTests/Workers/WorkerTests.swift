import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import JSONRPC
@testable import ModuleCatalog
@testable import ModuleIsolation
@testable import ModuleRuntime

/// Modules in separate processes, with a hostile C program as the worker.
@Suite(.fewAtOnce, .hangLimit)
@MainActor
struct WorkerTests {
    private func worker(_ plan: String, _ limits: WorkerLimits = .patient) async throws -> Worker {
        try await Worker.start(
            "m", in: try emptyRoot(), limits: limits, program: try await hostileHost.compiled(),
            supervisor: Products.host, arguments: [plan], line: { _ in })
    }

    private func scene(_ worker: Worker) async throws(ViperError) -> any SceneContent {
        let request = RouteRequest(route: "r", parameters: [:], navigator: IdleNavigator())
        return try await worker.content(for: request)
    }

    @Test("A scene is opened, loaded and acted on, and a stopped worker exits by itself")
    func sceneAndStop() async throws {
        let worker = try await worker("none")
        let scene = try await scene(worker)
        #expect(scene.screen.title == "screen 1")
        try await scene.load()
        try await scene.handle(.press(action: "add"))
        #expect(scene.screen.title == "screen 3" && scene.terminationError == nil)
        scene.close()
        #expect(await worker.stop().ending == .code(0))
        #expect(await worker.stop().ending == .code(0))
    }

    @Test("A worker that crashes, exits, hangs or closes its connection at the start is an error")
    func badStarts() async throws {
        var limits = WorkerLimits.patient
        limits.start = .milliseconds(100)
        for (plan, cause) in [
            ("start=null", "its worker was terminated by signal 11 (Segmentation fault)"),
            ("start=exit", "its worker exited with code 0"),
            ("ping=exit", "its worker exited with code 0"),
            ("ping=hang", "its worker did not respond within 0.1 s and was killed"),
            ("start=close", "its worker closed its connection to the host and was killed"),
        ] {
            let error = await #expect(throws: ViperError.self) {
                _ = try await worker(plan, plan == "ping=hang" ? limits : .patient)
            }
            #expect(error?.code == .programFailed && error?.cause == cause)
        }
    }

    @Test(
        "A call that is running when its worker ends, and each later call, fails with the ending",
        arguments: ["null", "abort", "exit", "close"])
    func crashes(_ what: String) async throws {
        let cause = [
            "null": "its worker was terminated by signal 11 (Segmentation fault)",
            "abort": "its worker was terminated by signal 6 (Aborted)",
            "exit": "its worker exited with code 0",
            "close": "its worker closed its connection to the host and was killed",
        ][what]
        let worker = try await worker("event=\(what)")
        let (scene, idle) = (try await scene(worker), try await scene(worker))
        try await scene.load()
        for _ in 0..<2 {
            let error = await #expect(throws: ViperError.self) { try await scene.handle(.press(action: "add")) }
            #expect(error?.code == .workerCrashed && error?.cause == cause)
            if what == "null" { #expect(error?.notes == [.init("output", "touches nothing")]) }
        }
        // The scene keeps its last screen. The idle scene is told of the end, or learns of it from its next call.
        #expect(scene.screen.title == "screen 3")
        #expect(await eventually { idle.terminationError != nil })
        let error = await #expect(throws: ViperError.self) { try await idle.load() }
        #expect(error?.code == .workerCrashed && error?.cause == cause)
        let opened = await #expect(throws: ViperError.self) { _ = try await self.scene(worker) }
        #expect(opened?.cause == cause)
    }

    @Test("A worker that crashes while it opens a scene is reported as crashed")
    func crashingOpen() async throws {
        let worker = try await worker("open=null")
        let error = await #expect(throws: ViperError.self) { _ = try await scene(worker) }
        #expect(error?.code == .workerCrashed)
        #expect(await worker.end().ending == .signal(SIGSEGV))
    }

    @Test("A worker that hangs when a caller has reached its time limit is killed, and its other calls fail")
    func hang() async throws {
        var limits = WorkerLimits.patient
        limits.call = .milliseconds(100)
        let worker = try await worker("event=hang", limits)
        let scene = try await patiently { () async throws(ViperError) in try await self.scene(worker) }
        try await patiently { () async throws(ViperError) in try await scene.load() }
        let second = Task { await failure { () async throws(ViperError) in try await worker.check(.load) } }
        // On a busy machine the time may be over before the event is sent.
        for _ in 0..<attempts where !worker.hasEnded {
            let first = await failure { () async throws(ViperError) in
                try await withTimeLimit(limits.call, "cannot use", "scene") { @MainActor () async throws(ViperError) in
                    try await scene.handle(.press(action: "add"))
                }
            }
            #expect([.timeLimit, .workerCrashed].contains(first?.code))
        }
        try #require(worker.hasEnded)
        #expect(await worker.end().ending == .overdue(.milliseconds(100)))
        // The check may have been answered before.
        let other = await second.value
        #expect(other == nil || other?.cause == "its worker did not respond within 0.1 s and was killed")
    }

    @Test("A worker that hangs is killed at its own limit for calls, and the error names the module")
    func hangWithoutCallersLimit() async throws {
        var limits = WorkerLimits.patient
        limits.call = .milliseconds(100)
        let worker = try await worker("event=hang", limits)
        let scene = try await patiently { () async throws(ViperError) in try await self.scene(worker) }
        let error = await #expect(throws: ViperError.self) { try await scene.handle(.press(action: "add")) }
        #expect(error?.code == .workerCrashed && error?.subject == "m")
        #expect(error?.cause == "its worker did not respond within 0.1 s and was killed")
    }

    @Test("An error that a module throws is passed on, even if its code is connection-lost")
    func throwing() async throws {
        for (what, code) in [("throw", ViperError.Code.moduleFailed), ("lose", .connectionLost)] {
            let worker = try await worker("make=\(what)")
            try await worker.check(.load)
            let error = await #expect(throws: ViperError.self) { try await worker.check(.make) }
            #expect(error?.code == code)
            try await worker.check(.health)
            #expect(await worker.stop().ending == .code(0))
        }
    }

    @Test("Garbage is not accepted as an answer")
    func garbage() async throws {
        let worker = try await worker("load=garbage")
        do { try await worker.check(.load) } catch { #expect(error.code != .workerCrashed) }
        try await worker.check(.health)
        #expect(await worker.stop().ending == .code(0))
    }

    @Test("A worker that does not end when it is stopped is killed")
    func stubbornStop() async throws {
        let worker = try await worker("stop=hang")
        #expect(await worker.stop().ending == .killedByHost)
    }
}

func emptyRoot() throws -> WorkerRoot { try WorkerRoot([], settings: Settings(), hasOwnState: false) }

/// The maximum number of attempts at work with a short time limit, which a busy machine may exceed.
let attempts = 300

/// Repeats work until it takes no longer than its time limit. On a busy machine, it may take longer.
///
/// - Throws: The error of the last attempt.
func patiently<Value>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws(ViperError) -> Value
) async throws(ViperError) -> Value {
    for _ in 1..<attempts {
        do { return try await work() } catch {
            if error.code != .timeLimit { throw error }
        }
    }
    return try await work()
}

/// Returns the error that some work throws, or nil.
private func failure(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws(ViperError) -> Void
) async -> ViperError? {
    do { try await work() } catch { return error }
    return nil
}

final class IdleNavigator: Navigator {
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError) {}
    func close(returning result: (any Encodable & Sendable)?) async throws(ViperError) {}
}
