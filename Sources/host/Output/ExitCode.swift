import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import ViperKit

/// The exit code of the host, numbered as in sysexits.h.
enum ExitCode: Int32, CaseIterable {
    /// A module fails a check.
    case failed = 1
    /// EX_USAGE: the command line is invalid.
    case usage = 64
    /// EX_DATAERR: the module's source cannot be built.
    case source = 65
    /// EX_NOINPUT: a file or folder that the command needs is missing or unreadable, or the quarantine has no such
    /// entry.
    case noInput = 66
    /// EX_UNAVAILABLE: no module answers the route, its library is being written, or the host of `--via` cannot be
    /// reached or refuses the call.
    case unavailable = 69
    /// EX_SOFTWARE: the module failed, its process ended, or a call took too long.
    case software = 70
    /// EX_OSERR: the system has no memory, descriptors or disk space left, or a required program cannot run.
    case system = 71
    /// EX_CANTCREAT: a file already exists, or the socket cannot be created.
    case exists = 73
    /// EX_IOERR: the output or stored data cannot be written.
    case output = 74
    /// EX_CONFIG: a module is refused. Also the code of all errors not listed here.
    case configuration = 78

    /// Creates the exit code of an error.
    init(_ code: ViperError.Code) {
        switch code {
        case .usage, .parameterUnknown, .parameterMissing, .parameterType, .eventUnknown: self = .usage
        case .sourceInvalid: self = .source
        case .rootMissing, .folderUnreadable, .dataFolderMissing, .sourceMissing, .checkoutMissing, .sdkMissing,
            .quarantineUnknown:
            self = .noInput
        case .routeUnknown, .moduleRetired, .hostMissing, .peerUntrusted, .hostEnding, .connectionLost, .sceneUnknown,
            .limitReached, .methodUnknown, .messageMalformed, .messageInvalid, .libraryUnfinished:
            self = .unavailable
        case .moduleFailed, .serviceFailed, .workerCrashed, .timeLimit, .callCancelled, .callFailed, .navigationDepth,
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
    /// A path of `--data` is not a folder.
    static var dataFolderMissing: Self { Self(rawValue: "data-folder-missing") }
    static var checkFailed: Self { Self(rawValue: "check-failed") }
    /// The host is not in a checkout of this project.
    static var checkoutMissing: Self { Self(rawValue: "checkout-missing") }
    /// The quarantine has no entry with this name.
    static var quarantineUnknown: Self { Self(rawValue: "quarantine-unknown") }
    static var fileExists: Self { Self(rawValue: "file-exists") }
    /// The ViperKit files for compiling modules are not beside the host.
    static var sdkMissing: Self { Self(rawValue: "sdk-missing") }
    static var sourceMissing: Self { Self(rawValue: "source-missing") }
    static var sourceInvalid: Self { Self(rawValue: "source-invalid") }
    static var outputFailed: Self { Self(rawValue: "output-failed") }
}
