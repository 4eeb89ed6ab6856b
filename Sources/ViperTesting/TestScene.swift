public import Testing
public import ViperKit
import ViperRuntime

/// A scene under test, and the scenes that it leads to: events go to the topmost, as a person's do.
@MainActor
public final class TestScene {
    private let window: Window
    private let scene: Scene
    private let outliving: ObjectGraph
    private let recorder = StepRecorder()

    init(
        opening route: String, _ parameters: [String: ParameterValue], in host: ViperHost, outliving: ObjectGraph
    ) async throws(ViperError) {
        window = Window(router: host.router)
        window.onStep = { [recorder] step in recorder.steps.append(step) }
        scene = try await window.assemble(route, .values(parameters))
        self.outliving = outliving
    }

    /// What a person sees: the screen of the topmost scene; when all are closed, what was shown last.
    public var screen: Screen { window.screen }

    /// The screen as `host run` shows it, without colour.
    public var text: String { TextRenderer(style: TextStyle(isColoured: false)).render(screen) }

    /// Each step of navigation so far, such as `push person id=3` or `pop person`. The first is the open of this scene,
    /// `replace-root list`.
    public var steps: [String] { recorder.steps }

    /// Whether the scene that was opened first is closed, by the test or by its wireframe.
    public var isClosed: Bool { scene.isClosed }

    /// Begins the scene's work; for a scene from ``TestHost/assemble(_:_:)``.
    public func load() async {
        // Only a scene of another process can be lost.
        try? await scene.load()
    }

    /// The first scene's screen now and after each change of it; see ``ViperRuntime/Scene/screens()``.
    public func screens() -> some AsyncSequence<Screen, Never> & Sendable { scene.screens() }

    /// Writes into a field.
    ///
    /// - Throws: ``ViperError`` with code `event-unknown` when the screen has no such field.
    public func fill(_ field: String, _ text: String) async throws(ViperError) {
        try await window.handle(.fill(field: field, text: text))
    }

    /// Presses an action.
    ///
    /// - Throws: ``ViperError`` with code `event-unknown` when the screen has no such action.
    public func press(_ action: String) async throws(ViperError) {
        try await window.handle(.press(action: action))
    }

    /// Chooses a row.
    ///
    /// - Throws: ``ViperError`` with code `event-unknown` when the screen has no such row.
    public func select(_ row: String) async throws(ViperError) {
        try await window.handle(.select(row: row))
    }

    /// Closes the scene, and those that it has led to.
    public func close() { window.closeAll() }

    /// Closes all scenes and records an issue for each object of them that lives on: its view, presenter, interactor,
    /// wireframe, and whatever else hangs on them. Services and the module may live on.
    ///
    /// The objects are found by reflection, over stored properties; what only a closure captures is not found by itself,
    /// but whatever it keeps alive is.
    public func expectDeallocated(sourceLocation: SourceLocation = #_sourceLocation) {
        let parts = ObjectGraph(of: window.scenes.compactMap(\.view)).subtracting(outliving)
        if parts.isEmpty {
            Issue.record("the scene is closed already: nothing is left to watch", sourceLocation: sourceLocation)
        }
        close()
        for type in parts.living {
            let how = "as in weak var view, or [weak self] in a closure that is kept"
            Issue.record(
                "\(type) is alive after its scene closed: make the reference back to it weak, \(how)",
                sourceLocation: sourceLocation)
        }
    }
}

/// Collects a window's steps.
@MainActor
private final class StepRecorder {
    var steps: [String] = []
}
