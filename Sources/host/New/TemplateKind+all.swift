// Each kind of module is a row. `host new`, its help and the names that it refuses are derived from this table.
extension TemplateKind {
    /// The kinds of modules, in the order of the help.
    static let all = [list, form, service, contract, running, frontEnd, routeGuard]

    static let list = TemplateKind(
        "list", summary: "Create a list from a JSON file (default)",
        trial: { "host run \($0.kebab) --select 0" },
        files: {
            [
                "Sources/Item.swift": PackageResources.Item_swift,
                "Sources/ListInteractor.swift": PackageResources.ListInteractor_swift,
                "Sources/ListPresenter.swift": PackageResources.ListPresenter_swift,
                "Sources/ListProtocols.swift": PackageResources.ListProtocols_swift,
                "Sources/ListTemplateModule.swift": PackageResources.ListTemplateModule_swift,
                "Sources/ListView.swift": PackageResources.ListView_swift,
                "Sources/ListWireframe.swift": PackageResources.ListWireframe_swift,
                "Tests/ListRoleTests.swift": PackageResources.ListRoleTests_swift,
                "Tests/ListSceneTests.swift": PackageResources.ListSceneTests_swift,
                "Resources/items.json": PackageResources.items_json,
                "Manifests/list-template.json": PackageResources.list_template_json,
            ]
        })

    static let form = TemplateKind(
        "form", summary: "Create a form that checks and stores its input",
        trial: { "host run \($0.kebab) --fill name=Tea --fill amount=2 --press add" },
        files: {
            [
                "Sources/Entry.swift": PackageResources.Entry_swift,
                "Sources/FormInteractor.swift": PackageResources.FormInteractor_swift,
                "Sources/FormPresenter.swift": PackageResources.FormPresenter_swift,
                "Sources/FormProtocols.swift": PackageResources.FormProtocols_swift,
                "Sources/FormTemplateModule.swift": PackageResources.FormTemplateModule_swift,
                "Sources/FormView.swift": PackageResources.FormView_swift,
                "Sources/FormViewModel.swift": PackageResources.FormViewModel_swift,
                "Sources/FormWireframe.swift": PackageResources.FormWireframe_swift,
                "Tests/FormRoleTests.swift": PackageResources.FormRoleTests_swift,
                "Tests/FormSceneTests.swift": PackageResources.FormSceneTests_swift,
                "Manifests/form-template.json": PackageResources.form_template_json,
            ]
        })

    static let service = TemplateKind(
        "service", summary: "Create a data provider without screens",
        trial: { "host services --use data-provider=\($0.kebab)" },
        files: {
            [
                "Sources/MemoryProvider.swift": PackageResources.MemoryProvider_swift,
                "Sources/ServiceTemplateModule.swift": PackageResources.ServiceTemplateModule_swift,
                "Tests/ServiceTests.swift": PackageResources.ServiceTests_swift,
                "Manifests/service-template.json": PackageResources.service_template_json,
            ]
        })

    static let contract = TemplateKind(
        "contract", summary: "Create a contract: declarations that modules share",
        trial: { "host build \($0.type)" },
        files: {
            [
                "Sources/Greeter.swift": PackageResources.Greeter_swift,
                "Manifests/contract-template.json": PackageResources.contract_template_json,
            ]
        })

    static let running = TemplateKind(
        "running", summary: "Create a module that works without screens",
        trial: { _ in "host serve" },
        files: {
            [
                "Sources/Heartbeat.swift": PackageResources.Heartbeat_swift,
                "Sources/RunningTemplateModule.swift": PackageResources.RunningTemplateModule_swift,
                "Tests/RunningTests.swift": PackageResources.RunningTests_swift,
                "Manifests/running-template.json": PackageResources.running_template_json,
            ]
        })

    static let frontEnd = TemplateKind(
        "front-end", summary: "Create a front end, which shows screens in a file",
        trial: { _ in "host serve" },
        files: {
            [
                "Sources/FrontEnd.swift": PackageResources.FrontEnd_swift,
                "Sources/FrontEndTemplateModule.swift": PackageResources.FrontEndTemplateModule_swift,
                "Sources/PageFile.swift": PackageResources.PageFile_swift,
                "Tests/FrontEndTests.swift": PackageResources.FrontEndTests_swift,
                "Manifests/front-end-template.json": PackageResources.front_end_template_json,
            ]
        })

    static let routeGuard = TemplateKind(
        "guard", summary: "Create a guard of routes",
        trial: { _ in "host services" },
        files: {
            [
                "Sources/ClosingGuard.swift": PackageResources.ClosingGuard_swift,
                "Sources/GuardTemplateModule.swift": PackageResources.GuardTemplateModule_swift,
                "Tests/GuardTests.swift": PackageResources.GuardTests_swift,
                "Manifests/guard-template.json": PackageResources.guard_template_json,
            ]
        })

    /// A module whose scene `host new --scene` adds to other modules. It is not a kind of module.
    static let scene = TemplateKind(
        "scene", summary: "", trial: { _ in "" },
        files: {
            [
                "Sources/NewSceneInteractor.swift": PackageResources.NewSceneInteractor_swift,
                "Sources/NewScenePresenter.swift": PackageResources.NewScenePresenter_swift,
                "Sources/NewSceneProtocols.swift": PackageResources.NewSceneProtocols_swift,
                "Sources/NewSceneView.swift": PackageResources.NewSceneView_swift,
                "Sources/NewSceneWireframe.swift": PackageResources.NewSceneWireframe_swift,
                "Sources/SceneTemplateModule.swift": PackageResources.SceneTemplateModule_swift,
                "Tests/NewSceneTests.swift": PackageResources.NewSceneTests_swift,
                "Tests/SceneTemplateTests.swift": PackageResources.SceneTemplateTests_swift,
                "Manifests/scene-template.json": PackageResources.scene_template_json,
            ]
        })
}
