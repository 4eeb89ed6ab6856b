import TestSupport
import Testing
import ViperKit

@testable import HostSystem

struct LineLoggerTests {
    private let lines = Steps()

    private func logger(_ minimum: LogLevel) -> LineLogger {
        LineLogger(source: "host", minimum: minimum) { [lines] in lines.add($0) }
    }

    @Test("A line names its source and its level")
    func line() {
        logger(.debug).log(.warning, "disk is full")
        logger(.debug).named("people").log(.info, "3 read")
        #expect(lines.all == ["host: warning: disk is full", "people: info: 3 read"])
    }

    @Test("A message below the minimum level is not evaluated")
    func level() {
        let tally = Tally()
        for level in [LogLevel.debug, .info, .warning, .error] { logger(.warning).log(level, "\(tally.next())") }
        #expect(lines.all == ["host: warning: 1", "host: error: 2"])
    }

    @Test("A level between two known ones is written if it is severe enough, under the name of the lower one")
    func unknownLevel() {
        #expect([LogLevel.error, .info, .debug, .warning].sorted() == [.debug, .info, .warning, .error])
        for level in [0, 250, 350, 500] { logger(.warning).log(LogLevel(rawValue: level), "x") }
        #expect(lines.all == ["host: warning: x", "host: error: x"])
    }

    @Test("Modules can have their own minimum level")
    func modules() {
        let logger = LineLogger(source: "host", minimum: .info, modules: .warning) { [lines] in lines.add($0) }
        logger.log(.info, "people was added")
        logger.named("people").log(.info, "3 read")
        logger.named("people").log(.warning, "1 is broken")
        #expect(lines.all == ["host: info: people was added", "people: warning: 1 is broken"])
    }

    @Test(
        "A line that another process logged keeps its level, and other output is information",
        arguments: [
            ("people: warning: a: b", LogLevel.warning, "a: b"), ("people: debug: x", .debug, "x"),
            ("sqlite: error: x", .error, "sqlite: x"), ("people: x", .info, "people: x"), ("", .info, ""),
            ("people: warning", .info, "people: warning"),
            ("a.swift:7: Fatal error: x", .info, "a.swift:7: Fatal error: x"),
        ])
    func read(line: String, level: LogLevel, text: String) {
        let read = LogLevel.read(line, of: "people")
        #expect(read.0 == level && read.1 == text)
    }

    @Test("A message stays on one line, and control characters are replaced")
    func oneLine() {
        logger(.debug).log(.error, "a\nb\u{1B}[2J")
        #expect(lines.all == ["host: error: a\u{FFFD}b\u{FFFD}[2J"])
    }
}
