public import ViperKit

/// The codes of errors in roots, manifests, settings and libraries.
extension ViperError.Code {
    /// There is no folder with `Manifests/` to work in.
    public static var rootMissing: Self { Self(rawValue: "root-missing") }
    /// A manifest cannot be read, or breaks a rule of the format.
    public static var manifestInvalid: Self { Self(rawValue: "manifest-invalid") }
    /// A setting names something that there is not, or has a value of another type; or `host.json` breaks its format.
    public static var settingInvalid: Self { Self(rawValue: "setting-invalid") }
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
}

extension ViperError {
    /// True if the library can be tried again once a process has written it completely.
    package var isUnfinished: Bool { code == .libraryUnfinished }
}
