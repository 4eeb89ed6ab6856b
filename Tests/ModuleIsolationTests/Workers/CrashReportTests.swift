import Testing

@testable import ModuleIsolation

/// Crash reports of Swift 6.3.1, and other output.
struct CrashReportTests {
    private let head = """
        people: loads
        Mod/mod.swift:6: Fatal error: no such person: Ada

        *** Signal 4: Backtracing from 0x7f23d7af9361... done ***

        *** Program crashed: Illegal instruction at 0x00007f23d7af9361 ***

        Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

        Thread 0 "main" crashed:

        """
    private let frames = """

          0      0x00007f23d7af9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
          1 [ra] 0x00007f23d72da383 Deep.fatal() + 98 in libModD.so at /home/ada/the module/mod.swift:6:33
          2 [ra] 0x00007f23d72da629 go + 664 in libModD.so at /home/ada/mod.swift:9:124
          3 [ra] 0x00007f23d72da777
        ...


        Backtrace took 0.06s


        """

    @Test("A fatal error has its message, its calls without addresses, and the output before it")
    func fatalError() {
        let report = CrashReport(readFrom: head + frames)
        #expect(report.reason == "Mod/mod.swift:6: Fatal error: no such person: Ada")
        #expect(
            report.frames == [
                "_assertionFailure(_:_:file:line:flags:) in libswiftCore.so",
                "Deep.fatal() in libModD.so at /home/ada/the module/mod.swift:6:33",
                "go in libModD.so at mod.swift:9:124",
                "0x00007f23d72da777 (no symbol name)",
            ])
        #expect(report.lastLines == ["people: loads"])
    }

    @Test("A bad pointer has its address, and endless recursion is one call with its count")
    func recursion() {
        let call = "[ra] 0x00007fe38c71c2fb Deep.rec(_:) + 58 in libModD.so at /home/ada/mod.swift:5:46"
        let report = CrashReport(
            readFrom: """
                *** Signal 11: Backtracing from 0x7fe38c71c2c8... done ***

                *** Program crashed: Bad pointer dereference at 0x00007ffcb38f8ff8 ***

                Thread 3 "NIO" crashed:

                     0      0x00007fe38c71c2c8 Deep.rec(_:) + 8 in libModD.so at /home/ada/mod.swift:5
                     1 \(call)
                     2 \(call)
                   ...
                174603 \(call)
                174604 [ra] 0x00007fe38c71c57e go + 493 in libModD.so at /home/ada/mod.swift:9:100

                Thread 4:

                     0      0x00007fe38c71c2c8 other + 8 in libOther.so
                """)
        #expect(report.reason == "Bad pointer dereference at 0x00007ffcb38f8ff8")
        #expect(
            report.frames == [
                "Deep.rec(_:) in libModD.so at mod.swift:5", "Deep.rec(_:) in libModD.so at mod.swift:5:46 (3 times)",
                "go in libModD.so at mod.swift:9:100",
            ])
        #expect(report.lastLines.isEmpty)
    }

    @Test("Other output has only its last lines, with control characters replaced")
    func noReport() {
        #expect(CrashReport(readFrom: "") == CrashReport(readFrom: "\n\n"))
        let report = CrashReport(readFrom: (1...99).map { "line \($0)" }.joined(separator: "\n") + "\n\u{1B}[2Jend")
        #expect(report.reason == nil && report.frames.isEmpty)
        #expect(report.lastLines == (93...99).map { "line \($0)" } + ["\u{FFFD}[2Jend"])
    }

    @Test("Without a backtrace the reason is still found")
    func noProgram() {
        let report = CrashReport(
            readFrom: "loads\nMod/mod.swift:6: Fatal error: no\n\n*** Signal 4: Backtracing from 0x7f... failed ***\n")
        #expect(report.reason == "Mod/mod.swift:6: Fatal error: no" && report.lastLines == ["loads"])
    }

    @Test("A truncated or malformed report is read as far as possible")
    func truncated() {
        let whole = head + frames
        for length in 0...whole.count {
            let report = CrashReport(readFrom: String(whole.prefix(length)))
            #expect(report.frames.count <= 4 && report.lastLines.count <= 8)
        }
        let nonsense = CrashReport(
            readFrom: "*** Program crashed: \nThread 0 crashed:\n1\n1 0x\n1 0x1 +\n1 0x1 + 1\n1 0x1 at\nx 0x1 a\n0x1")
        #expect(nonsense.reason == "" && nonsense.frames.count == 4)
    }

    @Test("A line that names the module at fault counts only if its signal has ended the process")
    func forged() {
        let line = "host: crash: signal 11 in module people 1.2.0"
        func isAccepted(_ ending: WorkerEnding) -> Bool {
            CrashReport(readFrom: "\(line)\n\(head)\(frames)", of: ending).moduleAtFault != nil
        }
        #expect(isAccepted(.signal(11)))
        for ending in [.signal(4), .signal(1), .code(11), .killedByHost] as [WorkerEnding] {
            #expect(!isAccepted(ending))
        }
        #expect(CrashReport(readFrom: line, of: .code(11)).lastLines == [])
    }

    @Test("Long output keeps its start and its end, and names the number of bytes left out")
    func excerpt() {
        var excerpt = OutputExcerpt()
        for index in 0..<100_000 { excerpt.append(Array("line \(index)\n".utf8)) }
        let lines = excerpt.text.split(separator: "\n")
        #expect(lines.first == "line 0" && lines.last == "line 99999" && excerpt.text.utf8.count < 66 << 10)
        let written = (0..<100_000).reduce(0) { $0 + "line \($1)\n".utf8.count }
        #expect(excerpt.text.contains("… \(written - (64 << 10)) bytes omitted …"))
        var small = OutputExcerpt()
        small.append(Array(repeating: UInt8(ascii: "x"), count: 64 << 10))
        #expect(small.text == String(repeating: "x", count: 64 << 10))
    }
}
