public import Observation
public import ViperKit

/// An opened route. Owns the view, and with it everything that the module assembled for it.
@MainActor
@Observable
public final class Scene {
    /// The route's name.
    @ObservationIgnored public let route: String
    /// What the view shows; after closing, what it showed last.
    public var screen: Screen { view?.screen ?? lastScreen }
    /// Whether the scene was closed.
    public var isClosed: Bool { view == nil }

    /// The view, for tests that look at what a scene consists of. Nil once the scene is closed.
    package private(set) var view: (any View)?
    @ObservationIgnored private var lastScreen = Screen(title: "")
    @ObservationIgnored private var module: ActiveModule?

    /// - Throws: ``ViperError/Code/moduleFailed`` when the module cannot assemble the scene.
    init(
        opening route: String, with parameters: [String: ParameterValue], in module: ActiveModule, of window: Window
    ) throws(ViperError) {
        (self.route, self.module) = (route, module)
        let navigator = SceneNavigator(window: window)
        view = try module.view(for: RouteRequest(route: route, parameters: parameters, navigator: navigator))
        navigator.scene = self
        module.sceneOpened()
    }

    /// Begins the scene's work; returns when the screen is settled.
    public func load() async { await view?.viewDidLoad() }

    /// Hands an event to the view; returns when the screen is settled.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` when the screen has nothing of that name; the view then hears nothing.
    public func handle(_ event: Event) async throws(ViperError) {
        try screen.check(event)
        await view?.handle(event)
    }

    /// The screen now and after each change of it, until the scene closes. Changes made in one go are one screen.
    ///
    /// The view has to be `@Observable`; of another one only the first screen comes.
    public func screens() -> some AsyncSequence<Screen, Never> & Sendable {
        // The scene's own view is observed too: that it goes is the end, whether or not the screen changed before.
        Observations.untilFinished { [weak self] in self?.view.map { .next($0.screen) } ?? .finish }
    }

    /// Releases the view. The window takes the scene off its stack.
    func release() {
        guard let view else { return }
        lastScreen = view.screen
        self.view = nil
        module?.sceneClosed()
        module = nil
    }
}
