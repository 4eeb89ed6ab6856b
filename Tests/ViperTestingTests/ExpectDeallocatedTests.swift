import Synchronization
import TestSupport
import Testing
import ViperKit
import ViperTesting

private final class Texts: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// What ``TestScene/expectDeallocated(sourceLocation:)`` finds, and what it leaves alone.
@MainActor
struct ExpectDeallocatedTests {
    final class Cache: Sendable {}

    final class LeakyPresenter: Presenter {
        // The mistake under test: a strong reference back.
        var view: (any View)?
        let cache: Cache
        init(cache: Cache) { self.cache = cache }
    }

    final class LeakyView: View {
        let screen = Screen(title: "Leaky")
        let presenter: LeakyPresenter
        init(presenter: LeakyPresenter) { self.presenter = presenter }
    }

    final class Leaky: RoutedModule {
        let cache = Cache()
        init(services: any ServiceResolver) {}
        func view(for request: RouteRequest) throws -> any View {
            let presenter = LeakyPresenter(cache: cache)
            let view = LeakyView(presenter: presenter)
            if try request.parameter("leak", as: Bool.self) { presenter.view = view }
            return view
        }
    }

    private func scene(leaking: Bool) async throws -> TestScene {
        let folder = try ScratchFolder()
        let manifest = try folder.write(
            """
            {"name": "leaky", "version": "1.0.0", "library": "libLeaky.so", "sdk": "1.0",
             "routes": [{"name": "leaky", "summary": "Leaks", "parameters": [
               {"name": "leak", "type": "boolean", "summary": "Whether to leak"}]}]}
            """, to: "leaky.json")
        let host = try TestHost(ModuleEntry(Leaky.self), manifest: manifest) { _ in }
        return try await host.open("leaky", ["leak": .boolean(leaking)])
    }

    @Test("a strong reference back is found, with the types that it keeps alive, on the caller's line")
    func leak() async throws {
        let scene = try await scene(leaking: true)
        let texts = Texts()
        let line = #_sourceLocation.line + 2
        withKnownIssue {
            scene.expectDeallocated()
        } matching: { issue in
            texts.add(issue.comments.map(\.rawValue).joined())
            return issue.sourceLocation?.line == line
        }
        #expect(
            texts.all.sorted()
                == ["LeakyPresenter", "LeakyView"].map {
                    "\($0) is alive after its scene closed: make the reference back to it weak, "
                        + "as in weak var view, or [weak self] in a closure that is kept"
                })
    }

    @Test("a scene without a cycle is freed, and what its module keeps is left alone")
    func noLeak() async throws {
        try await scene(leaking: false).expectDeallocated()
    }

    @Test("a scene that is closed already proves nothing, and that is an issue")
    func closed() async throws {
        let scene = try await scene(leaking: false)
        scene.close()
        withKnownIssue { scene.expectDeallocated() }
    }
}
