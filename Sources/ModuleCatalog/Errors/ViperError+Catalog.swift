public import ViperKit

/// Codes for errors in roots, manifests, settings and libraries.
extension ViperError.Code {
    /// No root folder with `Manifests/` was found.
    public static var rootMissing: Self { Self(rawValue: "root-missing") }
    public static var manifestInvalid: Self { Self(rawValue: "manifest-invalid") }
    /// A setting refers to something that does not exist or has a value of the wrong type, or `host.json` is invalid.
    public static var settingInvalid: Self { Self(rawValue: "setting-invalid") }
    /// The library is neither in `Plugins/` nor next to the host's executable.
    public static var libraryMissing: Self { Self(rawValue: "library-missing") }
    /// The library is incomplete because another process is still writing it. A loaded module stays in use, and the
    /// host retries later.
    public static var libraryUnfinished: Self { Self(rawValue: "library-unfinished") }
    /// The file is not a library that this machine can load.
    public static var libraryInvalid: Self { Self(rawValue: "library-invalid") }
    /// The library does not match this host's version of ViperKit, its Swift version or its sanitizers.
    public static var libraryIncompatible: Self { Self(rawValue: "library-incompatible") }
    /// The dynamic linker cannot load the library.
    public static var libraryFailed: Self { Self(rawValue: "library-failed") }
    /// A process that ran the library crashed, hung or exited. The library is not loaded again.
    public static var libraryQuarantined: Self { Self(rawValue: "library-quarantined") }
}

extension ViperError {
    /// True if the library is incomplete. The operation can be retried when the library is complete.
    package var isUnfinished: Bool { code == .libraryUnfinished }
}
