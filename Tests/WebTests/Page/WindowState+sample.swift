import ViperKit

@testable import Web

extension WindowState {
    /// A window with one scene, or with the titles of scenes below it.
    init(_ screen: Screen, above titles: [String] = [], as transition: Transition = .push) {
        let below = titles.map { OpenScene(route: "menu", title: $0, transition: .push) }
        self.init(
            screen: screen, scenes: below + [OpenScene(route: "sample", title: screen.title, transition: transition)],
            error: nil)
    }
}

extension PageContext {
    static let sample = PageContext(
        window: 12, token: "t0ken", nonce: "12-1", address: "/sample?a=1&b=%20&_w=12.2", notice: nil)
}
