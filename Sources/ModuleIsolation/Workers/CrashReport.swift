import HostSystem

/// A crash report that a worker's Swift runtime wrote to standard error.
struct CrashReport: Sendable, Equatable {
    /// The cause of the crash, such as `Mod/Mod.swift:6: Fatal error: Index out of range` or
    /// `Bad pointer dereference at 0x0000000000000008`.
    var reason: String?
    /// The crashed thread's stack, with the innermost call first. A frame has the form `People.load() in libPeople.so
    /// at People.swift:12:5`.
    var frames: [String] = []
    var lastLines: [String] = []
    /// The module whose code has crashed, as the worker's ``CrashHandler`` has found. Nil if it is unknown.
    var moduleAtFault: Crash.ModuleAtFault?

    /// The value of `SWIFT_BACKTRACE`. A report about a very deep stack contains both ends of the stack.
    static let settings =
        "enable=yes,warnings=suppressed,color=no,interactive=no,threads=crashed,images=none,registers=none,"
        + "symbolicate=fast,limit=24,top=8"

    private static let lineLimit = 8

    /// Creates a report by reading the output of a process.
    ///
    /// - Parameters:
    ///   - output: The process's standard error, or at least the end of it.
    ///   - ending: The end of the process. The module could have written a line like that of ``CrashHandler``, so the line
    ///     counts only if it has the signal that ended the process.
    init(readFrom output: String, of ending: WorkerEnding? = nil) {
        let lines = output.split(whereSeparator: \.isNewline).map { printable(String($0)) }
        let crash = lines.lastIndex { $0.hasPrefix("*** Program crashed: ") }
        // A report starts with a `*** Signal` line. A module can write a fake report, which only misleads the reader.
        let start = crash.map { crash in lines[..<crash].lastIndex { $0.hasPrefix("*** Signal ") } ?? crash }
        let own = lines[..<(start ?? lines.endIndex)].suffix(Self.lineLimit)
        reason = own.last { $0.contains("Fatal error: ") } ?? crash.map { Self.reason(in: lines[$0]) }
        if let crash { frames = Self.frames(in: lines[crash...]) }
        if case .signal(let signal) = ending {
            moduleAtFault = lines.compactMap { Crash.ModuleAtFault(line: $0, signal: signal) }.last
        }
        // If the backtrace program is not installed, the runtime writes only the signal line.
        lastLines = own.filter {
            $0 != reason && !$0.hasPrefix("*** Signal ") && !$0.hasPrefix("host: crash: ")
        }
    }

    /// Returns the reason in a line such as `*** Program crashed: Aborted at 0x0000000000002af1 ***`.
    private static func reason(in line: String) -> String {
        var text = line.dropFirst("*** Program crashed: ".count)
        if text.hasSuffix(" ***") { text = text.dropLast(4) }
        return String(text)
    }

    private static func frames(in report: ArraySlice<String>) -> [String] {
        let thread = report.drop { !($0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:")) }.dropFirst()
        var frames: [(text: String, count: Int)] = []
        for line in thread.prefix(while: { !$0.hasPrefix("Thread ") && !$0.hasPrefix("Backtrace took") }) {
            guard let text = frame(in: line) else { continue }
            if frames.last?.text == text {
                frames[frames.count - 1].count += 1
            } else {
                frames.append((text, 1))
            }
        }
        return frames.map { $0.count == 1 ? $0.text : "\($0.text) (\($0.count) times)" }
    }

    /// Shortens a stack frame such as
    /// `12 [ra] 0x00007f8e5975526a Deep.crash(_:) + 201 in libMod.so at /home/ada/Mod.swift:3:120`.
    ///
    /// - Returns: The frame without its number, address, offset and folder. Nil if the line is not a frame.
    private static func frame(in line: String) -> String? {
        var words = line.split(separator: " ")[...]
        guard let number = words.first, number.allSatisfy(\.isNumber),
            let address = words.firstIndex(where: { $0.hasPrefix("0x") })
        else { return nil }
        words = words[(address + 1)...]
        if words.isEmpty { return "\(line.split(separator: " ")[address]) (no symbol name)" }
        if let plus = words.lastIndex(of: "+"), plus + 1 < words.endIndex, words[plus + 1].allSatisfy(\.isNumber) {
            words.removeSubrange(plus...(plus + 1))
        }
        if let at = words.lastIndex(of: "at"), let path = words.last, at == words.endIndex - 2 {
            words[words.endIndex - 1] = path.split(separator: "/").last ?? path
        }
        return words.joined(separator: " ")
    }
}
