import HostSystem
import ModuleCatalog
public import ViperKit

/// The codes of errors in modules, their routes and their scenes.
extension ViperError.Code {
    /// Two manifests describe modules of the same name.
    public static var moduleDuplicate: Self { Self(rawValue: "module-duplicate") }
    /// The module was built for a ViperKit that this host does not have.
    public static var sdkUnsupported: Self { Self(rawValue: "sdk-unsupported") }
    /// A service that a module requires has no provider, several, or a refused one.
    public static var requirementUnmet: Self { Self(rawValue: "requirement-unmet") }
    /// The module's code threw, or is not what its manifest says.
    public static var moduleFailed: Self { Self(rawValue: "module-failed") }
    /// There is no such module.
    public static var moduleUnknown: Self { Self(rawValue: "module-unknown") }
    /// The module has been retired.
    public static var moduleRetired: Self { Self(rawValue: "module-retired") }
    /// The module was changed while it was made.
    package static var moduleOutdated: Self { Self(rawValue: "module-outdated") }
    /// No module provides the route.
    public static var routeUnknown: Self { Self(rawValue: "route-unknown") }
    /// Several modules claim the route.
    public static var routeContested: Self { Self(rawValue: "route-contested") }
    /// The route has no such parameter.
    public static var parameterUnknown: Self { Self(rawValue: "parameter-unknown") }
    /// The screen has no such field, action or row.
    public static var eventUnknown: Self { Self(rawValue: "event-unknown") }
}

extension ViperError {
    /// Whether it lies in what other modules there are, and so may be over when those have changed.
    package var isOfOthers: Bool { code == .requirementUnmet || code == .serviceCycle || code == .moduleDuplicate }

    /// Whether a module is to be refused for it. What the host lacks itself may be there the next time.
    package var isOfModule: Bool {
        ![.resourceMissing, .programFailed, .moduleOutdated, .libraryUnfinished].contains(code)
    }
}
