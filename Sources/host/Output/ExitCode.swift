import ViperKit

/// One of the host's exit codes. Codes of 64 and above are defined in sysexits.h.
enum ExitCode: Int32, CaseIterable {
    /// A check on a module failed, or the screen has an alert and `--fail-on alert` is given.
    case failed = 1
    /// EX_USAGE: the command line is invalid.
    case usage = 64
    /// EX_DATAERR: the module's source cannot be built.
    case source = 65
    /// EX_NOINPUT: a required file or folder is missing or unreadable, or the quarantine has no matching entry.
    case noInput = 66
    /// EX_UNAVAILABLE: no module declares the route, a library is still being written, the module's process was killed
    /// from outside, or the host at `--via` cannot be reached or rejects the call.
    case unavailable = 69
    /// EX_SOFTWARE: a module failed, its process crashed, or a call took too long.
    case software = 70
    /// EX_OSERR: the system has run out of memory, descriptors or disk space, or a required program cannot run.
    case system = 71
    /// EX_CANTCREAT: a file already exists, or the socket cannot be created.
    case exists = 73
    /// EX_IOERR: the output or stored data cannot be written.
    case output = 74
    /// EX_CONFIG: a module is refused. This code is also used for all errors that have no other code.
    case configuration = 78

    /// Creates the exit code of a kind of errors.
    init(_ kind: ViperError.Kind) {
        self =
            switch kind {
            case .usage: .usage
            case .source: .source
            case .input: .noInput
            case .unavailable, .temporary: .unavailable
            case .module, .dependency: .software
            case .system: .system
            case .creation: .exists
            case .output: .output
            case .check: .failed
            default: .configuration
            }
    }
}

extension ViperError.Kind {
    /// The module's source cannot be built.
    static var source: Self { Self(rawValue: "source") }
    /// A check on a module or a screen failed.
    static var check: Self { Self(rawValue: "check") }
}

extension ViperError.Code {
    static var usage: Self { Self("usage", .usage) }
    /// The error code for a `--data` path that is not a folder.
    static var dataFolderMissing: Self { Self("data-folder-missing", .input) }
    static var checkFailed: Self { Self("check-failed", .check) }
    /// The error code for a screen with an alert, which `--fail-on alert` does not accept.
    static var alertShown: Self { Self("alert-shown", .check) }
    /// The error code for a host that is not in a checkout of this project.
    static var checkoutMissing: Self { Self("checkout-missing", .input) }
    /// The error code for a name that matches no entry in the quarantine.
    static var quarantineUnknown: Self { Self("quarantine-unknown", .input) }
    static var fileExists: Self { Self("file-exists", .creation) }
    /// The error code for ViperKit files that are missing beside the host. Modules cannot be compiled without them.
    static var sdkMissing: Self { Self("sdk-missing", .input) }
    static var sourceMissing: Self { Self("source-missing", .input) }
    static var sourceInvalid: Self { Self("source-invalid", .source) }
    /// The error code for a version of a contract that would break the modules that use the installed version.
    static var contractBroken: Self { Self("contract-broken", .source) }
    static var outputFailed: Self { Self("output-failed", .output) }
}
