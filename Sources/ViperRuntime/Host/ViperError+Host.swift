public import ViperKit

/// The codes of the host's own errors, beside those that ViperKit has for modules.
extension ViperError.Code {
    /// There is no folder with `Manifests/` to work in.
    public static var rootMissing: Self { Self(rawValue: "root-missing") }
    /// Somebody who is not trusted could have put something at a path, or could change it.
    public static var pathUntrusted: Self { Self(rawValue: "path-untrusted") }
    /// A folder of the root cannot be listed.
    public static var folderUnreadable: Self { Self(rawValue: "folder-unreadable") }
    /// A manifest cannot be read, or breaks a rule of the format.
    public static var manifestInvalid: Self { Self(rawValue: "manifest-invalid") }
    /// A setting names something that there is not, or has a value of another type; or `host.json` breaks its format.
    public static var settingInvalid: Self { Self(rawValue: "setting-invalid") }
    /// Two manifests describe modules of the same name.
    public static var moduleDuplicate: Self { Self(rawValue: "module-duplicate") }
    /// The module was built for a ViperKit that this host does not have.
    public static var sdkUnsupported: Self { Self(rawValue: "sdk-unsupported") }
    /// A service that a module requires has no provider, several, or a refused one.
    public static var requirementUnmet: Self { Self(rawValue: "requirement-unmet") }

    /// The library is neither in `Plugins/` nor beside the host.
    public static var libraryMissing: Self { Self(rawValue: "library-missing") }
    /// A process is writing the library. A module that is in use stays as it is, and the library is tried again.
    public static var libraryUnfinished: Self { Self(rawValue: "library-unfinished") }
    /// The file is no library that this machine can load.
    public static var libraryInvalid: Self { Self(rawValue: "library-invalid") }
    /// The library was built for another ViperKit.
    public static var libraryIncompatible: Self { Self(rawValue: "library-incompatible") }
    /// The system refused to load the library.
    public static var libraryFailed: Self { Self(rawValue: "library-failed") }
    /// The library has crashed, hung or ended the process when it was tried, and is not loaded again.
    public static var libraryQuarantined: Self { Self(rawValue: "library-quarantined") }
    /// The module's code threw, or is not what its manifest says.
    public static var moduleFailed: Self { Self(rawValue: "module-failed") }
    /// A program that the host needs cannot be started, or failed.
    public static var programFailed: Self { Self(rawValue: "program-failed") }
    /// There is no such module.
    public static var moduleUnknown: Self { Self(rawValue: "module-unknown") }
    /// The module has been retired.
    public static var moduleRetired: Self { Self(rawValue: "module-retired") }

    /// The system has no more descriptors, memory or room for the host at the moment. No module is refused for it.
    public static var resourceMissing: Self { Self(rawValue: "resource-missing") }

    /// The module was changed while it was made.
    static var moduleOutdated: Self { Self(rawValue: "module-outdated") }

    /// Something took longer than it may.
    public static var timeLimit: Self { Self(rawValue: "time-limit") }

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
    var isOfOthers: Bool { code == .requirementUnmet || code == .serviceCycle || code == .moduleDuplicate }

    /// True if the library can be tried again once a process has written it completely.
    var isUnfinished: Bool { code == .libraryUnfinished }

    /// Whether a module is to be refused for it. What the host lacks itself may be there the next time.
    var isOfModule: Bool {
        ![.resourceMissing, .programFailed, .moduleOutdated, .libraryUnfinished].contains(code)
    }
}
