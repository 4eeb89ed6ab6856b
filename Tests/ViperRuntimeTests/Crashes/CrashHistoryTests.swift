import Foundation
import HostDriver
import HostSystem
import Synchronization
import Testing
import ViperKit

@testable import ViperRuntime

struct CrashHistoryTests {
    private let scratch: ScratchFolder
    private let history: CrashHistory
    private static let now = 1_000_000

    init() throws {
        scratch = try ScratchFolder()
        history = CrashHistory(
            folder: scratch.path + "/crashes", logger: LineLogger(source: "host", minimum: .warning) { _ in })
    }

    private func add(_ name: String, at time: Int, module: String = "people", digest: Character = "a") throws {
        let digest = String(repeating: digest, count: 64)
        try scratch.write("1 11 \(time) \(module) 1.0.0 \(digest) -\n", to: "crashes/\(name).new")
    }

    private func take() -> (new: [Int], frequent: [Int]) {
        let taken = history.take(at: Self.now)
        #expect(taken.last.mapValues(\.time) == history.last().mapValues(\.time))
        return (taken.new.map(\.time), taken.frequent.map(\.time))
    }

    @Test("Without a folder there are no crashes")
    func none() { #expect(take() == ([], []) && history.last().isEmpty) }

    @Test("Each crash is taken once, the oldest first, and the last one of each module is kept")
    func once() throws {
        try add("1", at: Self.now - 10)
        try add("2", at: Self.now - 20)
        try add("3", at: Self.now - 9000, module: "todo", digest: "b")
        #expect(take() == ([Self.now - 9000, Self.now - 20, Self.now - 10], []))
        #expect(take() == ([], []))
        #expect(history.last().mapValues(\.time) == ["people": Self.now - 10, "todo": Self.now - 9000])
    }

    @Test("Three crashes of a library within ten minutes are frequent, even if earlier hosts have taken two")
    func frequent() throws {
        try add("1", at: Self.now - 599)
        try add("2", at: Self.now - 300)
        #expect(take().frequent == [])
        try add("3", at: Self.now - 1)
        #expect(take() == ([Self.now - 1], [Self.now - 1]))
        #expect(history.last().mapValues(\.time) == ["people": Self.now - 1])
        // After a retry, two more crashes are allowed, and the third is too many.
        for name in ["4", "5"] {
            try add(name, at: Self.now)
            #expect(take().frequent == [])
        }
        try add("6", at: Self.now)
        #expect(take().frequent == [Self.now])
    }

    @Test("Crashes of other libraries, and crashes of more than ten minutes ago, do not count")
    func rare() throws {
        for (index, digest) in "abc".enumerated() { try add("\(index)", at: Self.now, digest: digest) }
        try add("8", at: Self.now - 600)
        try add("9", at: Self.now - 1200)
        #expect(take().frequent == [])
    }

    @Test("Old reports are removed, except the last one of each module")
    func old() throws {
        for index in 1...50 { try add("\(index)", at: index, digest: "a") }
        try scratch.write("1 6 5 - - - -\n", to: "crashes/unknown.new")
        _ = take()
        #expect(history.last().mapValues(\.time) == ["people": 50])
        #expect(try FileManager.default.contentsOfDirectory(atPath: history.folder).count == 1)
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: history.folder).sorted() }
    }

    @Test("Only a damaged report is removed, and only when reports are taken")
    func damaged() throws {
        try add("1", at: Self.now)
        try scratch.write("1 11", to: "crashes/2.new")
        try scratch.write(String(repeating: "x", count: 5000), to: "crashes/3.new")
        try scratch.write("1 11", to: "crashes/4.part")
        try FileManager.default.createSymbolicLink(atPath: "\(history.folder)/5.new", withDestinationPath: "4.part")
        #expect(history.last().count == 1)
        #expect(try files == ["1.new", "2.new", "3.new", "4.part", "5.new"])
        #expect(take() == ([Self.now], []))
        #expect(try files == ["1.crash", "4.part", "5.new"])
    }

    @Test("Only the newest reports of each kind are kept")
    func newest() throws {
        for index in 0..<150 {
            try add("\(1000 + index)", at: Self.now)
            for suffix in ["part", "crash", "counted"] {
                try scratch.write("", to: "crashes/\(1000 + index).\(suffix)")
            }
        }
        history.prune()
        #expect(try files.first == "1050.counted" && files.count == 4 * CrashHistory.reportLimit)
        #expect(take().new.count == CrashHistory.reportLimit)
    }

    @Test("At most the newest reports of each kind are read, with one warning for each")
    func warnings() throws {
        let count = Mutex(0)
        let logger = LineLogger(source: "host", minimum: .warning) { _ in count.withLock { $0 += 1 } }
        let history = CrashHistory(folder: history.folder, logger: logger)
        for index in 0..<150 {
            for suffix in ["new", "crash", "counted"] {
                try scratch.write("", to: "crashes/\(1000 + index).\(suffix)/file")
            }
        }
        #expect(history.last().isEmpty)
        #expect(count.withLock(\.self) == 3 * CrashHistory.reportLimit)
        _ = history.take(at: Self.now)
        #expect(count.withLock(\.self) == 6 * CrashHistory.reportLimit)
    }

    @Test("Many crashes within ten minutes are frequent once, and the reports that do not count are removed")
    func many() throws {
        for index in 0..<50 { try add("a\(index)", at: Self.now - index) }
        for index in 0..<50 { try scratch.write("1 6 \(Self.now) - - - -\n", to: "crashes/b\(index).new") }
        let taken = take()
        #expect(taken.new.count == 100 && taken.frequent == [Self.now])
        #expect(try files == ["a0.counted"])
    }
}
