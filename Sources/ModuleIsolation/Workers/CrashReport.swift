import HostSystem

/// What a process that crashed has said about it: Swift's runtime writes a report to standard error.
struct CrashReport: Sendable, Equatable {
    /// `Mod/Mod.swift:6: Fatal error: Index out of range`, or `Bad pointer dereference at 0x0000000000000008`.
    var reason: String?
    /// Where the crashed thread was, the innermost call first: `People.load() in libPeople.so at People.swift:12:5`.
    var frames: [String] = []
    /// The last lines that it wrote besides, the oldest first.
    var lastLines: [String] = []

    /// What the runtime is to write: one thread, without registers and images, and of an endless recursion both ends.
    static let settings =
        "enable=yes,warnings=suppressed,color=no,interactive=no,threads=crashed,images=none,registers=none,"
        + "symbolicate=fast,limit=24,top=8"

    /// How many lines besides the report are kept.
    private static let lineLimit = 8

    /// - Parameter output: What the process wrote to standard error, at least its end.
    init(readFrom output: String) {
        let lines = output.split(whereSeparator: \.isNewline).map { printable(String($0)) }
        let crash = lines.lastIndex { $0.hasPrefix("*** Program crashed: ") }
        // A report begins one line before. A module that writes one like it fools only whoever reads it.
        let start = crash.map { crash in lines[..<crash].lastIndex { $0.hasPrefix("*** Signal ") } ?? crash }
        let own = lines[..<(start ?? lines.endIndex)].suffix(Self.lineLimit)
        reason = own.last { $0.contains("Fatal error: ") } ?? crash.map { Self.reason(in: lines[$0]) }
        if let crash { frames = Self.frames(in: lines[crash...]) }
        // Where the program that makes reports is not installed, its announcement stands alone.
        lastLines = own.filter { $0 != reason && !$0.hasPrefix("*** Signal ") }
    }

    /// `*** Program crashed: Aborted at 0x0000000000002af1 ***` without what stands around it.
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

    /// `12 [ra] 0x00007f8e5975526a Deep.crash(_:) + 201 in libMod.so at /home/ada/Mod.swift:3:120` without number, address and offset, and
    /// without the folder.
    private static func frame(in line: String) -> String? {
        var words = line.split(separator: " ")[...]
        guard let number = words.first, number.allSatisfy(\.isNumber),
            let address = words.firstIndex(where: { $0.hasPrefix("0x") })
        else { return nil }
        words = words[(address + 1)...]
        if words.isEmpty { return "\(line.split(separator: " ")[address]), which has no name" }
        if let plus = words.lastIndex(of: "+"), plus + 1 < words.endIndex, words[plus + 1].allSatisfy(\.isNumber) {
            words.removeSubrange(plus...(plus + 1))
        }
        if let at = words.lastIndex(of: "at"), let path = words.last, at == words.endIndex - 2 {
            words[words.endIndex - 1] = path.split(separator: "/").last ?? path
        }
        return words.joined(separator: " ")
    }
}
