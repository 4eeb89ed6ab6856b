public import Observation
public import ViperKit

/// An opened route. Owns the view, and with it everything that the module assembled for it.
@MainActor
@Observable
public final class Scene {
    /// The route's name.
    @ObservationIgnored public let route: String
    /// What the scene shows; after closing, what it showed last.
    public var screen: Screen { content?.screen ?? lastScreen }
    /// Whether the scene was closed.
    public var isClosed: Bool { content == nil }

    /// The view, for tests that look at what a scene consists of. Nil once the scene is closed, and of a scene elsewhere.
    package var view: (any View)? { content?.view }
    /// Why nothing can come of the scene any more.
    package var loss: ViperError? { content?.loss }
    private var content: (any SceneContent)?
    @ObservationIgnored private var lastScreen = Screen(title: "")
    @ObservationIgnored private let calls: CallCount
    @ObservationIgnored private var running = 0
    // Told when the scene is closed, and nothing is being done in it any more.
    @ObservationIgnored private var onRelease: (() -> Void)?

    init(_ route: String, _ content: any SceneContent, calls: CallCount, onRelease: @escaping () -> Void) {
        (self.route, self.content, self.calls, self.onRelease) = (route, content, calls, onRelease)
    }

    /// Begins the scene's work; returns when the screen is settled.
    ///
    /// - Throws: Why a scene in another process was lost. One in this process throws nothing.
    public func load() async throws(ViperError) {
        guard let content else { return }
        try await perform { () async throws(ViperError) in try await content.load() }
    }

    /// Hands an event to the view; returns when the screen is settled.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` when the screen has nothing of that name; the view then hears nothing. Or as
    ///   ``load()``.
    public func handle(_ event: Event) async throws(ViperError) {
        try screen.check(event)
        guard let content else { return }
        try await perform { () async throws(ViperError) in try await content.handle(event) }
    }

    /// A scene that closes while it does something is in use until that is done: its module shall not end under it.
    private func perform(_ work: () async throws(ViperError) -> Void) async throws(ViperError) {
        running += 1
        defer {
            running -= 1
            tellRelease()
        }
        try await calls.count(work)
    }

    private func tellRelease() {
        guard content == nil, running == 0 else { return }
        onRelease?()
        onRelease = nil
    }

    /// The screen now and after each change of it, until the scene closes. Changes made in one go are one screen.
    ///
    /// The view has to be `@Observable`; of another one only the first screen comes.
    public func screens() -> some AsyncSequence<Screen, Never> & Sendable {
        // The scene's own content is observed too: that it goes is the end, whether or not the screen changed before.
        Observations.untilFinished { [weak self] in self?.content.map { .next($0.screen) } ?? .finish }
    }

    /// Releases the view. The window takes the scene off its stack.
    func release() {
        guard let content else { return }
        lastScreen = content.screen
        self.content = nil
        content.close()
        tellRelease()
    }
}
