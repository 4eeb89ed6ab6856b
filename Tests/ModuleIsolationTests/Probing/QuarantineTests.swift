import Foundation
import Glibc
import HostDriver
import ModuleCatalog
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleIsolation

@Suite(.fewAtOnce, .hangLimit)
struct QuarantineTests {
    private let scratch: ScratchFolder
    private let log = Steps()
    private let quarantine: Quarantine
    private var folder: String { scratch.path + "/state/quarantine" }

    init() throws {
        scratch = try ScratchFolder()
        quarantine = Quarantine(
            folder: scratch.path + "/state/quarantine",
            logger: LineLogger(source: "host", minimum: .warning) { [log] in log.add($0) })
    }

    private func report(_ text: String = "library", module: String = "people") -> QuarantineReport {
        QuarantineReport(
            module: module, library: "libPeople.so", digest: Digest(of: Array(text.utf8)), phase: "make",
            ending: "signal 11 (Segmentation fault)", backtrace: "0 one\n1 two\n", output: "hello\n")
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("A library stays quarantined for every host until its report is removed")
    func untilRemoved() throws {
        let report = report()
        #expect(quarantine.report(for: report.digest) == nil)
        quarantine.put(report)
        let other = Quarantine(folder: folder, logger: LineLogger(source: "", minimum: .error) { _ in })
        #expect(other.report(for: report.digest) == report)
        #expect(other.report(for: Digest(of: Array("fixed".utf8))) == nil)
        #expect(try other.all() == [report])
        #expect(mode(folder) == 0o700 && mode("\(folder)/\(report.digest).json") == 0o600)
        try other.remove(report.digest)
        #expect(quarantine.report(for: report.digest) == nil)
        try other.remove(report.digest)
        #expect(try quarantine.all() == [])
        // No folder remains that would slow down the next start.
        #expect(!isFolder(folder) && log.all == [])
    }

    @Test("A report whose module is not a module's name is damaged, because a command would contain the name")
    func invalidName() throws {
        let report = report(module: "people; id")
        quarantine.put(report)
        let shown = try #require(quarantine.report(for: report.digest))
        #expect(shown.module.isEmpty && shown.refusal.fix?.hasSuffix(" retry \(shown.shortDigest)") == true)
        #expect(log.all.count == 1 && log.all[0].contains("is not a module's name"), "\(log.all)")
    }

    @Test("A folder of reports that cannot be read gives one warning, however many libraries are checked")
    func unreadable() throws {
        // A link to itself.
        symlink(scratch.path + "/state", scratch.path + "/state")
        for text in ["one", "two"] { #expect(quarantine.report(for: report(text).digest) == nil) }
        #expect(log.all.count == 1 && log.all[0].contains("cannot read quarantine reports"), "\(log.all)")
    }

    @Test("While the host is ending, no library is quarantined")
    func ending() throws {
        quarantine.end()
        quarantine.put(report())
        #expect(try quarantine.all() == [] && !isFolder(folder))
    }

    @Test("The digest is not computed while nothing is quarantined")
    func lazy() {
        var count = 0
        func digest() -> Digest {
            count += 1
            return Digest(of: [UInt8]())
        }
        #expect(quarantine.report(for: digest()) == nil)
        #expect(count == 0)
        quarantine.put(report())
        #expect(quarantine.report(for: digest()) == nil)
        #expect(count == 1)
    }

    @Test(
        "Long backtraces keep their start and long outputs their end, also with characters that JSON escapes")
    func long() throws {
        for text in ["a", "é", "\u{1}", "\"", "\u{1F469}"] {
            let long = String(repeating: text, count: 200_000)
            let report = QuarantineReport(
                module: "people", library: "libPeople.so", digest: Digest(of: Array(text.utf8)), phase: "load",
                ending: "exited by itself with 0", backtrace: "first\n" + long, output: long + "\nlast")
            #expect(report.backtrace.hasPrefix("first\n") && report.output.hasSuffix("\nlast"))
            // The character at the cut may become the replacement character, which can have more bytes.
            #expect(report.backtrace.utf8.count <= (64 << 10) + 9 && report.output.utf8.count <= (64 << 10) + 9)
            quarantine.put(report)
            #expect(quarantine.report(for: report.digest) == report)
        }
        #expect(log.all == [])
    }

    @Test("The time of a report is in UTC")
    func time() throws {
        let date = try Date(report().when, strategy: .iso8601)
        #expect(abs(date.timeIntervalSinceNow) < 3600)
        #expect(report().when.hasSuffix("Z"))
    }

    @Test(
        "An unreadable report still quarantines its library",
        arguments: ["", "{", "null", "[]", "{}", "\u{0}", "cut", "other", "huge", "folder", "link", "pipe"])
    func damaged(content: String) throws {
        let report = report()
        quarantine.put(report)
        let path = "\(folder)/\(report.digest).json"
        let good = try Data(contentsOf: URL(filePath: path))
        let name = "state/quarantine/\(report.digest).json"
        unlink(path)
        switch content {
        case "cut": try scratch.write(good.prefix(good.count / 2), to: name)
        case "other": try scratch.write(good, to: "state/quarantine/\(Digest(of: Array("x".utf8))).json")
        case "huge": try scratch.write(good + Data(repeating: 0x20, count: 2 << 20), to: name)
        case "folder": mkdir(path, 0o700)
        case "link": symlink("/dev/zero", path)
        case "pipe": mkfifo(path, 0o600)
        default: try scratch.write(content, to: name)
        }
        let digest = content == "other" ? Digest(of: Array("x".utf8)) : report.digest
        let read = try #require(quarantine.report(for: digest))
        #expect(read.digest == digest && read.ending.hasPrefix("its report cannot be read: "))
        #expect(try quarantine.all() == [read])
        #expect(read.refusal.code == .libraryQuarantined && read.refusal.subject == read.shortDigest)
        #expect(log.all.allSatisfy { $0.contains("the library remains quarantined") })
        if content == "folder" {
            #expect(throws: ViperError.self) { try quarantine.remove(digest) }
        } else {
            try quarantine.remove(digest)
            #expect(quarantine.report(for: digest) == nil)
        }
    }

    @Test("Unrelated files in the folder are ignored and kept")
    func strangers() throws {
        let report = report()
        quarantine.put(report)
        let digits = report.digest.description
        let names = [
            "README", "a.json", ".json", "\(digits.uppercased()).json", "\(digits)", "\(digits).json.new",
            "x\u{1B}[2J\n.json",
            ".\(digits).4711", "\(digits)0.json", "é\(digits.dropFirst(2)).json",
        ]
        for name in names { try scratch.write("{}", to: "state/quarantine/\(name)") }
        #expect(try quarantine.all() == [report])
        try quarantine.remove(report.digest)
        #expect(try quarantine.all() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == names.count)
    }

    @Test("If the folder cannot be written, the library is quarantined in memory")
    func unwritable() throws {
        try scratch.write("", to: "state")
        let report = report()
        quarantine.put(report)
        #expect(quarantine.report(for: report.digest) == report)
        #expect(try quarantine.all() == [report])
        let line = try #require(log.all.first)
        #expect(line.hasPrefix("host: warning: cannot create folder"), "\(line)")
        #expect(line.hasSuffix("Not a directory; libPeople.so is quarantined until this host exits"), "\(line)")
        try quarantine.remove(report.digest)
        #expect(quarantine.report(for: report.digest) == nil)
    }

    @Test("If the disk is full, the library is quarantined in memory until a later write succeeds")
    func fullDisk() async throws {
        let folder = folder
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let log = Steps()
            let quarantine = Quarantine(
                folder: folder, logger: LineLogger(source: "host", minimum: .warning) { log.add($0) })
            let report = QuarantineReport(
                module: "people", library: "libPeople.so", digest: Digest(of: [UInt8]()), phase: "make", ending: "x")
            // A limit on the file size simulates a full disk: the system refuses to write the rest.
            signal(SIGXFSZ, SIG_IGN)
            var (limit, none) = (rlimit(), rlimit())
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            none = limit
            none.rlim_cur = 10
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none)
            quarantine.put(report)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            precondition(log.all.count == 1 && log.all[0].contains("File too large; libPeople.so is"), "\(log.all)")
            precondition(quarantine.report(for: report.digest) == report)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            precondition(left == [])
            quarantine.put(report)
            precondition(log.all.count == 1)
            let other = Quarantine(folder: folder, logger: LineLogger(source: "", minimum: .error) { _ in })
            precondition(other.report(for: report.digest) == report)
        }
    }

    @Test("Concurrent hosts never read a partial report")
    func atTheSameTime() async throws {
        let folder = folder
        let reports = (0..<3).map { report("library \($0)") }
        let results = await atOnce(6) { () -> [String] in
            let log = Steps()
            let own = Quarantine(folder: folder, logger: LineLogger(source: "host", minimum: .warning) { log.add($0) })
            return await onOwnThread {
                for round in 0..<30 {
                    let report = reports[round % 3]
                    own.put(report)
                    if let read = own.report(for: report.digest), read != report { log.add("\(read)") }
                    if round % 5 == 0 { do { try own.remove(report.digest) } catch { log.add("\(error)") } }
                }
                return log.all
            }
        }
        #expect(results.flatMap { $0 } == [])
    }

    @Test("The refusal names the crash, its time and a fix")
    func refusal() {
        var report = report()
        report.when = "2026-01-31T12:00:00Z"
        report.backtrace = (1...9).map { "\($0) at file.swift:\($0)" }.joined(separator: "\n\n")
        let error = report.refusal
        #expect(
            error.summary
                == "cannot load library \"libPeople.so\": it is quarantined; "
                + "its worker crashed with signal 11 (Segmentation fault) while creating the module"
        )
        #expect(error.notes.map(\.label) == Array(repeating: "backtrace", count: 5) + ["when", "digest"])
        #expect(error.notes.map(\.text).suffix(2) == ["2026-01-31T12:00:00Z", report.digest.description])
        #expect(
            error.fix
                == "replace the library, or retry it with host quarantine retry people")
        (report.phase, report.ending) = ("load", "took longer than 10 s")
        #expect(report.refusal.cause == "it is quarantined; its worker took longer than 10 s while loading the library")
        (report.phase, report.ending) = ("event", "exited with code 0")
        #expect(report.refusal.cause == "it is quarantined; its worker exited with code 0 while handling an event")
        (report.phase, report.excess) = ("call", "5 crashes within 60 s")
        #expect(
            report.refusal.cause
                == "it is quarantined after 5 crashes within 60 s; its worker exited with code 0 during a call")
    }
}
