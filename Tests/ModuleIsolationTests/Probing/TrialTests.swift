import Foundation
import HostDriver
import ModuleRuntime
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleIsolation

/// Trials of a hostile C program that acts as the host of a module.
@Suite(.fewAtOnce, .hangLimit)
struct TrialTests {
    private func probe(_ plan: String, _ change: (inout WorkerLimits) -> Void = { _ in }) async throws
        -> Trial.Outcome<Void>
    {
        var limits = WorkerLimits.probe
        (limits.start, limits.call) = (Patience.limit, Patience.limit)
        change(&limits)
        return try await Trial.probe(
            "m", in: try emptyRoot(), limits: limits, program: try await hostileHost.compiled(),
            supervisor: Products.host, arguments: [plan], line: { _ in })
    }

    @Test("A harmless module passes, even if it hangs when it is stopped", arguments: ["none", "stop=hang"])
    func passes(_ plan: String) async throws {
        let outcome = try await probe(plan)
        guard case .passed = outcome else { return #expect(Bool(false), "it should have passed") }
    }

    @Test("A crash is reported with its phase and its signal", arguments: ["load", "make", "health", "stop"])
    func dies(_ phase: String) async throws {
        for (what, ending) in [("null", WorkerEnding.signal(SIGSEGV)), ("abort", .signal(SIGABRT))] {
            guard case .died(let died, let end) = try await probe("\(phase)=\(what)") else {
                return #expect(Bool(false), "it should have died")
            }
            #expect(died == phase && end.ending == ending)
        }
    }

    @Test("An exit, a hang and excessive memory use are reported with their phases")
    func ends() async throws {
        guard case .died("load", let exited) = try await probe("load=exit") else { return #expect(Bool(false)) }
        #expect(exited.ending == .code(0))
        // On a busy machine, a short time limit can pass before the module is made.
        var limit = Duration.milliseconds(200)
        while limit < Patience.limit {
            let hung = try? await probe("make=hang") { $0.start = limit }
            if case .died("make", let end) = hung {
                #expect(end.ending == .overdue(limit))
                break
            }
            limit *= 2
        }
        #expect(limit < Patience.limit)
        let hog = try await probe("health=hog") { $0.memory = 200 << 20 }
        guard case .died("health", let taken) = hog else { return #expect(Bool(false)) }
        #expect(taken.ending == .overMemory(200 << 20))
    }

    @Test("A module that throws is refused with its error")
    func refused() async throws {
        guard case .refused(let error) = try await probe("make=throw") else { return #expect(Bool(false)) }
        #expect(error.code == .moduleFailed && error.cause == "it threw")
    }

    @Test("A probe throws if its host process does not start")
    func noHost() async throws {
        let error = await #expect(throws: ViperError.self) { _ = try await probe("start=exit") }
        #expect(error?.code == .programFailed)
    }
}
