import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@MainActor
@Suite(.fewAtOnce)
struct ExpectDeallocatedTests {
    @Test("expectDeallocated reports each object of a reference cycle on the caller's line")
    func leak() async throws {
        let issues = try await Mistake.leak.issues()
        #expect(
            issues.map(\.text).sorted()
                == ["LeakyPresenter", "LeakyView"].map {
                    "\($0) is still alive after its scene was closed: make the reference back to it weak, "
                        + "as in weak var view, or [weak self] in a stored closure"
                })
        #expect(issues.allSatisfy { $0.line.contains("Leaky.scene(leaking: true).expectDeallocated()") }, "\(issues)")
    }

    @Test("expectDeallocated accepts a freed scene and ignores objects that the module keeps")
    func noLeak() async throws {
        try await Leaky.scene(leaking: false).expectDeallocated()
    }

    @Test("expectDeallocated waits until a task ends that still uses the presenter")
    func busy() async throws {
        await (try await Leaky.scene(leaking: false, busy: true)).expectDeallocated()
    }

    @Test("expectDeallocated reports an issue if the scene is already closed")
    func closed() async throws {
        let issues = try await Mistake.closedScene.issues()
        #expect(issues.map(\.text) == ["the scene is already closed: no object is left to watch"])
    }
}

private final class Cache: Sendable {}

private final class LeakyPresenter: Presenter {
    // The mistake under test: a strong reference back.
    var view: (any View)?
    let cache: Cache
    private let isBusy: Bool
    init(cache: Cache, isBusy: Bool) { (self.cache, self.isBusy) = (cache, isBusy) }

    func load() async {
        guard isBusy else { return }
        Task {
            for _ in 0..<20 { await Task.yield() }
            withExtendedLifetime(self) {}
        }
    }
}

private final class LeakyView: View {
    let screen = Screen(title: "Leaky")
    let presenter: LeakyPresenter
    init(presenter: LeakyPresenter) { self.presenter = presenter }
    func load() async { await presenter.load() }
}

/// A module whose scene leaks if the route's parameter `leak` is true. If `busy` is true, a task keeps the presenter for
/// a while.
final class Leaky: Module {
    private let cache = Cache()
    init(services: any ServiceResolver) {}
    static func register(with registrar: Registrar<Leaky>) {
        registrar.route("leaky") { module, request in try module.view(for: request) }
    }

    func view(for request: RouteRequest) throws -> any View {
        let presenter = LeakyPresenter(cache: cache, isBusy: try request.parameter("busy", as: Bool.self))
        let view = LeakyView(presenter: presenter)
        if try request.parameter("leak", as: Bool.self) { presenter.view = view }
        return view
    }

    static func scene(leaking: Bool, busy: Bool = false) async throws -> TestScene {
        let folder = try ScratchFolder()
        let manifest = try folder.write(
            """
            {"name": "leaky", "version": "1.0.0", "library": "libLeaky.so", "sdk": "1.0",
             "routes": [{"name": "leaky", "summary": "Leaks", "parameters": [
               {"name": "leak", "type": "boolean", "summary": "Whether to leak"},
               {"name": "busy", "type": "boolean", "summary": "Whether a task uses the presenter"}]}]}
            """, to: "leaky.json")
        let host = try TestHost(Leaky.self, manifest: manifest) { _ in }
        return try await host.open("leaky", ["leak": .boolean(leaking), "busy": .boolean(busy)])
    }
}
