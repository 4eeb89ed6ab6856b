import HostSystem
import ModuleCatalog
public import Observation
public import ViperKit

/// Scenes that lie on each other. A person sees and acts on the topmost.
@MainActor
@Observable
public final class Window {
    /// The open scenes, from the bottom up.
    public var scenes: [Scene] { stack.map(\.scene) }
    /// What a person sees. Nil when nothing is open.
    public var top: Scene? { stack.last?.scene }
    /// What the window shows: the top scene's screen; when nothing is open, what was shown last.
    public var screen: Screen { top?.screen ?? lastScreen }
    /// Hears of every step right after it happened, as `push person id=3` or `pop person`; for tests.
    @ObservationIgnored package var onStep: ((String) -> Void)?

    @ObservationIgnored private let source: any SceneSource
    /// Who navigates in this window's place, if somebody does.
    @ObservationIgnored private weak var outside: (any OutsideNavigation)?
    private var stack: [(scene: Scene, transition: Transition)] = []
    private var lastScreen = Screen(title: "")
    /// Why the scene that was closed last was lost. Nil if nothing was closed, or that scene was not lost.
    @ObservationIgnored package private(set) var lastLoss: ViperError?
    /// Opens that wait for a scene to settle. They nest when a scene opens another while it loads.
    @ObservationIgnored private var opening = 0

    /// Far above what a person can keep in mind, far below what memory can take.
    private static let deepest = 32

    /// A window with nothing in it.
    ///
    /// - Parameters:
    ///   - source: Where its scenes come from.
    ///   - outside: Who navigates when a scene asks for it. Without one the window itself does.
    package init(source: any SceneSource, outside: (any OutsideNavigation)?) {
        (self.source, self.outside) = (source, outside)
    }

    isolated deinit { closeAll() }

    /// Opens a route with parameters as a person types them, in place of all scenes; returns when its screen is settled.
    ///
    /// When the task is cancelled before there is a scene, none is opened.
    ///
    /// - Throws: As ``Router/request(_:texts:)`` and ``Navigator/open(_:parameters:as:)``.
    public func open(_ route: String, texts: [String: String]) async throws(ViperError) {
        try await open(route, .texts(texts))
    }

    /// Opens a route with typed parameters, in place of all scenes; returns when its screen is settled.
    ///
    /// - Throws: As ``open(_:texts:)``.
    public func open(_ route: String, parameters: [String: ParameterValue]) async throws(ViperError) {
        try await open(route, .values(parameters))
    }

    /// Opens a route in place of all scenes; returns when its screen is settled.
    ///
    /// - Throws: As ``open(_:texts:)``.
    package func open(_ route: String, _ parameters: GivenParameters) async throws(ViperError) {
        try await open(route, parameters, as: .replaceRoot, from: nil)
    }

    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition, from scene: Scene
    ) async throws(ViperError) {
        if let outside { return try await outside.open(route, parameters: parameters, as: transition) }
        try await open(route, .values(parameters), as: transition, from: scene)
    }

    private func open(
        _ route: String, _ parameters: GivenParameters, as transition: Transition, from asker: Scene?
    ) async throws(ViperError) {
        try checkDepth(opening < Self.deepest, route)
        try checkDepth(of: transition, route)
        opening += 1
        defer { opening -= 1 }
        let (scene, complete) = try await make(route, parameters)
        // While the module was loading, the scene that asked may have been closed, or whoever asked may have left.
        if asker?.isClosed ?? Task.isCancelled { return scene.release() }
        // Meanwhile others may have been opened as well.
        do { try checkDepth(of: transition, route) } catch {
            scene.release()
            throw error
        }
        place(scene, as: transition, complete)
        try await settle(scene) { () async throws(ViperError) in try await scene.load() }
    }

    private func checkDepth(of transition: Transition, _ route: String) throws(ViperError) {
        try checkDepth(transition == .replaceRoot || stack.count < Self.deepest, route)
    }

    private func checkDepth(_ isInside: Bool, _ route: String) throws(ViperError) {
        if isInside { return }
        throw ViperError(
            .navigationDepth, "cannot open route", route,
            cause: "more than \(Self.deepest) scenes would lie on each other or open each other",
            mend: "close scenes, or let one of them not open the next by itself")
    }

    private func place(_ scene: Scene, as transition: Transition, _ parameters: [String: ParameterValue]) {
        if transition == .replaceRoot { closeAll() }
        stack.append((scene, transition))
        let parameters = parameters.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.text)" }
        onStep?("\(transition.rawValue) \(scene.route)\(parameters.joined())")
    }

    /// Opens a route in place of all scenes without beginning the new scene's work.
    package func assemble(_ route: String, _ parameters: GivenParameters) async throws(ViperError) -> Scene {
        let (scene, complete) = try await make(route, parameters)
        place(scene, as: .replaceRoot, complete)
        return scene
    }

    /// Makes a scene that is not on the stack yet.
    private func make(
        _ route: String, _ parameters: GivenParameters
    ) async throws(ViperError) -> (Scene, [String: ParameterValue]) {
        let navigator = SceneNavigator(window: self)
        let opened = try await source.open(route, parameters, navigator: navigator)
        let scene = Scene(route, opened.content, calls: opened.calls, onRelease: opened.onRelease)
        navigator.scene = scene
        return (scene, opened.parameters)
    }

    /// Lets a scene do something. One that is lost over it leaves the window.
    private func settle(_ scene: Scene, _ work: () async throws(ViperError) -> Void) async throws(ViperError) {
        do { try await work() } catch {
            if scene.loss != nil {
                remove(scene)
                removeLost()
                // It tells more than the scene itself knows, such as the signal that ended its process.
                lastLoss = error
            }
            throw error
        }
    }

    /// Hands an event to the topmost scene; returns when the screen is settled.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` when the screen has nothing of that name, or nothing is open.
    public func handle(_ event: Event) async throws(ViperError) {
        guard let top else {
            throw ViperError(.eventUnknown, "cannot act on", lastScreen.title, cause: "the screen has been closed")
        }
        try await settle(top) { () async throws(ViperError) in try await top.handle(event) }
    }

    /// Closes a scene because its wireframe asks for it.
    func leave(_ scene: Scene, returning result: SceneResult?) async throws(ViperError) {
        if let outside { return try await outside.close(returning: result) }
        await close(scene, returning: result)
    }

    /// Closes a scene and those above it; the one below hears the result.
    ///
    /// Does nothing when the scene is not open.
    public func close(_ scene: Scene, returning result: SceneResult?) async {
        guard remove(scene), let result else { return }
        // The scene below checks no name for this event, so it cannot refuse it.
        try? await top?.handle(.returned(from: scene.route, result: result))
    }

    /// The scene that is shown, when nothing comes of it any more.
    package var lostScene: Scene? { top.flatMap { $0.loss == nil ? nil : $0 } }

    /// Closes the topmost scene as long as it is lost: what ends a process or a connection ends all scenes of it.
    ///
    /// - Returns: Whether one was closed.
    @discardableResult
    package func removeLost() -> Bool {
        guard let lostScene else { return false }
        remove(lostScene)
        removeLost()
        return true
    }

    /// Closes a scene and those above it. None hears of it.
    ///
    /// - Returns: Whether it was open.
    @discardableResult
    package func remove(_ scene: Scene) -> Bool {
        guard let index = stack.firstIndex(where: { $0.scene === scene }) else { return false }
        release(from: index)
        return true
    }

    /// What the window shows, now and after each change of it, as long as there is a window. Changes made in one go are one screen.
    ///
    /// Of a view that is not `@Observable` a change shows when something else changes.
    public func screens() -> some AsyncSequence<Screen, Never> & Sendable {
        Observations.untilFinished { [weak self] in self.map { .next($0.screen) } ?? .finish }
    }

    /// Closes every scene. None hears of it.
    public func closeAll() { release(from: 0) }

    private func release(from index: Int) {
        // What lies below comes to nobody's sight on the way.
        if let top { (lastScreen, lastLoss) = (top.screen, top.loss) }
        while stack.count > index {
            let (scene, transition) = stack.removeLast()
            scene.release()
            onStep?("\(transition == .present ? "dismiss" : "pop") \(scene.route)")
        }
    }
}
