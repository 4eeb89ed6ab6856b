import ViperKit

/// A module for the template's scene. `host new --scene` adds the line in `register(with:)` to an existing module.
final class SceneTemplateModule: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<SceneTemplateModule>) {
        registrar.route("scene-template/new-scene") { _, request in
            NewSceneWireframe.assemble(navigator: request.navigator)
        }
    }
}
