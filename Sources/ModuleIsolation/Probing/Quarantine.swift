import FoundationEssentials
import Glibc
package import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// The libraries that are not loaded, because they have crashed, hung or ended a process when they were tried.
///
/// A library is known by its digest, so that a mended one is tried at once, and the same one under another name is not. Each has a
/// file with its report, `quarantine/DIGEST.json` in the state folder, and several hosts may share them. The calls read and write
/// these files; they are not for the main actor.
package final class Quarantine: Sendable {
    /// Where the reports are. There is no such folder when there are none.
    package let folder: String
    /// What the folder is in, whose rule counts.
    private let state: StateRoot?
    /// What a command needs to find it.
    private let option: String
    private let logger: LineLogger
    /// Those that could not be written. They count as long as this process lives.
    private let unwritten = Mutex<[Digest: QuarantineReport]>([:])

    /// In bytes. JSON takes up to six for each byte of a text.
    private static let limit = 1 << 20
    private static let suffix = ".json"

    package init(folder: String, in state: StateRoot? = nil, option: String = "", logger: LineLogger) {
        (self.folder, self.state, self.option, self.logger) = (folder, state, option, logger)
    }

    /// Why a library is refused, as an error that says how to have it tried again.
    func refusal(of report: QuarantineReport) -> ViperError {
        var error = report.refusal
        error.mend? += option
        return error
    }

    /// Why a library is quarantined; nil when it is not. Where there is no report at all, the digest is not even made.
    package func report(for digest: @autoclosure () -> Digest) -> QuarantineReport? {
        let isEmpty = unwritten.withLock { $0.isEmpty }
        if isEmpty, access(folder, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
        let digest = digest()
        return unwritten.withLock { $0[digest] } ?? read(digest)
    }

    /// Quarantines a library. When that cannot be written, it is so for this process only, and the log says why.
    package func put(_ report: QuarantineReport) {
        // Held until it is written, so that no two threads write the same file.
        unwritten.withLock { unwritten in
            do throws(ViperError) {
                try write(report)
                unwritten[report.digest] = nil
            } catch {
                unwritten[report.digest] = report
                logger.log(.warning, "\(error.summary); \(report.library) is quarantined until this host ends")
            }
        }
    }

    /// Lets a library be tried again.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` when its report cannot be removed.
    package func remove(_ digest: Digest) throws(ViperError) {
        unwritten.withLock { $0[digest] = nil }
        guard unlink(path(digest)) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw storeFailure("cannot remove", path(digest))
        }
        try syncNames()
        // Fails while something is in it.
        rmdir(folder)
    }

    /// All reports, by the names of their modules.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable``.
    package func all() throws(ViperError) -> [QuarantineReport] {
        var reports = unwritten.withLock { $0 }
        for name in try fileNames(in: folder, ending: Self.suffix) {
            // Nothing else that lies there is of any concern.
            guard let digest = Digest(String(name.dropLast(Self.suffix.count))), reports[digest] == nil else {
                continue
            }
            // Another host may have removed it meanwhile.
            reports[digest] = read(digest)
        }
        return reports.values.sorted {
            if $0.module != $1.module { return $0.module < $1.module }
            return $0.when != $1.when ? $0.when < $1.when : $0.digest.description < $1.digest.description
        }
    }

    private func path(_ digest: Digest) -> String { "\(folder)/\(digest)\(Self.suffix)" }

    /// The report from a file; one that is damaged counts all the same.
    private func read(_ digest: Digest) -> QuarantineReport? {
        let path = path(digest)
        do {
            let bytes = [UInt8](try RegularFile(path: path, followsLink: false).read(limit: Self.limit))
            let report = try FoundationJSONCoder().decode(QuarantineReport.self, from: bytes, named: path)
            return report.digest == digest
                ? report : QuarantineReport(damaged: digest, cause: "it is of another library")
        } catch let failure as RegularFile.Failure {
            if failure.isMissing { return nil }
            var status = stat()
            if lstat(path, &status) == 0 { return damaged(digest, failure.cause) }
            // Not even whether there is a report can be told. Refusing every library for that would help nobody.
            logger.log(.warning, "cannot look for quarantined libraries in \(folder): \(failure.cause)")
            return nil
        } catch {
            return damaged(digest, (error as? ViperError)?.cause ?? "\(error)")
        }
    }

    private func damaged(_ digest: Digest, _ cause: String) -> QuarantineReport {
        logger.log(.warning, "cannot read \(path(digest)): \(cause); the library counts as quarantined")
        return QuarantineReport(damaged: digest, cause: cause)
    }

    /// Writes a report beside its place, and moves it there when it is on the disk.
    private func write(_ report: QuarantineReport) throws(ViperError) {
        let bytes = try FoundationJSONCoder().encode(report)
        try makeFolder(folder)
        try state?.check()
        // Another process may write the same report.
        let new = "\(folder)/.\(report.digest).\(UInt64.random(in: .min ... .max))"
        do { try writeSynced(bytes, to: new) } catch {
            // Another process may have removed the last report meanwhile, and the folder with it.
            if isFolder(folder) { throw error }
            try makeFolder(folder)
            try writeSynced(bytes, to: new)
        }
        guard rename(new, path(report.digest)) == 0 else {
            let failure = storeFailure("cannot write", path(report.digest))
            unlink(new)
            throw failure
        }
        try syncNames()
    }

    private func syncNames() throws(ViperError) {
        do { try syncFolder(folder) } catch {
            // Another process may have removed the last report meanwhile, and the folder with it.
            if isFolder(folder) { throw error }
        }
    }
}
