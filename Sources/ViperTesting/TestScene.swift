public import Testing
public import ViperKit
public import ViperRuntime

/// Collects a window's steps.
@MainActor
private final class StepRecorder {
    var steps: [Window.Step] = []
}

/// A scene under test: drive it with events, and look at its screen.
@MainActor
public final class TestScene {
    private let window: Window
    private let scene: Scene
    private let outliving: ObjectGraph

    private let recorder = StepRecorder()

    init(
        opening route: String, _ parameters: [String: ParameterValue], in host: Host, outliving: ObjectGraph
    ) async throws(ViperError) {
        window = Window(router: host.router)
        window.onStep = { [recorder] step in recorder.steps.append(step) }
        scene = try await window.assemble(route, parameters: parameters)
        self.outliving = outliving
    }

    /// Each step of navigation in the scene's window so far; the first is the open of this scene.
    public var steps: [Window.Step] { recorder.steps }

    /// What a person sees: the screen of the topmost scene that this one has led to.
    public var topScreen: Screen { window.screen }

    /// What the view shows; after closing, what it showed last.
    public var screen: Screen { scene.screen }

    /// The screen as `host run` shows it, without colour.
    public var text: String { TextRenderer(style: TextStyle(isColoured: false)).render(screen) }

    /// Whether the scene was closed, by the test or by its wireframe.
    public var isClosed: Bool { scene.isClosed }

    /// Begins the scene's work; for a scene from ``TestHost/assemble(_:_:)``.
    public func load() async { await scene.load() }

    /// The screen now and after each change of it; see ``ViperRuntime/Scene/screens()``.
    public func screens() -> some AsyncSequence<Screen, Never> & Sendable { scene.screens() }

    /// Writes into a field.
    ///
    /// - Throws: ``ViperError`` with code `event-unknown` when the screen has no such field.
    public func fill(_ field: String, _ text: String) async throws(ViperError) {
        try await scene.handle(.fill(field: field, text: text))
    }

    /// Presses an action.
    ///
    /// - Throws: ``ViperError`` with code `event-unknown` when the screen has no such action.
    public func press(_ action: String) async throws(ViperError) {
        try await scene.handle(.press(action: action))
    }

    /// Chooses a row.
    ///
    /// - Throws: ``ViperError`` with code `event-unknown` when the screen has no such row.
    public func select(_ row: String) async throws(ViperError) {
        try await scene.handle(.select(row: row))
    }

    /// Closes the scene, and those that it has led to.
    public func close() { window.closeAll() }

    /// Closes the scene and records an issue for each object of it that lives on: its view, presenter, interactor,
    /// wireframe, and whatever else hangs on them. Services and the module may live on.
    ///
    /// The objects are found by reflection, over stored properties; what only a closure captures is not found by itself,
    /// but whatever it keeps alive is.
    public func expectDeallocated(sourceLocation: SourceLocation = #_sourceLocation) {
        let parts = ObjectGraph(of: scene.view.map { [$0] } ?? []).subtracting(outliving)
        if parts.isEmpty {
            Issue.record("the scene is closed already: nothing is left to watch", sourceLocation: sourceLocation)
        }
        close()
        for type in parts.living {
            Issue.record(
                "\(type) is alive after its scene closed: make the reference back to it weak",
                sourceLocation: sourceLocation)
        }
    }
}
