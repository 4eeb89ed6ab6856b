import ViperKit
import ViperRuntime

/// How the process ends, with the numbers of sysexits.h.
enum ExitCode: Int32, CaseIterable {
    /// A module does not pass a check.
    case failed = 1
    /// EX_USAGE: the command line is wrong.
    case usage = 64
    /// EX_DATAERR: the module's source cannot be compiled.
    case source = 65
    /// EX_NOINPUT: there is no root to work in, no such data folder, or nothing of that name in quarantine.
    case noInput = 66
    /// EX_UNAVAILABLE: nobody answers the route, its library is being written, or the host of `--via` cannot be reached or takes no
    /// more.
    case unavailable = 69
    /// EX_SOFTWARE: the module failed, its process ended, or it took too long.
    case software = 70
    /// EX_OSERR: the system lacks room or descriptors, or a program that is needed.
    case system = 71
    /// EX_CANTCREAT: a file is there already, or the socket cannot be made.
    case exists = 73
    /// EX_IOERR: the output, or what is kept, could not be written.
    case output = 74
    /// EX_CONFIG: the module is refused.
    case configuration = 78

    /// The number for an error. One that has no other is the module's: a refusal.
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
        case .moduleFailed, .workerCrashed, .timeLimit, .callCancelled, .callFailed, .navigationDepth: self = .software
        case .resourceMissing, .programFailed: self = .system
        case .fileExists, .socketFailed: self = .exists
        case .outputFailed, .storeFailed: self = .output
        case .checkFailed: self = .failed
        default: self = .configuration
        }
    }
}

extension ViperError.Code {
    /// The command line is wrong.
    static var usage: Self { Self(rawValue: "usage") }
    /// A folder of `--data` is none.
    static var dataFolderMissing: Self { Self(rawValue: "data-folder-missing") }
    /// A module does not pass a check.
    static var checkFailed: Self { Self(rawValue: "check-failed") }
    /// The host stands in no checkout of this project.
    static var checkoutMissing: Self { Self(rawValue: "checkout-missing") }
    /// Nothing in quarantine is called so.
    static var quarantineUnknown: Self { Self(rawValue: "quarantine-unknown") }
    /// A file is there, and would be overwritten.
    static var fileExists: Self { Self(rawValue: "file-exists") }
    /// The ViperKit that modules are compiled against is not beside the host.
    static var sdkMissing: Self { Self(rawValue: "sdk-missing") }
    /// There is nothing to compile.
    static var sourceMissing: Self { Self(rawValue: "source-missing") }
    /// The compiler refuses the module's source.
    static var sourceInvalid: Self { Self(rawValue: "source-invalid") }
    /// The result could not be written.
    static var outputFailed: Self { Self(rawValue: "output-failed") }
}
