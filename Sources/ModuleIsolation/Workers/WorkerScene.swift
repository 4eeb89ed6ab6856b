import ModuleRuntime
import ViperKit

/// A scene in a worker. If the worker exits, calls fail with ``ViperError/Code/workerCrashed`` or
/// ``ViperError/Code/workerKilled``.
@MainActor
final class WorkerScene: SceneContent {
    private let scene: RemoteScene
    private let worker: Worker

    init(_ scene: RemoteScene, of worker: Worker) { (self.scene, self.worker) = (scene, worker) }

    var screen: Screen { scene.screen }
    var view: (any View)? { nil }
    var terminationError: ViperError? { scene.terminationError }

    func load() async throws(ViperError) {
        try await worker.inside(orAtOnce: true) { () async throws(ViperError) in try await scene.load() }
    }

    func handle(_ event: Event) async throws(ViperError) {
        try await worker.inside(orAtOnce: true) { () async throws(ViperError) in try await scene.handle(event) }
    }

    func close() { scene.close() }
}
