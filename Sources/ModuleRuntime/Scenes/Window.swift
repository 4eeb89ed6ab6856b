import ModuleCatalog
import Observation
package import ViperKit

/// A stack of scenes. The user sees and uses only the topmost scene.
@MainActor
@Observable
package final class Window {
    /// The open scenes, from bottom to top.
    package var scenes: [Scene] { stack.map(\.scene) }
    /// The open scenes as a front end sees them, from bottom to top.
    package var openScenes: [OpenScene] {
        stack.map { place in
            let scene = place.scene
            var open = OpenScene(route: scene.route, title: scene.screen.title, transition: place.transition)
            (open.id, open.address) = (scene.number, RouteAddress.text(scene.route, scene.parameters))
            return open
        }
    }
    package var top: Scene? { stack.last?.scene }
    /// The top scene's screen, or the last screen if no scene is open.
    package var screen: Screen { top?.screen ?? lastScreen }
    /// The window's identity. See ``Navigator/identity``.
    @ObservationIgnored package let identity: String
    /// A closure for tests. It is called after each step with a description of the step, such as `push person id=3` or
    /// `pop person`.
    @ObservationIgnored package var onStep: ((String) -> Void)?

    @ObservationIgnored private let source: any SceneSource
    /// The delegate that navigates in place of this window. Nil if the window itself navigates.
    @ObservationIgnored private weak var outside: (any NavigationDelegate)?
    private var stack: [(scene: Scene, transition: Transition)] = []
    private var lastScreen = Screen(title: "")
    /// The error that ended the most recently closed scene. Nil if that scene was not lost, or if no scene has been
    /// closed.
    @ObservationIgnored package private(set) var lastLoss: ViperError?
    /// The number of the last scene.
    @ObservationIgnored private var lastScene = 0
    /// The number of routes that are being opened. It exceeds 1 if a scene opens another scene while it is loading.
    @ObservationIgnored private var opening = 0

    /// The maximum number of open scenes. This is more than a user needs, but small enough to fit into memory.
    private static let deepest = 32

    /// Creates an empty window.
    ///
    /// - Parameters:
    ///   - source: The source of the window's scenes.
    ///   - outside: The delegate that navigates in place of the window. Nil if the window itself navigates.
    ///   - identity: The window's identity.
    package init(source: any SceneSource, outside: (any NavigationDelegate)?, identity: String) {
        (self.source, self.outside, self.identity) = (source, outside, identity)
    }

    isolated deinit { closeAll() }

    /// Opens a route with parameters given as text, and closes all other scenes. Returns when the screen has settled.
    ///
    /// If the task is cancelled before the scene is created, the route is not opened and no error is thrown.
    ///
    /// - Parameters:
    ///   - route: The route's name. Further parameters may follow it, as in `person?id=58f9`.
    ///   - texts: The parameters by name. A parameter with an array type has one string for each item.
    /// - Throws: The same errors as ``Router/request(_:texts:)`` and ``Navigator/open(_:parameters:as:)``.
    package func open(_ route: String, texts: [String: [String]]) async throws(ViperError) {
        try await open(route, .texts(texts))
    }

    /// Opens a route with typed parameters, and closes all other scenes. Returns when the screen has settled.
    ///
    /// - Throws: The same errors as ``open(_:texts:)``.
    package func open(_ route: String, parameters: [String: ParameterValue]) async throws(ViperError) {
        try await open(route, .values(parameters))
    }

    package func open(_ route: String, _ parameters: UnvalidatedParameters) async throws(ViperError) {
        try await open(route, parameters, as: .replaceRoot, from: nil)
    }

    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition, from scene: Scene
    ) async throws(ViperError) {
        if let outside { return try await outside.open(route, parameters: parameters, as: transition) }
        try await open(route, .values(parameters), as: transition, from: scene)
    }

    private func open(
        _ route: String, _ parameters: UnvalidatedParameters, as transition: Transition, from asker: Scene?,
        before next: [NextRoute] = []
    ) async throws(ViperError) {
        try transition.check(route)
        try checkDepth(opening < Self.deepest, route)
        try checkDepth(of: transition, route)
        opening += 1
        defer { opening -= 1 }
        let (scene, complete) = try await make(route, parameters)
        // While the module was loading, the scene that requested the route may have been closed, or the task may have
        // been cancelled.
        if asker?.isClosed ?? Task.isCancelled { return scene.release() }
        // Other scenes may have been opened while the module was loading.
        do { try checkDepth(of: transition, route) } catch {
            scene.release()
            throw error
        }
        if transition == .replace, let asker, !scene.next.isEmpty, scene.route == asker.route {
            scene.release()
            throw ViperError(
                .routeRefused, operation: "cannot open route", subject: route,
                cause: "its guard leads to \(asker.route) again, which has just returned a result")
        }
        scene.next += next
        place(scene, as: transition, from: asker, complete)
        try await settle(scene) { () async throws(ViperError) in try await scene.load() }
    }

    private func checkDepth(of transition: Transition, _ route: String) throws(ViperError) {
        try checkDepth(
            transition == .replaceRoot || transition == .replace || stack.count < Self.deepest, route)
    }

    private func checkDepth(_ isInside: Bool, _ route: String) throws(ViperError) {
        if isInside { return }
        throw ViperError(
            .navigationTooDeep, operation: "cannot open route", subject: route,
            cause: "more than \(Self.deepest) scenes would be open, or would open each other",
            fix: "close scenes, or end the cycle in which scenes open each other")
    }

    private func place(
        _ scene: Scene, as transition: Transition, from asker: Scene?, _ parameters: [String: ParameterValue]
    ) {
        var transition = transition
        if transition == .replaceRoot { closeAll() }
        if transition == .replace, let asker, let index = stack.firstIndex(where: { $0.scene === asker }) {
            transition = stack[index].transition
            release(from: index)
        }
        lastScene += 1
        scene.number = lastScene
        stack.append((scene, transition))
        let parameters = parameters.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.text)" }
        onStep?("\(transition.rawValue) \(scene.route)\(parameters.joined())")
    }

    /// Opens a route without starting its scene, and closes all other scenes.
    package func assemble(_ route: String, _ parameters: UnvalidatedParameters) async throws(ViperError) -> Scene {
        let (scene, complete) = try await make(route, parameters)
        place(scene, as: .replaceRoot, from: nil, complete)
        return scene
    }

    private func make(
        _ route: String, _ parameters: UnvalidatedParameters
    ) async throws(ViperError) -> (Scene, [String: ParameterValue]) {
        let (navigator, address) = (SceneNavigator(window: self), try RouteAddress(route))
        let opened = try await source.open(address.route, parameters.adding(address), navigator: navigator)
        let scene = Scene(opened.route, opened.content, calls: opened.calls, onRelease: opened.onRelease)
        (scene.next, scene.parameters, scene.resources) = (opened.next, opened.parameters, opened.resources)
        navigator.scene = scene
        if let error = navigator.revocation {
            scene.release()
            throw error
        }
        return (scene, opened.parameters)
    }

    /// Runs a call to a scene. If the scene was lost, removes it from the window.
    private func settle(_ scene: Scene, _ work: () async throws(ViperError) -> Void) async throws(ViperError) {
        do { try await work() } catch {
            if scene.terminationError != nil {
                remove(scene)
                removeLost()
                // This error is more specific than the scene's own error. It may name the signal that ended the
                // process.
                lastLoss = error
            }
            throw error
        }
    }

    /// Passes an event to the topmost scene. Returns when the screen has settled.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` if the event refers to an element that is not on the screen, or if no
    ///   scene is open.
    package func handle(_ event: Event) async throws(ViperError) {
        guard let top else {
            throw ViperError(
                .eventUnknown, operation: "cannot use screen", subject: lastScreen.title, cause: "it is closed")
        }
        try await settle(top) { () async throws(ViperError) in try await top.handle(event) }
    }

    /// Closes a scene at the request of the scene's wireframe. If a guard led to the scene and it has a result, opens
    /// the route that the guard watches in its place.
    func leave(_ scene: Scene, returning result: SceneResult?) async throws(ViperError) {
        if result != nil, let next = scene.next.first {
            if let outside { return try await outside.open(next.route, parameters: next.parameters, as: .replace) }
            return try await open(
                next.route, .values(next.parameters), as: .replace, from: scene, before: Array(scene.next.dropFirst()))
        }
        if let outside { return try await outside.close(returning: result) }
        await close(scene, returning: result)
    }

    /// Closes a scene and all scenes above it. The scene below them receives the result.
    ///
    /// Does nothing if the scene is not open.
    package func close(_ scene: Scene, returning result: SceneResult?) async {
        guard remove(scene), let result else { return }
        // The event refers to no element on the screen, so the scene below cannot refuse it.
        try? await top?.handle(.returned(from: scene.route, result: result))
    }

    /// The topmost scene if it was lost. Nil otherwise.
    package var lostScene: Scene? { top.flatMap { $0.terminationError == nil ? nil : $0 } }

    /// Closes a scene and all scenes above it because of an error. The scene below receives no event.
    func end(_ scene: Scene, because error: ViperError) {
        if remove(scene) { lastLoss = error }
    }

    /// Closes the topmost scene at the request of the user. The scene below receives no event.
    package func goBack() { if let top { remove(top) } }

    /// Closes lost scenes from the top of the stack. When a process or connection ends, all its scenes are lost at the
    /// same time.
    ///
    /// - Returns: True if a scene was closed.
    @discardableResult
    package func removeLost() -> Bool {
        guard let lostScene else { return false }
        remove(lostScene)
        removeLost()
        return true
    }

    /// Closes a scene and all scenes above it. The scene below them receives no event.
    ///
    /// - Returns: True if the scene was open.
    @discardableResult
    package func remove(_ scene: Scene) -> Bool {
        guard let index = stack.firstIndex(where: { $0.scene === scene }) else { return false }
        release(from: index)
        return true
    }

    /// Returns a sequence of the current screen and each later screen, for as long as the window exists. Several
    /// consecutive changes may be combined into a single element.
    ///
    /// A change to a view that is not `@Observable` appears together with the next observed change.
    package func screens() -> some AsyncSequence<Screen, Never> & Sendable {
        Observations.untilFinished { [weak self] in self.map { .next($0.screen) } ?? .finish }
    }

    /// Closes all scenes. No scene receives an event.
    package func closeAll() { release(from: 0) }

    private func release(from index: Int) {
        // Only the top scene was visible, so its screen becomes the last screen.
        if let top { (lastScreen, lastLoss) = (top.screen, top.terminationError) }
        while stack.count > index {
            let (scene, transition) = stack.removeLast()
            scene.release()
            onStep?("\(transition == .present ? "dismiss" : "pop") \(scene.route)")
        }
    }
}
