package import ViperKit

/// What a scene consists of: the view of a module in this process, or a scene of another host.
@MainActor
package protocol SceneContent: AnyObject {
    /// What it shows now.
    var screen: Screen { get }
    /// The view, when it is in this process; for tests that look at what a scene consists of.
    var view: (any View)? { get }
    /// Why nothing can come of it any more, when its process has ended.
    var loss: ViperError? { get }
    /// Begins its work; returns when the screen is settled.
    func load() async throws(ViperError)
    /// Hands it an event; returns when the screen is settled.
    func handle(_ event: Event) async throws(ViperError)
    /// Releases what it holds elsewhere. Nothing is asked of it afterwards.
    func close()
}

/// The view of a module in this process.
final class ViewContent: SceneContent {
    let view: (any View)?
    private let shown: any View

    init(_ view: any View) { (self.view, shown) = (view, view) }

    var screen: Screen { shown.screen }
    var loss: ViperError? { nil }
    func load() async { await shown.viewDidLoad() }
    func handle(_ event: Event) async { await shown.handle(event) }
    func close() {}
}
