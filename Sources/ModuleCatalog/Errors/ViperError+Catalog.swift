import HostSystem
package import ViperKit

/// Codes for errors in roots, manifests, settings and libraries.
extension ViperError.Code {
    /// No root folder with `Manifests/` was found.
    package static var rootMissing: Self { Self("root-missing", .input) }
    package static var manifestInvalid: Self { Self("manifest-invalid", .configuration) }
    /// A setting refers to something that does not exist or has a value of the wrong type, or `host.json` is invalid.
    package static var settingInvalid: Self { Self("setting-invalid", .configuration) }
    /// A command names a library that does not exist.
    package static var libraryFileMissing: Self { Self("library-file-missing", .input) }
    /// The library is neither in `Plugins/` nor next to the host's executable.
    package static var libraryMissing: Self { Self("library-missing", .configuration) }
    /// The library is incomplete because another process is still writing it. A loaded module stays in use, and the
    /// host retries later.
    package static var libraryUnfinished: Self { Self("library-unfinished", .temporary) }
    /// The module, its library or one of its providers changed during an activation.
    package static var moduleOutdated: Self { Self("module-outdated", .temporary) }
    /// The file is not a library that this machine can load.
    package static var libraryInvalid: Self { Self("library-invalid", .configuration) }
    /// The library does not match this host's version of ViperKit, its Swift version or its sanitizers.
    package static var libraryIncompatible: Self { Self("library-incompatible", .configuration) }
    /// The dynamic linker cannot load the library.
    package static var libraryFailed: Self { Self("library-failed", .configuration) }
    /// The process has loaded another file under the name of a library that the module needs.
    package static var libraryConflict: Self { Self("library-conflict", .configuration) }
    /// The library does something to the whole process that loads it.
    static var libraryAffectsProcess: Self { Self("library-affects-process", .configuration) }
    /// This process has loaded another version of the contract. The installed version is used from the next start.
    package static var contractInUse: Self { Self("contract-in-use", .configuration) }
    /// The root has no such earlier version of a module.
    package static var versionMissing: Self { Self("version-missing", .input) }
    /// A file in `Manifests` describes the module, so it is not one file.
    package static var manifestSeparate: Self { Self("manifest-separate", .configuration) }
    /// The library is not the one that the root's lock names.
    static var libraryUnlocked: Self { Self("library-unlocked", .configuration) }
    /// The root's lock cannot be read, so the host loads no library.
    package static var lockInvalid: Self { Self("lock-invalid", .configuration) }
    /// No manifest refers to a library in `Plugins/`.
    package static var libraryUnreferenced: Self { Self("library-unreferenced", .configuration) }
    /// A process that ran the library crashed, hung or exited. The library is not loaded again.
    package static var libraryQuarantined: Self { Self("library-quarantined", .configuration) }
}

extension ViperError {
    /// The error for a library that a command names and that cannot be read.
    static func unreadable(_ library: String, _ failure: RegularFile.Failure) -> ViperError {
        ViperError(
            failure.isMissing ? .libraryFileMissing : .libraryInvalid, operation: "cannot read library",
            subject: library, cause: failure.cause)
    }

    /// True if the library is incomplete. The operation can be retried when the library is complete.
    package var isUnfinished: Bool { code == .libraryUnfinished }
}
