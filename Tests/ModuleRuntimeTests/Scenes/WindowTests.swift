import HostDriver
import ModuleTestSupport
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import ModuleRuntime

@MainActor
@Suite(.hangLimit)
struct WindowTests {
    @Test("A pushed scene is on top, is loaded when the push returns, and is popped when it closes")
    func push() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        #expect(journey.routes == ["a", "b"])
        #expect(journey.window.screen.text == "loaded")
        await journey.views[1].navigator.close()
        #expect(journey.routes == ["a"])
        #expect(journey.steps == ["replace-root a", "push b", "pop b"])
    }

    @Test("A presented scene is on top, and is dismissed when it closes")
    func present() async throws {
        let journey = try await Journey()
        try await journey.views[0].navigator.open("b", as: .present)
        #expect(journey.window.top?.route == "b")
        await journey.views[1].navigator.close()
        #expect(journey.steps == ["replace-root a", "present b", "dismiss b"])
    }

    @Test("A new root closes all scenes from the top down, whichever scene opens it")
    func replaceRoot() async throws {
        let journey = try await Journey()
        try await journey.push("b", "c")
        try await journey.views[0].navigator.open("b", as: .replaceRoot)
        #expect(journey.routes == ["b"])
        #expect(
            journey.steps == ["replace-root a", "push b", "push c", "pop c", "pop b", "pop a", "replace-root b"])
    }

    @Test("A transition of a later version is an error, and opens no scene")
    func unknownTransition() async throws {
        let journey = try await Journey()
        let navigator = journey.views[0].navigator
        let error = try await #require(throws: ViperError.self) {
            try await navigator.open("b", parameters: [:], as: Transition(rawValue: "sheet"))
        }
        #expect(error.code == .transitionUnknown)
        #expect(
            error.summary
                == "cannot open route \"b\": the transition is \"sheet\", expected push, present, replace, replace-root"
        )
        #expect(journey.routes == ["a"])
    }

    @Test("Events go to the top scene")
    func events() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        let result = try SceneResult(1)
        try await journey.window.handle(.returned(from: "test", result: result))
        #expect(journey.views.map(\.returned.count) == [0, 1])
        journey.window.closeAll()
        let error = try await #require(throws: ViperError.self) {
            try await journey.window.handle(.press(action: "x"))
        }
        #expect(error.summary == "cannot use screen \"b\": it is closed")
    }

    @Test("Closing a scene in the middle closes the scenes above it and keeps those below")
    func middle() async throws {
        let journey = try await Journey()
        try await journey.push("b", "c", "a")
        await journey.views[1].navigator.close()
        #expect(journey.routes == ["a"])
        #expect(journey.steps.suffix(3) == ["pop a", "pop c", "pop b"])
    }

    @Test("The same route can be on the stack several times")
    func cycle() async throws {
        let journey = try await Journey()
        try await journey.push("b", "a", "b", "a")
        #expect(journey.routes == ["a", "b", "a", "b", "a"])
        #expect(Set(journey.window.scenes.map(ObjectIdentifier.init)).count == 5)
    }

    @Test("A window without scenes shows the last screen")
    func lastScreen() async throws {
        let journey = try await Journey()
        #expect(Window(router: try linkedHost([]).router).screen == Screen(title: ""))
        try await journey.push("b", "c")
        journey.window.closeAll()
        #expect(journey.window.top == nil)
        #expect(journey.window.screen.title == "c")
    }

    @Test("A step is reported after the stack has changed")
    func stepsSeeTheStack() async throws {
        let journey = try await Journey()
        let (window, seen) = (journey.window, Steps())
        try await journey.push("b", "c")
        window.onStep = { step in seen.add("\(step): \(window.scenes.map(\.route).joined())") }
        await journey.views[1].navigator.close()
        try await journey.push("c")
        window.closeAll()
        #expect(seen.all == ["pop c: ab", "pop b: a", "push c: ac", "pop c: a", "pop a: "])
        window.onStep = nil
    }

    @Test("Closing a scene or releasing the window frees views and navigators")
    func freed() async throws {
        var journey: Journey? = try await Journey()
        try await journey?.push("b", "c")
        weak let (first, last) = (journey?.views.first, journey?.views.last)
        weak let navigator = journey?.views.last?.navigator
        #expect(last != nil && navigator != nil)
        await journey?.views[1].navigator.close()
        #expect(last == nil && navigator == nil && first != nil)
        weak let window = journey?.window
        journey = nil
        #expect(window == nil && first == nil)
    }

    @Test("The stream yields the current screen and each change of the top scene, and ends with the window")
    func screens() async throws {
        var journey: Journey? = try await Journey()
        let seen = Steps()
        for await screen in try #require(journey).window.screens() {
            seen.add("\(screen.title) \(screen.text ?? "")")
            switch seen.all.count {
            case 1: try await journey?.push("b")
            case 2: journey?.views[1].note("changed")
            case 3: await journey?.views[1].navigator.close()
            default: journey = nil
            }
        }
        #expect(seen.all == ["a loaded", "b loaded", "b changed", "a loaded"])
    }

    @Test("TestScene reports its steps with their parameters")
    func testScene() async throws {
        let text = """
            {"name": "waypoints", "version": "1.0.0", "library": "libw.so", "sdk": "1.0", "routes": [
             {"name": "a", "summary": "A", "parameters": [
               {"name": "z", "type": "boolean", "default": null, "summary": "Z"},
               {"name": "b", "type": "integer", "default": 3, "summary": "B"}]}]}
            """
        let manifest = try ScratchFolder()
        let host = try TestHost(
            Waypoints.self, manifest: try manifest.write(text, to: "waypoints.json")
        ) { _ in }
        let scene = try await host.open("a", ["z": .boolean(true)])
        #expect(scene.steps == ["replace-root a b=3 z=true"])
        scene.close()
        #expect(scene.steps == ["replace-root a b=3 z=true", "pop a"])
        #expect(scene.isClosed)
    }
}
