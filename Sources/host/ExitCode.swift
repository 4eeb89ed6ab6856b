import ViperKit
import ViperRuntime

/// How the process ends, with the numbers of sysexits.h.
enum ExitCode: Int32, CaseIterable {
    /// A module does not pass a check.
    case failed = 1
    /// EX_USAGE: the command line is wrong.
    case usage = 64
    /// EX_NOINPUT: there is no root to work in, or no such data folder.
    case noInput = 66
    /// EX_UNAVAILABLE: nobody answers the route.
    case unavailable = 69
    /// EX_SOFTWARE: the module failed.
    case software = 70
    /// EX_IOERR: the output could not be written.
    case output = 74
    /// EX_CONFIG: the module is refused.
    case configuration = 78

    /// The number for an error. One that has no other is the module's: a refusal.
    init(_ code: ViperError.Code) {
        switch code {
        case .usage, .parameterUnknown, .parameterMissing, .parameterType, .eventUnknown: self = .usage
        case .rootMissing, .folderUnreadable, .dataFolderMissing: self = .noInput
        case .routeUnknown: self = .unavailable
        case .moduleFailed: self = .software
        case .outputFailed: self = .output
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
    /// The result could not be written.
    static var outputFailed: Self { Self(rawValue: "output-failed") }
}
