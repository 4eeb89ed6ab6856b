import ModuleRuntime
public import Testing
public import ViperKit

/// A scene under test, including the scenes that are opened from it. The topmost scene handles all events.
@MainActor
public final class TestScene {
    private let window: Window
    private let scene: Scene
    private let outliving: ObjectGraph
    private let recorder = StepRecorder()

    init(
        opening route: String, _ parameters: [String: ParameterValue], in scenes: TestScenes, outliving: ObjectGraph
    ) async throws(ViperError) {
        window = Window(source: scenes, outside: nil, identity: "")
        window.onStep = { [recorder] step in recorder.steps.append(step) }
        scene = try await window.assemble(route, .values(parameters))
        self.outliving = outliving
    }

    /// The screen of the topmost scene, or the last screen if all scenes are closed.
    public var screen: Screen { window.screen }

    /// The screen as `host run` shows it, without colour.
    public var text: String { TextRenderer(style: TextStyle(isColoured: false)).render(screen) }

    /// All navigation steps in order, such as `push person id=3` or `pop person`. The first step opens this scene, such
    /// as `replace-root list`.
    public var steps: [String] { recorder.steps }

    /// A Boolean value that indicates whether the first scene is closed.
    public var isClosed: Bool { scene.isClosed }

    /// Starts the work of a scene that ``TestHost/assemble(_:_:)`` returned. Returns when its screen is settled.
    public func load() async {
        // Loading fails only for a scene in another process.
        try? await scene.load()
    }

    /// Returns a sequence of the first scene's current screen and each later screen, until the scene closes. Several
    /// consecutive changes may be combined into a single element.
    ///
    /// The view must be `@Observable`. Otherwise, the sequence contains only the first screen.
    public func screens() -> some AsyncSequence<Screen, Never> & Sendable { scene.screens() }

    /// Enters text into a field. Returns when the screen is settled.
    ///
    /// - Throws: A ``ViperError`` with the code `event-unknown` if the screen has no such field.
    public func fill(_ field: String, _ text: String) async throws(ViperError) {
        try await window.handle(.fill(field: field, text: text))
    }

    /// Presses an action. Returns when the screen is settled.
    ///
    /// - Throws: A ``ViperError`` with the code `event-unknown` if the screen has no such action.
    public func press(_ action: String) async throws(ViperError) {
        try await window.handle(.press(action: action))
    }

    /// Selects a row. Returns when the screen is settled.
    ///
    /// - Throws: A ``ViperError`` with the code `event-unknown` if the screen has no such row.
    public func select(_ row: String) async throws(ViperError) {
        try await window.handle(.select(row: row))
    }

    /// Presses an action of a row. Returns when the screen is settled.
    ///
    /// - Throws: A ``ViperError`` with the code `event-unknown` if the screen has no such row, or the row no such action.
    public func act(_ action: String, onRow row: String) async throws(ViperError) {
        try await window.handle(.act(row: row, action: action))
    }

    /// Closes this scene and all scenes opened from it.
    public func close() { window.closeAll() }

    /// Closes all scenes, and records an issue for each object of a scene that is not deallocated, such as a view,
    /// presenter, interactor, or wireframe. The services and the module may stay alive.
    ///
    /// Waits for at most five seconds, because a task that is cancelled when its scene closes keeps its objects alive
    /// until its current step ends.
    ///
    /// Objects are found by reflection over stored properties. Reflection cannot find an object that only a closure
    /// captures. If such an object keeps a found object alive, this method reports the found object.
    public func expectDeallocated(sourceLocation: SourceLocation = #_sourceLocation) async {
        let parts = ObjectGraph(of: window.scenes.compactMap(\.view)).subtracting(outliving)
        if parts.isEmpty {
            Issue.record("the scene is already closed: no object is left to watch", sourceLocation: sourceLocation)
        }
        close()
        for type in await parts.survivors() {
            let how = "as in weak var view, or [weak self] in a stored closure"
            Issue.record(
                "\(type) is still alive after its scene was closed: make the reference back to it weak, \(how)",
                sourceLocation: sourceLocation)
        }
    }
}

@MainActor
private final class StepRecorder {
    var steps: [String] = []
}
