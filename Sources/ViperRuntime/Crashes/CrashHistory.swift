import FoundationEssentials
import Glibc
import HostSystem
import ViperKit

/// The crashes of the hosts that use a state folder. Each crash is a file that ``CrashHandler`` has written.
///
/// The methods access files, so do not call them on the main actor.
struct CrashHistory: Sendable {
    let folder: String
    let logger: LineLogger

    /// The number of crashes within ``window`` after which a library is quarantined.
    static let limit = 3
    static let window = 600

    /// The maximum number of reports of each kind. Without a limit, a start could take seconds.
    static let reportLimit = 100

    /// The suffix of a report that a host has read.
    private static let suffix = ".crash"
    /// The suffix of a report that no longer counts, because its library was quarantined.
    private static let countedSuffix = ".counted"

    private struct Report {
        var path: String
        var crash: Crash
    }

    /// The reports that a host takes when it starts.
    struct Taken {
        /// The crashes that no host has read before, the oldest first.
        var new: [Crash]
        /// The last crash of each library that has crashed too often.
        var frequent: [Crash]
        /// The last crash of each module, keyed by the module's name.
        var last: [String: Crash]
    }

    /// Returns the last crash of each module, keyed by the module's name.
    func last() -> [String: Crash] {
        let all = [Self.countedSuffix, Self.suffix, Crash.newSuffix].flatMap { reports(ending: $0) }
        return Self.lastReports(all).mapValues(\.crash)
    }

    /// Takes the crashes that no host has read yet. Removes damaged and old reports.
    ///
    /// Each crash is returned once, even if several hosts start at the same time. A library that is returned as frequent
    /// has to crash as often again before it is returned again.
    func take(at now: Int = Int(time(nil))) -> Taken {
        prune()
        // Another host may take a report first.
        let new = reports(ending: Crash.newSuffix, removesDamaged: true).compactMap { renamed($0, to: Self.suffix) }
            .sorted { $0.crash.time < $1.crash.time }
        let earlier = reports(ending: Self.suffix, removesDamaged: true, except: Set(new.map(\.path)))
        let newDigests = Set(new.compactMap(\.crash.digest))
        var frequent: [Crash] = []
        var rest = reports(ending: Self.countedSuffix, removesDamaged: true)
        let known = (earlier + new).sorted { $0.crash.time < $1.crash.time }
        for (digest, same) in Dictionary(grouping: known, by: \.crash.digest) {
            guard let digest, newDigests.contains(digest), Self.isFrequent(same), let last = same.last else {
                rest += same
                continue
            }
            frequent.append(last.crash)
            for report in same.dropLast() { unlink(report.path) }
            if let last = renamed(last, to: Self.countedSuffix) { rest.append(last) }
        }
        let last = Self.lastReports(rest)
        for report in rest where report.path != report.crash.moduleAtFault.flatMap({ last[$0.name]?.path }) {
            // Crashes count only for a library.
            if report.crash.digest == nil || now - report.crash.time >= Self.window { unlink(report.path) }
        }
        return Taken(
            new: new.map(\.crash), frequent: frequent.sorted { $0.time < $1.time }, last: last.mapValues(\.crash))
    }

    /// Removes the oldest reports of each kind if there are too many. This can happen if no host of this state folder takes
    /// them.
    func prune() {
        // A handler leaves an incomplete report if its process is killed.
        for suffix in [Crash.newSuffix, Crash.unfinishedSuffix, Self.suffix, Self.countedSuffix] {
            // The names begin with the time at which the host has started.
            for name in names(ending: suffix).dropLast(Self.reportLimit) { unlink("\(folder)/\(name)") }
        }
    }

    /// Returns true if enough of a library's crashes, which are sorted by time, lie within the window.
    private static func isFrequent(_ reports: [Report]) -> Bool {
        zip(reports, reports.dropFirst(limit - 1)).contains { $1.crash.time - $0.crash.time < window }
    }

    private static func lastReports(_ reports: [Report]) -> [String: Report] {
        reports.reduce(into: [:]) { last, report in
            guard let name = report.crash.moduleAtFault?.name else { return }
            if report.crash.time >= last[name]?.crash.time ?? 0 { last[name] = report }
        }
    }

    /// Changes the suffix of a report. Returns nil if the report cannot be renamed.
    private func renamed(_ report: Report, to suffix: String) -> Report? {
        guard let dot = report.path.lastIndex(of: ".") else { return nil }
        let path = report.path[..<dot] + suffix
        return rename(report.path, String(path)) == 0 ? Report(path: String(path), crash: report.crash) : nil
    }

    private func names(ending suffix: String) -> [String] {
        do { return try fileNames(in: folder, ending: suffix) } catch {
            logger.log(.warning, error.summary)
            return []
        }
    }

    private func reports(
        ending suffix: String, removesDamaged: Bool = false, except known: Set<String> = []
    ) -> [Report] {
        names(ending: suffix).suffix(Self.reportLimit).compactMap { name in
            let path = "\(folder)/\(name)"
            if known.contains(path) { return nil }
            do throws(RegularFile.Failure) {
                // One byte more shows that the file is too large for a report.
                let content = try RegularFile(path: path, followsLink: false).read(at: 0, count: Crash.limit + 1)
                if let crash = Crash(report: content) { return Report(path: path, crash: crash) }
                if removesDamaged {
                    logger.log(.warning, "cannot read crash report \(path): it is damaged; it is removed")
                    unlink(path)
                }
            } catch {
                // Another host may have taken or removed the report.
                if !error.isMissing { logger.log(.warning, "cannot read crash report \(path): \(error.cause)") }
            }
            return nil
        }
    }
}
