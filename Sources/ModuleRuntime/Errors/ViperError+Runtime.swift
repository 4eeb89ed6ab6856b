import HostSystem
import ModuleCatalog
package import ViperKit

/// Error codes for modules, routes and scenes.
extension ViperError.Code {
    /// Several manifests have the same module name.
    package static var moduleDuplicate: Self { Self("module-duplicate", .configuration) }
    /// The module was built for a version of ViperKit that this host does not support.
    package static var sdkUnsupported: Self { Self("sdk-unsupported", .configuration) }
    /// A required service has no provider, several providers, or a refused provider. This code also applies if a module
    /// claims one of the host's services.
    package static var requirementUnmet: Self { Self("requirement-unmet", .configuration) }
    /// The module was built for a version of a contract that differs from the one that this host has.
    package static var contractUnmet: Self { Self("contract-unmet", .configuration) }
    /// The module's code threw an error, or does not match its manifest.
    package static var moduleFailed: Self { Self("module-failed", .module) }
    package static var moduleUnknown: Self { Self("module-unknown", .unavailable) }
    package static var moduleRetired: Self { Self("module-retired", .unavailable) }
    /// Nothing in the root has the name that a command asks about.
    package static var nameUnknown: Self { Self("name-unknown", .unavailable) }
    package static var routeUnknown: Self { Self("route-unknown", .unavailable) }
    package static var routeContested: Self { Self("route-contested", .configuration) }
    /// A guard of the route does not let it open, or has taken back that it did.
    package static var routeRefused: Self { Self("route-refused", .unavailable) }
    package static var parameterUnknown: Self { Self("parameter-unknown", .usage) }
    /// The screen is closed, or does not contain the field, action or row. This code also applies if this version does
    /// not support the event.
    package static var eventUnknown: Self { Self("event-unknown", .usage) }
    /// The client has no open scene with this number.
    package static var sceneUnknown: Self { Self("scene-unknown", .unavailable) }
}

extension ViperError {
    package static func sceneUnknown(_ number: Int) -> ViperError {
        ViperError(
            .sceneUnknown, operation: "cannot find scene", subject: "\(number)",
            cause: "this connection has no open scene with this number")
    }

    /// True if the error may disappear when other modules change.
    package var dependsOnOtherModules: Bool {
        [.requirementUnmet, .contractUnmet, .serviceCycle, .moduleDuplicate].contains(code)
    }

    /// True if the module must be refused because of the error. Other errors may disappear without a change to the
    /// module.
    package var isModuleFault: Bool {
        ![.system, .temporary, .dependency].contains(code.kind)
    }
}
