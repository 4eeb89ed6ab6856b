import Foundation
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog
@testable import ModuleIsolation
@testable import ModuleRuntime

/// Modules that crash, in workers that run the built host.
@Suite(.fewAtOnce, .hangLimit)
@MainActor
struct RealWorkerTests {
    /// A module that crashes on request. The title of its scene is the number of its process.
    nonisolated private static let fragile = ModuleFixture(
        "Fragile",
        """
        import Glibc
        import ViperKit

        @c(viper_entry_v1_Fragile)
        public func fragileModule() -> UnsafeRawPointer { ModuleEntry.export(Fragile.self) }

        final class Fragile: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Fragile>) {
                registrar.route("fragile") { _, _ in FragileView() }
            }
        }

        final class FragileView: View {
            var screen: Screen {
                var screen = Screen(title: "\\(getpid())")
                screen.actions = ["null", "fatal", "recurse", "loop", "print", "sleep"].map { Action(id: $0, title: $0) }
                return screen
            }
            func handle(_ event: Event) async {
                switch event {
                case .press("null"): print(Broken().pointer(at: 8))
                case .press("fatal"): Broken().give(up: "no such person: Ada")
                case .press("recurse"): print(Broken().fall(0))
                case .press("loop"): while true { usleep(5000) }
                case .press("print"): print("not for the host")
                case .press("sleep"): try? await Task.sleep(for: .seconds(1000))
                default: break
                }
            }
        }

        struct Broken {
            func pointer(at address: Int) -> Int { UnsafePointer<Int>(bitPattern: address)!.pointee }
            func give(up reason: String) { fatalError(reason) }
            func fall(_ depth: Int) -> Int { depth < 0 ? 0 : fall(depth + 1) + 1 }
        }
        """)

    /// A module that crashes when it is created, or when it is loaded if C code is added.
    nonisolated private static let stillborn = ModuleFixture(
        "Stillborn",
        """
        import ViperKit

        @c(viper_entry_v1_Stillborn)
        public func stillbornModule() -> UnsafeRawPointer { ModuleEntry.export(Stillborn.self) }

        final class Stillborn: Module {
            init(services: any ServiceResolver) { fatalError("no such person: Ada") }
            static func register(with registrar: Registrar<Stillborn>) {
                registrar.route("fragile") { _, _ in fatalError() }
            }
        }
        """)

    private func root(_ module: ModuleFixture = fragile) async throws -> WorkerRoot {
        let text = ManifestText("fragile", library: module.library, routes: ["fragile"]).text
        let manifest = try Manifest(text: Data(text.utf8), named: "fragile.json")
        let part = WorkerRoot.Part(manifest: manifest, library: try await module.compiled(), resources: nil)
        return try WorkerRoot([part], settings: Settings(), hasOwnState: true)
    }

    private func scene(_ limits: WorkerLimits = .patient) async throws -> any SceneContent {
        let worker = try await Worker.start(
            "fragile", in: try await root(), limits: limits, program: Products.host, line: { _ in })
        let request = RouteRequest(route: "fragile", parameters: [:], navigator: IdleNavigator())
        return try await worker.content(for: request)
    }

    @Test("A null pointer and a fatal error are reported with the reason and the crashing call")
    func crashes() async throws {
        for (action, call, reason) in [
            ("null", "Broken.pointer(at:)", "Bad pointer dereference at 0x0000000000000008"),
            ("fatal", "Broken.give(up:)", "Fatal error: no such person: Ada"),
        ] {
            let scene = try await scene()
            try await scene.load()
            let error = await #expect(throws: ViperError.self) { try await scene.handle(.press(action: action)) }
            #expect(error?.code == .workerCrashed && error?.cause.contains("signal") == true)
            let notes = error?.notes ?? []
            #expect(notes.contains { $0.label == "reason" && $0.text.contains(reason) }, "\(notes)")
            #expect(notes.contains { $0.label == "at" && $0.text.contains(call) && $0.text.contains("libFragile.so") })
        }
    }

    // Swift's runtime has a stack for its report only on the first thread, and the main actor runs on another one.
    @Test("Endless recursion is reported as its signal")
    func recursion() async throws {
        let scene = try await scene()
        let error = await #expect(throws: ViperError.self) { try await scene.handle(.press(action: "recurse")) }
        #expect(error?.cause == "its worker was terminated by signal 11 (Segmentation fault)")
    }

    @Test("A probe reports the phase and the call of a crash, and a harmless library passes")
    func probes() async throws {
        guard
            case .passed = try await Trial.probe(
                "fragile", in: try await root(), program: Products.host, line: { _ in })
        else { return #expect(Bool(false), "it should have passed") }
        var loading = Self.stillborn
        loading.cSource = "__attribute__((constructor)) static void fall(void) { *(volatile int *)0 = 1; }"
        for (module, phase, call) in [(Self.stillborn, WorkerPhase.make, "Stillborn.init"), (loading, .load, "fall")] {
            let outcome = try await Trial.probe(
                "fragile", in: try await root(module), program: Products.host, line: { _ in })
            guard case .died(phase.rawValue, let end) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(end.report.reason != nil && end.report.frames.contains { $0.contains(call) })
        }
    }

    @Test("The output of a module does not disturb its connection to the host")
    func printing() async throws {
        let scene = try await scene()
        try await scene.handle(.press(action: "print"))
        #expect(Int(scene.screen.title) != nil)
    }

    @Test("A module that never releases the main actor is killed")
    func loop() async throws {
        var limits = WorkerLimits.patient
        limits.call = .seconds(1)
        let scene = try await patientScene(limits)
        var error: ViperError?
        // On a busy machine the time may be over before the event is sent.
        for _ in 0..<attempts where error?.code != .workerCrashed {
            error = await #expect(throws: ViperError.self) {
                try await withTimeLimit(limits.call, "cannot use", "scene") { @MainActor () async throws(ViperError) in
                    try await scene.handle(.press(action: "loop"))
                }
            }
        }
        #expect(error?.cause == "its worker did not respond within 1 s and was killed")
    }

    @Test("A call that takes too long fails, the error names the module, and the worker goes on")
    func slow() async throws {
        var limits = WorkerLimits.patient
        limits.call = .seconds(1)
        let scene = try await patientScene(limits)
        let error = await #expect(throws: ViperError.self) { try await scene.handle(.press(action: "sleep")) }
        #expect(error?.code == .timeLimit && error?.subject == "fragile")
        let fix = "make the call return sooner; only host serve can allow more time, with --limit time=SECONDS"
        #expect(error?.fix == fix)
        #expect(error?.cause == "a call took longer than 1 s")
        try await patiently { () async throws(ViperError) in try await scene.handle(.press(action: "print")) }
    }

    /// Opens a scene, however long it takes.
    private func patientScene(_ limits: WorkerLimits) async throws -> any SceneContent {
        for _ in 1..<attempts {
            do { return try await scene(limits) } catch let error as ViperError where error.code == .timeLimit {}
        }
        return try await scene(limits)
    }
}
