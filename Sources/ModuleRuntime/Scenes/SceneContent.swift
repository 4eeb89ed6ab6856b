@_spi(Host) package import ViperKit

/// The content of a scene: the view of a module in this process, or a scene in another process.
@MainActor
package protocol SceneContent: AnyObject {
    var screen: Screen { get }
    /// The scene's view, which tests and checks inspect. Nil if the scene is in another process.
    var view: (any View)? { get }
    /// The error that ended the scene, for example after its process exited. Nil if no error ended it.
    var terminationError: ViperError? { get }
    /// Starts the scene. Returns when the screen has settled.
    func load() async throws(ViperError)
    /// Passes an event to the view. Returns when the screen has settled.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` if the event refers to an element that is not on the screen. The
    ///   process that has the view decides this, because only there the screen cannot change in between.
    func handle(_ event: Event) async throws(ViperError)
    /// Ends the tasks of the scene, or releases it if it is in another process. No other method is called afterwards.
    func close()
}

/// A view of a module in this process.
package final class ViewContent: SceneContent {
    package let view: (any View)?
    private let shown: any View
    private let lifetime = SceneLifetime()

    package init(_ view: any View) { (self.view, shown) = (view, view) }

    package var screen: Screen { shown.screen }
    package var terminationError: ViperError? { nil }
    package func load() async { await SceneLifetime.$current.withValue(lifetime) { await shown.load() } }
    package func handle(_ event: Event) async throws(ViperError) {
        try shown.screen.check(event)
        await SceneLifetime.$current.withValue(lifetime) { await shown.handle(event) }
    }
    package func close() { lifetime.end() }
}
