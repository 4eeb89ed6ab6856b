import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

@MainActor
@Suite(.hangLimit)
struct NavigationLimitTests {
    @MainActor
    private final class Work {
        var task: Task<Void, any Error>?
    }

    private func failure(_ body: () async throws -> Void) async throws -> ViperError {
        try await #require(throws: ViperError.self) { try await body() }
    }

    @Test(
        "Opening an unknown route throws and leaves all scenes unchanged",
        arguments: [Transition.push, .present, .replaceRoot])
    func unknown(transition: Transition) async throws {
        let journey = try await Journey()
        let error = try await failure {
            try await journey.views[0].navigator.open("bb", parameters: [:], as: transition)
        }
        #expect(error.summary == "cannot open route \"bb\": no module provides it")
        #expect(error.notes.last == .init("did you mean", "b"))
        #expect(journey.steps == ["replace-root a"])
    }

    @Test("Opening a route with an unknown parameter throws")
    func parameter() async throws {
        let journey = try await Journey()
        let error = try await failure {
            try await journey.views[0].navigator.open("b", parameters: ["x": .integer(1)], as: .push)
        }
        #expect(error.code == .parameterUnknown)
        #expect(journey.routes == ["a"])
    }

    @Test(
        "Opening a route of a refused module throws the module's error and leaves all scenes unchanged",
        arguments: [Transition.push, .replaceRoot])
    func refused(transition: Transition) async throws {
        let journey = try await Journey()
        try await LateModule.$making.withValue(LateModule.Making { throw Script.Failure() }) {
            let error = try await failure {
                try await journey.views[0].navigator.open("late", parameters: [:], as: transition)
            }
            #expect(error.code == .moduleFailed)
            #expect(error.cause == "it threw the test says so")
        }
        #expect(journey.steps == ["replace-root a"])
    }

    @Test("At most 32 scenes can be on the stack, and a new root is still possible")
    func depth() async throws {
        let journey = try await Journey()
        for _ in 1..<32 { try await journey.push("b") }
        #expect(journey.routes.count == 32)
        let error = try await failure { try await journey.push("c") }
        #expect(error.code == .navigationTooDeep)
        #expect(
            error.summary
                == "cannot open route \"c\": more than 32 scenes would be open, or would open each other")
        #expect(journey.routes.count == 32)
        try await journey.views[31].navigator.open("c", as: .replaceRoot)
        #expect(journey.routes == ["c"])
    }

    @Test("Scenes that are being opened count towards the limit")
    func depthAtOnce() async throws {
        let journey = try await Journey()
        for _ in 1..<20 { try await journey.push("b") }
        let navigator = journey.views[19].navigator
        let errors = await atOnce(30) { @MainActor in
            do throws(ViperError) {
                try await navigator.open("c", as: .push)
                return ViperError.Code?.none
            } catch {
                return error.code
            }
        }
        #expect(journey.routes.count == 32)
        #expect(errors.filter { $0 == .navigationTooDeep }.count == 18)
    }

    @Test("Scenes that open each other endlessly stop with an error on the last scene")
    func endless() async throws {
        let replacing = try await Journey(from: "ping")
        #expect(replacing.routes.count == 1)
        #expect(replacing.window.screen.alert?.message?.contains("more than 32 scenes") == true)
        #expect(replacing.steps.filter { $0.hasPrefix("replace-root") }.count == 32)

        let pushing = try await Journey(from: "deeper")
        #expect(pushing.routes.count == 32)
        #expect(pushing.views.compactMap(\.failure).map(\.code) == [.navigationTooDeep])
        // The finished opens no longer count, so there is room again.
        pushing.window.closeAll()
        try await pushing.window.open("a", texts: [:])
        #expect(pushing.routes == ["a"])
    }

    @Test("A scene that closes while its next module is made opens nothing")
    func closedMeanwhile() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        let window = journey.window
        let navigator = journey.views[1].navigator
        let middle = window.scenes[1]
        let task = LateModule.$making.withValue(LateModule.Making { window.remove(middle) }) {
            Task { try await navigator.open("late", as: .push) }
        }
        try await task.value
        #expect(journey.routes == ["a"])
        #expect(journey.steps == ["replace-root a", "push b", "pop b"])
    }

    @Test("A task that is cancelled while the module is made opens nothing")
    func cancelledMeanwhile() async throws {
        let journey = try await Journey()
        let window = journey.window
        let work = Work()
        let task = LateModule.$making.withValue(LateModule.Making { work.task?.cancel() }) {
            Task { try await window.open("late", texts: [:]) }
        }
        work.task = task
        try await task.value
        #expect(journey.routes == ["a"])
    }

    @Test("The navigator of a closed scene or of a released window does nothing")
    func closed() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        let navigator = journey.views[1].navigator
        let scene = journey.window.top
        await navigator.close()
        let steps = journey.steps
        try await navigator.open("c", as: .push)
        try await navigator.open("nonsense", as: .replaceRoot)
        await navigator.close()
        try await navigator.close(returning: Double.infinity)
        #expect(journey.steps == steps)
        #expect(journey.views[0].returned.isEmpty && scene?.isClosed == true)

        let orphan = try await Journey().views[0].navigator
        try await orphan.open("b", as: .push)
        await orphan.close()
    }
}
