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

    /// The suffix of a report that a host has read.
    private static let suffix = ".crash"
    /// The suffix of a report that no longer counts, because its library was quarantined.
    private static let countedSuffix = ".counted"

    private struct Report {
        var path: String
        var crash: Crash
    }

    /// Returns the last crash of each module, keyed by the module's name.
    func last() -> [String: Crash] {
        var last: [String: Crash] = [:]
        for crash in [Self.countedSuffix, Self.suffix, Crash.newSuffix].flatMap(reports).map(\.crash) {
            guard let module = crash.culprit?.module else { continue }
            if crash.time >= last[module]?.time ?? 0 { last[module] = crash }
        }
        return last
    }

    /// Returns the crashes that no host has read yet, and those that have happened too often.
    ///
    /// Each crash is returned once, also if several hosts start at the same time. A library that is returned as frequent
    /// has to crash as often again before it is returned again.
    func take(at now: Int = Int(time(nil))) -> (new: [Crash], frequent: [Crash]) {
        var new: [Report] = []
        for report in reports(ending: Crash.newSuffix) {
            let path = report.path.dropLast(Crash.newSuffix.count) + Self.suffix
            // Another host may have taken the report.
            if rename(report.path, String(path)) == 0 { new.append(Report(path: String(path), crash: report.crash)) }
        }
        new.sort { $0.crash.time < $1.crash.time }
        var known = reports(ending: Self.suffix).sorted { $0.crash.time < $1.crash.time }
        var frequent: [Crash] = []
        for crash in new.map(\.crash) {
            guard let digest = crash.digest else { continue }
            let same = known.filter { $0.crash.digest == digest && abs($0.crash.time - crash.time) < Self.window }
            if same.count < Self.limit { continue }
            frequent.append(crash)
            for report in same.dropLast() { remove(report.path) }
            if let last = same.last { rename(last.path, last.path.dropLast(Self.suffix.count) + Self.countedSuffix) }
            known.removeAll { report in same.contains { $0.path == report.path } }
        }
        removeOld((known + reports(ending: Self.countedSuffix)).sorted { $0.crash.time < $1.crash.time }, at: now)
        return (new.map(\.crash), frequent)
    }

    /// Removes the reports that no longer count, except the last one of each module.
    private func removeOld(_ reports: [Report], at now: Int) {
        var seen: Set<String> = []
        for report in reports.reversed() {
            let isLast = report.crash.culprit.map { seen.insert($0.module).inserted } ?? false
            if !isLast, now - report.crash.time >= Self.window { remove(report.path) }
        }
    }

    private func reports(ending suffix: String) -> [Report] {
        let names: [String]
        do { names = try fileNames(in: folder, ending: suffix) } catch {
            logger.log(.warning, error.summary)
            return []
        }
        return names.compactMap { name in
            let path = "\(folder)/\(name)"
            do throws(RegularFile.Failure) {
                let content = try RegularFile(path: path, followsLink: false).read(limit: Crash.limit)
                if let crash = Crash(report: content) { return Report(path: path, crash: crash) }
                drop(path, "it is damaged")
            } catch {
                // Another host may have taken or removed the report.
                if !error.isMissing { drop(path, error.cause) }
            }
            return nil
        }
    }

    private func drop(_ path: String, _ cause: String) {
        logger.log(.warning, "cannot read crash report \(path): \(cause); it is removed")
        remove(path)
    }

    private func remove(_ path: String) {
        // A report that cannot be removed is read again by the next host.
        if unlink(path) != 0, errno == EISDIR { rmdir(path) }
    }
}
