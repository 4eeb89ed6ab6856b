/// The host's windows, for front ends: modules that show scenes to people, and pass on what people do.
///
/// ```swift
/// let window = try await windows.open("people", for: session)
/// for await state in window.states() { show(state.screen) }
/// ```
///
/// The host owns the windows. A front end that is replaced leaves them open, and the new one takes them up again by
/// their ids. A window that nobody holds is closed after ten seconds.
public protocol Windows: Sendable {
    /// Opens a route in a new window. Returns when the screen has settled.
    ///
    /// - Parameters:
    ///   - route: The route's name. Parameters may follow it as in a URI, such as `person?id=58f9`, with
    ///     percent-encoding (RFC 3986). Empty for the start route.
    ///   - identity: The window's identity, which tells users apart. It is a text that the front end chooses, such as
    ///     the ID of a browser's session.
    /// - Throws: The errors of ``Navigator/open(_:parameters:as:)``, or `limit-reached` if 10,000 windows are open, or
    ///   5,000 of this module.
    func open(_ route: String, for identity: String) async throws(ViperError) -> any OpenWindow

    /// Returns an open window, which another front end or an earlier version of this one may have opened.
    ///
    /// - Parameters:
    ///   - id: The window's ``OpenWindow/id``.
    ///   - identity: The window's identity.
    /// - Throws: `scene-unknown` if the window is closed, or has another identity.
    func take(_ id: Int, of identity: String) async throws(ViperError) -> any OpenWindow
}

extension ServiceKey where Service == any Windows {
    /// The windows, named `windows` in manifests. The host provides this service.
    public static var windows: Self { Self("windows") }
}

/// A window that a front end holds. The window stays open for as long as somebody holds it.
public protocol OpenWindow: AnyObject, Sendable {
    /// The number by which the window can be taken up again. It is not reused while the host runs.
    var id: Int { get }
    /// The window's identity.
    var identity: String { get }

    /// Returns the current state.
    func state() async -> WindowState

    /// Returns a sequence of the current state and each later state. Several consecutive changes may be combined into
    /// one element. The last element is closed.
    func states() -> AsyncStream<WindowState>

    /// Opens a route in place of all scenes of the window. Returns when the screen has settled.
    ///
    /// - Throws: The errors of ``Navigator/open(_:parameters:as:)``. The window then shows what it showed before.
    func open(_ route: String) async throws(ViperError)

    /// Passes an event to the topmost scene. Returns when the screen has settled.
    ///
    /// - Throws: `event-unknown` if the event refers to an element that is not on the screen, or an
    ///   error if the scene is lost.
    func send(_ event: Event) async throws(ViperError)

    /// Closes the topmost scene. Closing the last scene closes the window.
    func goBack() async

    /// Closes the window and all its scenes.
    func close() async

    /// Returns an image of the topmost scene's module, such as the one that ``Screen/Image/path`` names. It is read from
    /// the module's resources, not from the folders of `--data`. Its content is not checked.
    ///
    /// - Parameter path: The image's path in the module's resources.
    /// - Throws: `file-missing` if there is no such file, or no scene; `file-denied` if the path leads out of the resources;
    ///   `file-unreadable` if the file is larger than 4 MiB. The default implementation throws `file-missing`.
    func image(at path: String) async throws(ViperError) -> [UInt8]
}

extension OpenWindow {
    public func image(at path: String) async throws(ViperError) -> [UInt8] {
        throw ViperError(
            .fileMissing, operation: "cannot read image", subject: path, cause: "this window does not provide images")
    }
}

/// The state of a window.
public struct WindowState: Sendable, Equatable {
    /// The topmost scene's screen, or the last screen of a closed window.
    public var screen: Screen
    /// The open scenes, from bottom to top. Empty if the window is closed.
    public var scenes: [OpenScene]
    /// The error that ended the topmost scene of a closed window. Nil if none did.
    public var error: ViperError?

    /// True if the window is closed.
    public var isClosed: Bool { scenes.isEmpty }

    /// Creates a state for a test.
    public init(screen: Screen, scenes: [OpenScene], error: ViperError?) {
        (self.screen, self.scenes, self.error) = (screen, scenes, error)
    }
}

/// A scene in a window.
public struct OpenScene: Sendable, Equatable {
    /// The route's name.
    public var route: String
    /// The title of the scene's screen.
    public var title: String
    /// The way in which the scene was opened.
    public var transition: Transition
    /// A number that tells the scenes of a window apart. A scene that opens later has a greater number.
    public var id = 0
    /// The route with the scene's parameters, by which the same can be opened again, such as `person?id=58f9`.
    public var address: String

    /// Creates a scene for a test. Its number is 0, and its address is the route.
    public init(route: String, title: String, transition: Transition) {
        (self.route, self.title, self.transition, address) = (route, title, transition, route)
    }
}
