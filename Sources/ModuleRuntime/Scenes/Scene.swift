import ModuleCatalog
import Observation
package import ViperKit

/// An open route. A scene owns its view and, through the view, the module's other objects.
@MainActor
@Observable
package final class Scene {
    @ObservationIgnored package let route: String
    /// The current screen, or the last screen if the scene has closed.
    package var screen: Screen { content?.screen ?? lastScreen }
    package var isClosed: Bool { content == nil }

    /// The scene's view, which tests and checks inspect. Nil if the scene is closed or runs in another process.
    package var view: (any View)? { content?.view }
    /// The error that ended the scene, for example after its process exited. Nil if no error ended it.
    package var terminationError: ViperError? { content?.terminationError }
    private var content: (any SceneContent)?
    @ObservationIgnored private var lastScreen = Screen(title: "")
    @ObservationIgnored private let calls: CallCount
    /// The routes that open after this scene has closed with a result.
    @ObservationIgnored var next: [NextRoute] = []
    /// The parameters with which the scene was opened.
    @ObservationIgnored var parameters: [String: ParameterValue] = [:]
    /// Its module's resources. Nil if there are none in this process.
    @ObservationIgnored var resources: ModuleResources?
    /// The number of the scene in its window. 0 until the window shows it.
    @ObservationIgnored var number = 0
    @ObservationIgnored private var running = 0
    // A closure that is called when the scene is closed and all its calls have returned.
    @ObservationIgnored private var onRelease: (() -> Void)?

    init(_ route: String, _ content: any SceneContent, calls: CallCount, onRelease: @escaping () -> Void) {
        (self.route, self.content, self.calls, self.onRelease) = (route, content, calls, onRelease)
    }

    /// Starts the scene. Returns when the screen has settled.
    ///
    /// - Throws: An error if the scene runs in another process and is lost. A scene in this process never throws.
    package func load() async throws(ViperError) {
        guard let content else { return }
        try await perform { () async throws(ViperError) in try await content.load() }
    }

    /// Passes an event to the view. Returns when the screen has settled.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` if the event refers to an element that is not on the screen. In this
    ///   case, the view does not receive the event. Otherwise, the same errors as ``load()``.
    package func handle(_ event: Event) async throws(ViperError) {
        guard let content else { return }
        try await perform { () async throws(ViperError) in try await content.handle(event) }
    }

    /// Runs a call to the scene's content. If the scene closes during the call, it stays in use until the call returns,
    /// so that its module is not stopped.
    private func perform(_ work: () async throws(ViperError) -> Void) async throws(ViperError) {
        running += 1
        defer {
            running -= 1
            tellRelease()
        }
        try await calls.count(route, work)
    }

    private func tellRelease() {
        guard content == nil, running == 0 else { return }
        onRelease?()
        onRelease = nil
    }

    /// Returns a sequence of the current screen and each later screen, until the scene closes. Several consecutive
    /// changes may be combined into a single element.
    ///
    /// The view must be `@Observable`. Otherwise, the sequence contains only the first screen.
    package func screens() -> some AsyncSequence<Screen, Never> & Sendable {
        // Also observes `content`, so that the sequence ends when the scene closes.
        Observations.untilFinished { [weak self] in self?.content.map { .next($0.screen) } ?? .finish }
    }

    func release() {
        if content == nil { return }
        dropContent()
        tellRelease()
    }

    /// Closes the content and releases it. The module's code that runs then counts as part of the open scene.
    private func dropContent() {
        guard let content else { return }
        lastScreen = content.screen
        self.content = nil
        content.close()
    }
}
