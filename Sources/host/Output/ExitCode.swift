import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import ViperKit

/// One of the host's exit codes. Codes of 64 and above are defined in sysexits.h.
enum ExitCode: Int32, CaseIterable {
    /// A check on a module failed.
    case failed = 1
    /// EX_USAGE: the command line is invalid.
    case usage = 64
    /// EX_DATAERR: the module's source cannot be built.
    case source = 65
    /// EX_NOINPUT: a required file or folder is missing or unreadable, or the quarantine has no matching entry.
    case noInput = 66
    /// EX_UNAVAILABLE: no module declares the route, a library is still being written, or the host at `--via` cannot be
    /// reached or rejects the call.
    case unavailable = 69
    /// EX_SOFTWARE: a module failed, its process ended, or a call took too long.
    case software = 70
    /// EX_OSERR: the system has run out of memory, descriptors or disk space, or a required program cannot run.
    case system = 71
    /// EX_CANTCREAT: a file already exists, or the socket cannot be created.
    case exists = 73
    /// EX_IOERR: the output or stored data cannot be written.
    case output = 74
    /// EX_CONFIG: a module is refused. This code is also used for all errors that have no other code.
    case configuration = 78

    /// Creates the exit code that corresponds to an error code.
    init(_ code: ViperError.Code) {
        switch code {
        case .usage, .parameterUnknown, .parameterMissing, .parameterInvalid, .eventUnknown: self = .usage
        case .sourceInvalid: self = .source
        case .rootMissing, .folderUnreadable, .dataFolderMissing, .sourceMissing, .checkoutMissing, .sdkMissing,
            .quarantineUnknown:
            self = .noInput
        case .routeUnknown, .moduleRetired, .hostMissing, .peerUntrusted, .hostEnding, .connectionLost, .sceneUnknown,
            .limitReached, .methodUnknown, .messageMalformed, .messageInvalid, .libraryUnfinished:
            self = .unavailable
        case .moduleFailed, .serviceFailed, .workerCrashed, .timeLimit, .callCancelled, .callFailed, .navigationTooDeep,
            .transitionUnknown:
            self = .software
        case .resourceMissing, .programFailed: self = .system
        case .fileExists, .socketFailed: self = .exists
        case .outputFailed, .storeFailed: self = .output
        case .checkFailed: self = .failed
        default: self = .configuration
        }
    }
}

extension ViperError.Code {
    static var usage: Self { Self(rawValue: "usage") }
    /// The error code for a `--data` path that is not a folder.
    static var dataFolderMissing: Self { Self(rawValue: "data-folder-missing") }
    static var checkFailed: Self { Self(rawValue: "check-failed") }
    /// The error code for a host that is not in a checkout of this project.
    static var checkoutMissing: Self { Self(rawValue: "checkout-missing") }
    /// The error code for a name that matches no entry in the quarantine.
    static var quarantineUnknown: Self { Self(rawValue: "quarantine-unknown") }
    static var fileExists: Self { Self(rawValue: "file-exists") }
    /// The error code for ViperKit files that are missing beside the host. Modules cannot be compiled without them.
    static var sdkMissing: Self { Self(rawValue: "sdk-missing") }
    static var sourceMissing: Self { Self(rawValue: "source-missing") }
    static var sourceInvalid: Self { Self(rawValue: "source-invalid") }
    static var outputFailed: Self { Self(rawValue: "output-failed") }
}
