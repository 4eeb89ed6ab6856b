import FoundationEssentials
import Glibc
package import HostSystem
import JSONRPC
import ModuleCatalog
package import ModuleIsolation
package import ViperKit

/// The quarantine of a command, and those of the hosts that serve its root with other state folders.
package struct Quarantines: Sendable {
    private let own: Quarantine
    /// The quarantines of the serving hosts.
    private var others: [Quarantine] = []
    /// The reasons why quarantines of serving hosts cannot be read.
    private var unread: [String] = []

    /// The folder of the service that `host export` describes; see `SystemdUnits`.
    private static let serviceFolder = "/run/viper-host"

    /// Finds the hosts that serve a root, in the folder of this user's standard socket and in that of the service. This
    /// method accesses files.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted`` if other users can change the command's state folder.
    package init(_ configuration: ViperHost.Configuration) throws(ViperError) {
        own = try Quarantine(configuration)
        var known: Set = [resolved(configuration.state.path) ?? configuration.state.path]
        do throws(ViperError) {
            let folder = try ServingFile.folder(ProcessInfo.processInfo.environment, Trust())
            if folder != Self.serviceFolder { add(from: folder, Trust(), configuration, &known) }
        } catch { unread.append(error.summary) }
        // The service has a user of its own. Only root can use its files.
        let trust = geteuid() == 0 ? Trust().trusting(ownerOf: Self.serviceFolder) : Trust()
        add(from: Self.serviceFolder, trust, configuration, &known)
        for cause in unread {
            configuration.logger.log(
                .warning, "cannot read the quarantine of another host, which may serve this root: \(cause)")
        }
    }

    /// Returns the reports of all quarantines. If a library is in several, its report is from the first one.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable`` if a folder of reports cannot be read.
    package func all() throws(ViperError) -> [QuarantineReport] {
        var reports = try own.all()
        for quarantine in others {
            let known = Set(reports.map(\.digest))
            reports += try quarantine.all().filter { !known.contains($0.digest) }
        }
        return reports
    }

    /// True if a quarantine is that of the command, which can change it.
    package func isOwn(_ quarantine: Quarantine) -> Bool { quarantine === own }

    /// Returns the quarantine that has a report about a library. Returns nil if there is none.
    package func quarantine(of digest: Digest) -> Quarantine? {
        ([own] + others).first { $0.report(for: digest) != nil }
    }

    /// Returns the error for a library that a serving host has quarantined, or nil. This method blocks.
    func refusalOfOthers(_ digest: Digest) -> ViperError? {
        for quarantine in others {
            if let report = quarantine.report(for: digest) { return quarantine.refusal(of: report) }
        }
        return nil
    }

    /// Returns the report about a library of the first quarantine that has one. Returns nil if the library is not
    /// quarantined or cannot be read. This method blocks.
    func report(ofLibrary path: String) -> QuarantineReport? {
        guard let digest = try? libraryDigest(ofFile: path) else { return nil }
        return quarantine(of: digest)?.report(for: digest)
    }

    private mutating func add(
        from path: String, _ trust: Trust, _ configuration: ViperHost.Configuration, _ known: inout Set<String>
    ) {
        do {
            let folder = try OpenFolder(path, trust)
            let prefix = ServingRecord.prefix(of: configuration.root)
            for name in try folder.names(ending: ServingRecord.suffix) where name.hasPrefix(prefix) {
                do { try add(name, in: folder, trust, configuration, &known) } catch {
                    unread.append("\(path)/\(name): \(Self.cause(error))")
                }
            }
        } catch let failure as RegularFile.Failure where failure.isMissing {
            return
        } catch { unread.append("\(path): \(Self.cause(error))") }
    }

    private mutating func add(
        _ name: String, in folder: OpenFolder, _ trust: Trust, _ configuration: ViperHost.Configuration,
        _ known: inout Set<String>
    ) throws {
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
        others.append(
            Quarantine(
                folder: state.quarantine, in: state, option: " --state \(shellQuoted(record.state))",
                logger: configuration.logger))
    }

    private static func cause(_ error: any Error) -> String {
        (error as? RegularFile.Failure)?.cause ?? (error as? ViperError)?.cause ?? "\(error)"
    }
}
