import FoundationEssentials
import Glibc
package import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// The libraries that the host does not load because they crashed, hung or ended their process.
///
/// A library is identified by its digest, so a changed library is tried again, but a renamed library is not. Each
/// report is a file `quarantine/DIGEST.json` in the state folder, which several hosts may share. A command also respects
/// the quarantines of the hosts that serve its root with other state folders.
///
/// Most methods access files, so do not call them on the main actor.
package final class Quarantine: Sendable {
    /// The folder that contains the reports. It does not exist if there are no reports.
    package let folder: String
    /// The state folder, which is checked before each write.
    private let state: StateRoot?
    /// The `--state` option to append to suggested commands. Empty if it is not needed.
    private let option: String
    private let logger: LineLogger
    /// Returns the quarantines of other hosts. This closure accesses files.
    private let others: @Sendable () -> [Quarantine]
    /// A folder that cannot be read is one problem, however many libraries are checked.
    private let folderWarnings: DistinctWarnings
    /// True if the host is ending, so that its workers may end for reasons other than their libraries.
    private let isEnding = Atomic(false)
    /// The reports that could not be written. They apply until this process exits.
    private let unwritten = Mutex<[Digest: QuarantineReport]>([:])

    /// The maximum size of a report in bytes. One byte of text can take up to six bytes in JSON.
    private static let limit = 1 << 20
    private static let suffix = ".json"

    package init(
        folder: String, in state: StateRoot? = nil, option: String = "", logger: LineLogger,
        others: @escaping @Sendable () -> [Quarantine] = { [] }
    ) {
        (self.folder, self.state, self.option, self.logger) = (folder, state, option, logger)
        self.others = others
        folderWarnings = DistinctWarnings(logger)
    }

    /// Returns the error for a quarantined library, with a command that retries the library.
    package func refusal(of report: QuarantineReport) -> ViperError {
        var error = report.refusal
        error.fix? += option
        return error
    }

    /// Returns the error for a library that another host has quarantined, or nil.
    package func refusal(ofOthers digest: Digest) -> ViperError? {
        reportOfOthers(for: digest).map { refusal(of: $0) }
    }

    /// Returns the report about a quarantined library. Returns nil if the library is not quarantined. If there are no
    /// reports, the digest is not computed.
    package func report(for digest: @autoclosure () -> Digest) -> QuarantineReport? {
        ownReport(for: digest()) ?? reportOfOthers(for: digest())
    }

    private func reportOfOthers(for digest: @autoclosure () -> Digest) -> QuarantineReport? {
        for other in others() {
            if let report = other.ownReport(for: digest()) { return report }
        }
        return nil
    }

    private func ownReport(for digest: @autoclosure () -> Digest) -> QuarantineReport? {
        let isEmpty = unwritten.withLock { $0.isEmpty }
        if isEmpty, access(folder, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
        let digest = digest()
        return unwritten.withLock { $0[digest] } ?? read(digest)
    }

    /// Stops accepting reports, because the host is ending.
    package func end() { isEnding.store(true, ordering: .relaxed) }

    package var isOver: Bool { isEnding.load(ordering: .relaxed) }

    /// Quarantines a library, unless the host is ending. If the report cannot be written, it is kept in memory and a
    /// warning is logged.
    package func put(_ report: QuarantineReport) {
        if isEnding.load(ordering: .relaxed) { return }
        // The lock is held during the write, so that two threads do not write the same file.
        let failure = unwritten.withLock { unwritten -> ViperError? in
            do throws(ViperError) {
                try write(report)
                unwritten[report.digest] = nil
                return nil
            } catch {
                unwritten[report.digest] = report
                return error
            }
        }
        guard let failure else { return }
        logger.log(.warning, "\(failure.summary); \(report.library) is quarantined until this host exits")
    }

    /// Removes a library from this quarantine and from those of other hosts.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if a report cannot be removed.
    package func remove(_ digest: Digest) throws(ViperError) {
        try removeOwn(digest)
        for other in others() where other.ownReport(for: digest) != nil {
            try other.state?.check()
            try other.removeOwn(digest)
        }
    }

    private func removeOwn(_ digest: Digest) throws(ViperError) {
        unwritten.withLock { $0[digest] = nil }
        guard unlink(path(digest)) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            let number = errno
            var failure = storeFailure("cannot remove file", path(digest), errno: number)
            if [EACCES, EPERM].contains(number) {
                failure.fix = "run the command as root, or as the owner of its folder"
            }
            throw failure
        }
        try syncNames()
        // This fails if the folder is not empty, which is harmless.
        rmdir(folder)
    }

    /// Returns all reports, sorted by module name. If a library is in several quarantines, its report is from the first
    /// one.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable`` if the folder that contains the reports cannot be read.
    package func all() throws(ViperError) -> [QuarantineReport] {
        var reports = unwritten.withLock { $0 }
        for name in try fileNames(in: folder, ending: Self.suffix) {
            guard let digest = Digest(String(name.dropLast(Self.suffix.count))), reports[digest] == nil else {
                continue
            }
            reports[digest] = read(digest)
        }
        for other in others() {
            for report in try other.all() where reports[report.digest] == nil { reports[report.digest] = report }
        }
        return reports.values.sorted {
            if $0.module != $1.module { return $0.module < $1.module }
            return $0.when != $1.when ? $0.when < $1.when : $0.digest.description < $1.digest.description
        }
    }

    private func path(_ digest: Digest) -> String { "\(folder)/\(digest)\(Self.suffix)" }

    /// Returns the report for a digest, or nil if there is no report. A damaged report still quarantines the library.
    private func read(_ digest: Digest) -> QuarantineReport? {
        let path = path(digest)
        do {
            let bytes = [UInt8](try RegularFile(path: path, followsLink: false).read(limit: Self.limit))
            let report = try FoundationJSONCoder().decode(QuarantineReport.self, from: bytes, named: path)
            if report.digest != digest {
                return QuarantineReport(damaged: digest, cause: "it belongs to another library")
            }
            // The name becomes a part of a command. Another user may have written the report.
            guard Manifest.isName(report.module) else {
                return damaged(digest, "its module \"\(report.module)\" is not a module's name")
            }
            return report
        } catch let failure as RegularFile.Failure {
            if failure.isMissing { return nil }
            var status = stat()
            if lstat(path, &status) == 0 { return damaged(digest, failure.cause) }
            // It is not known whether a report exists. Refusing every library would not help.
            folderWarnings.add("cannot read quarantine reports in \(folder): \(failure.cause)")
            return nil
        } catch {
            return damaged(digest, (error as? ViperError)?.cause ?? "\(error)")
        }
    }

    private func damaged(_ digest: Digest, _ cause: String) -> QuarantineReport {
        logger.log(.warning, "cannot read \(path(digest)): \(cause); the library remains quarantined")
        return QuarantineReport(damaged: digest, cause: cause)
    }

    /// Writes a report to a temporary file, then renames it.
    private func write(_ report: QuarantineReport) throws(ViperError) {
        let bytes = try FoundationJSONCoder().encode(report)
        try makeFolder(folder)
        try state?.check()
        // Another process may write the same report.
        let new = "\(folder)/.\(report.digest).\(UInt64.random(in: .min ... .max))"
        for attempt in 1... {
            do throws(ViperError) {
                try writeSynced(bytes, to: new)
                break
            } catch {
                // Other processes may have removed the last report and the folder, and created the folder again.
                if error.cause != String(cString: strerror(ENOENT)) || attempt == 10 { throw error }
                try makeFolder(folder)
            }
        }
        guard rename(new, path(report.digest)) == 0 else {
            let failure = storeFailure("cannot write file", path(report.digest))
            unlink(new)
            throw failure
        }
        try syncNames()
    }

    private func syncNames() throws(ViperError) {
        do { try syncFolder(folder) } catch {
            // Another process may have removed the last report and the folder.
            if isFolder(folder) { throw error }
        }
    }
}
