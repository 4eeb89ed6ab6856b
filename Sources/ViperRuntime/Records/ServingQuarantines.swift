import FoundationEssentials
import Glibc
import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleIsolation
import Synchronization
import ViperKit

/// The quarantines of the hosts that serve a root with other state folders than a command has.
///
/// They are found when they are needed first, in the folder of this user's standard socket and in that of the service.
final class ServingQuarantines: Sendable {
    private let root: Root
    private let state: StateRoot
    private let logger: LineLogger
    private let level: LogLevel
    private let found = Mutex<[Quarantine]?>(nil)

    /// The folder of the service that `host export` describes; see `SystemdUnits`.
    static let folderOfService = "/run/viper-host"

    /// Creates the quarantines of the hosts that serve a root.
    ///
    /// - Parameters:
    ///   - state: The state folder of the command.
    ///   - level: The level at which the quarantines are logged that cannot be read. The service may serve another root.
    init(of root: Root, besides state: StateRoot, logger: LineLogger, at level: LogLevel) {
        (self.root, self.state, self.logger, self.level) = (root, state, logger, level)
    }

    /// Returns the quarantines, and logs the reasons why one cannot be read. This method accesses files.
    func all() -> [Quarantine] {
        if let found = found.withLock({ $0 }) { return found }
        let search = Search(of: root, besides: state, logger: logger)
        // Another thread may have searched at the same time.
        let isFirst = found.withLock { found in
            if found != nil { return false }
            found = search.quarantines
            return true
        }
        for cause in isFirst ? search.unread : [] {
            logger.log(level, "cannot read the quarantine of another host, which may serve this root: \(cause)")
        }
        return search.quarantines
    }
}

/// A search for quarantines in the folders of sockets.
private struct Search {
    var quarantines: [Quarantine] = []
    /// The reasons why quarantines of serving hosts cannot be read.
    var unread: [String] = []
    private let root: Root
    private let logger: LineLogger
    /// The state folders that need not be searched again.
    private var known: Set<String>

    init(of root: Root, besides state: StateRoot, logger: LineLogger) {
        (self.root, self.logger, known) = (root, logger, [resolved(state.path) ?? state.path])
        do throws(ViperError) {
            let folder = try ServingFile.folder(ProcessInfo.processInfo.environment)
            if folder != ServingQuarantines.folderOfService { add(from: folder, Trust()) }
        } catch { unread.append(error.summary) }
        // The service has a user of its own. Only root can use its files.
        let trust = geteuid() == 0 ? Trust().trusting(ownerOf: ServingQuarantines.folderOfService) : Trust()
        add(from: ServingQuarantines.folderOfService, trust)
    }

    private mutating func add(from path: String, _ trust: Trust) {
        do {
            let folder = try OpenFolder(path, trust)
            let prefix = ServingRecord.prefix(of: root)
            for name in try folder.names(ending: ServingRecord.suffix) where name.hasPrefix(prefix) {
                do { try add(name, in: folder, trust) } catch {
                    unread.append("\(path)/\(name): \(Self.cause(error))")
                }
            }
        } catch let failure as RegularFile.Failure where failure.isMissing {
            return
        } catch { unread.append("\(path): \(Self.cause(error))") }
    }

    private mutating func add(_ name: String, in folder: OpenFolder, _ trust: Trust) throws {
        let owner: UInt32
        let record: ServingRecord
        do {
            // The owner and the content of one file, even if another one takes its place.
            let file = try folder.file(name, followsLink: false)
            owner = file.owner
            record = try ServingRecord(file, at: "\(folder.path)/\(name)")
        } catch let failure as RegularFile.Failure where failure.isMissing {
            // The host has just exited.
            return
        }
        guard record.isRunning else { return }
        if owner != geteuid(), !record.isHeld(by: owner, trust) {
            let host = "process \(record.process) of user \(owner)"
            throw RegularFile.Failure("\(host) does not hold the socket \(record.socket ?? "that it names")")
        }
        guard isAbsolute(record.state) else {
            throw RegularFile.Failure("its state folder \(record.state) is not an absolute path")
        }
        var settings = Settings()
        settings.stateFolder = record.state
        let state = StateRoot(settings, trust: Trust().trusting([owner]))
        guard known.insert(resolved(record.state) ?? record.state).inserted else { return }
        try state.check()
        quarantines.append(Quarantine(folder: state.quarantine, in: state, logger: logger))
    }

    private static func cause(_ error: any Error) -> String {
        (error as? RegularFile.Failure)?.cause ?? (error as? ViperError)?.cause ?? "\(error)"
    }
}
