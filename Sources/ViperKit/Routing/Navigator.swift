/// Navigates from one scene. Its wireframe holds it; nothing else in a module knows it.
///
/// Each scene has a navigator of its own, which refers to the scene weakly.
@MainActor
public protocol Navigator: AnyObject, Sendable {
    /// Closes the scene: its view is released, and with it every role that hangs on it. Closing twice is closing once.
    func close()
}
