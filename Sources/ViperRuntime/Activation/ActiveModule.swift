import ViperKit

/// A module that was made, and what hangs on it.
@MainActor
final class ActiveModule {
    let name: String
    private let instance: ModuleEntry.Instance
    private var openScenes = 0
    private var isEnding = false
    private var isStopped = false
    private var waitingForScenes: [CheckedContinuation<Void, Never>] = []

    /// Makes the module.
    init(_ manifest: Manifest, entry: ModuleEntry, services: ModuleServices) throws(ViperError) {
        name = manifest.name
        do {
            instance = try entry.make(services)
        } catch {
            throw Self.failure("cannot make module", name, error)
        }
    }

    /// Takes the services that the module provides.
    func registerServices(with registrar: ModuleRegistrar) throws(ViperError) {
        guard let provider = instance.service else { return }
        do {
            try provider.registerServices(with: registrar)
            try registrar.checkCompleteness()
        } catch {
            throw Self.failure("cannot wire module", name, error)
        }
    }

    var module: any Module { instance.module }

    func view(for request: RouteRequest) throws(ViperError) -> any View {
        // Whoever found the module just before it retired comes too late.
        if isEnding {
            throw ViperError(
                .moduleRetired, "cannot open route", request.route, cause: "the module \"\(name)\" has ended")
        }
        guard let routed = instance.routed else {
            throw ViperError(
                .moduleFailed, "cannot open route", request.route, cause: "the module \"\(name)\" answers no routes")
        }
        do {
            return try routed.view(for: request)
        } catch {
            var failure = Self.failure("cannot open route", request.route, error)
            if !(error is ViperError) {
                failure.mend =
                    "let view(for:) of \"\(name)\" answer this route, or remove it from the manifest's \"routes\""
            }
            throw failure
        }
    }

    func sceneOpened() { openScenes += 1 }

    func sceneClosed() {
        openScenes -= 1
        guard openScenes == 0 else { return }
        waitingForScenes.forEach { $0.resume() }
        waitingForScenes = []
    }

    /// Stops the module, once, after its last scene has closed. From now on it opens no scene.
    func stop() async {
        isEnding = true
        if openScenes > 0 { await withCheckedContinuation { waitingForScenes.append($0) } }
        guard !isStopped else { return }
        isStopped = true
        await instance.module.stop()
    }

    /// What a module threw, as the host's error. An error of ViperKit keeps its evidence and its mend.
    private static func failure(_ what: String, _ subject: String, _ error: any Error) -> ViperError {
        let inner = error as? ViperError
        return ViperError(
            .moduleFailed, what, subject, cause: inner?.summary ?? "it threw \(error)", notes: inner?.notes ?? [],
            mend: inner?.mend)
    }
}
