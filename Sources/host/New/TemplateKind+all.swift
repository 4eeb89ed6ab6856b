extension TemplateKind {
    /// The contents of the template's files, keyed by their paths in the template's folder.
    var files: [String: [UInt8]] {
        switch self {
        case .list:
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
        case .form:
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
        case .service:
            [
                "Sources/MemoryProvider.swift": PackageResources.MemoryProvider_swift,
                "Sources/ServiceTemplateModule.swift": PackageResources.ServiceTemplateModule_swift,
                "Tests/ServiceTests.swift": PackageResources.ServiceTests_swift,
                "Manifests/service-template.json": PackageResources.service_template_json,
            ]
        case .contract:
            [
                "Sources/Greeter.swift": PackageResources.Greeter_swift,
                "Manifests/contract-template.json": PackageResources.contract_template_json,
            ]
        case .running:
            [
                "Sources/Heartbeat.swift": PackageResources.Heartbeat_swift,
                "Sources/RunningTemplateModule.swift": PackageResources.RunningTemplateModule_swift,
                "Tests/RunningTests.swift": PackageResources.RunningTests_swift,
                "Manifests/running-template.json": PackageResources.running_template_json,
            ]
        }
    }
}
