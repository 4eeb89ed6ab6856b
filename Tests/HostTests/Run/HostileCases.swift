import Glibc
import HostDriver
import Testing

/// The effect of a hostile module on the host.
enum HostileOutcome: Sendable, Equatable {
    /// The host's process ends with this signal or code.
    case hostEnds(ChildResult.Ending)
    /// The host's process ends in this way, unless it finishes first.
    case hostMayEnd(ChildResult.Ending)
    /// The host takes memory until the system refuses more.
    case takesAll
    /// The host stops responding. A serving host still answers calls that need no module. Other calls time out.
    case hangs
    /// The library is quarantined before this process loads it.
    case quarantined
    case refused(String)
    /// The call fails with an error that contains this text. The next call works.
    case callFails(String)
    /// No effect on other modules or clients.
    case harmless
    /// The module's output appears in the host's output.
    case printed
    /// The host's process has no free descriptor, so no new client can connect.
    case full

    /// The description in the documentation.
    var words: String {
        switch self {
        case .hostEnds(.signal(let signal)): "the host ends: \(Self.name(of: signal))"
        case .hostEnds(.code(let code)): "the host ends, with \(code)"
        case .hostMayEnd(.signal(let signal)): "the host ends: \(Self.name(of: signal)), if it runs long enough"
        case .hostMayEnd(.code(let code)): "the host ends, with \(code), if it runs long enough"
        case .takesAll: "the host uses all memory"
        case .hangs: "hangs"
        case .quarantined: "quarantined"
        case .refused: "the module is refused"
        case .callFails: "the call fails"
        case .harmless: "no effect"
        case .printed: "appears in the host's output"
        case .full: "no new client can connect"
        }
    }

    private static func name(of signal: Int32) -> String {
        [SIGABRT: "SIGABRT", SIGKILL: "SIGKILL"][signal] ?? "SIGSEGV"
    }
}

/// A hostile action of ``TestSupport/ModuleFixture/hostile`` at a place, and its effect in each kind of host.
struct HostileCase: Sendable, CustomTestStringConvertible {
    var deed: String
    var place: String
    /// The effect on `host run`.
    var run: HostileOutcome
    /// The effect on `host serve` with the module in its process.
    var served: HostileOutcome
    /// The effect on `host serve` with the module in a worker.
    var isolated: HostileOutcome

    init(
        _ deed: String, in place: String, run: HostileOutcome, served: HostileOutcome, isolated: HostileOutcome
    ) {
        (self.deed, self.place) = (deed, place)
        (self.run, self.served, self.isolated) = (run, served, isolated)
    }

    static let nothing = Self("no effect", in: "nowhere", run: .harmless, served: .harmless, isolated: .harmless)
    static let hanging = Self(
        "loop", in: "event", run: .hangs, served: .hangs, isolated: .callFails("took longer than"))
    static let closing = Self(
        "close", in: "event", run: .hostEnds(.code(74)), served: .harmless, isolated: .harmless)
    static let forking = Self("fork", in: "event", run: .harmless, served: .harmless, isolated: .harmless)
    static let escaping = Self("escape", in: "event", run: .harmless, served: .harmless, isolated: .harmless)
    static let fleeing = Self("flee", in: "initialiser", run: .harmless, served: .quarantined, isolated: .quarantined)
    static let leak = Self("leak", in: "event", run: .harmless, served: .full, isolated: .harmless)

    /// Returns a crash while the module is loaded or created. It ends `host run`, but `host serve` probes the library
    /// in another process first.
    static func early(_ deed: String, in place: String, _ ending: ChildResult.Ending) -> Self {
        Self(deed, in: place, run: .hostEnds(ending), served: .quarantined, isolated: .quarantined)
    }

    /// Returns a crash in an open module. It ends the module's process.
    static func late(_ deed: String, in place: String, _ ending: ChildResult.Ending, says text: String) -> Self {
        Self(deed, in: place, run: .hostEnds(ending), served: .hostEnds(ending), isolated: .callFails(text))
    }

    var testDescription: String { "\(deed) in \(place)" }

    static let all = [
        early("null", in: "initialiser", .signal(SIGSEGV)),
        early("null", in: "entry", .signal(SIGSEGV)),
        early("null", in: "making", .signal(SIGSEGV)),
        late("null", in: "opening", .signal(SIGSEGV), says: "hostile_null"),
        late("null", in: "event", .signal(SIGSEGV), says: "hostile_null"),
        Self("loop", in: "entry", run: .hangs, served: .quarantined, isolated: .quarantined),
        // `host run` makes no health check.
        Self("loop", in: "health", run: .harmless, served: .quarantined, isolated: .quarantined),
        hanging,
        early("recursion", in: "making", .signal(SIGSEGV)),
        late("recursion", in: "event", .signal(SIGSEGV), says: "signal 11"),
        early("exit", in: "initialiser", .code(0)),
        late("exit", in: "event", .code(0), says: "exited with code 0"),
        early("abort", in: "entry", .signal(SIGABRT)),
        late("abort", in: "event", .signal(SIGABRT), says: "signal 6"),
        Self(
            "thread", in: "event", run: .hostMayEnd(.signal(SIGSEGV)), served: .hostEnds(.signal(SIGSEGV)),
            isolated: .callFails("hostile_null")),
        Self("hog", in: "making", run: .takesAll, served: .quarantined, isolated: .quarantined),
        Self("hog", in: "event", run: .takesAll, served: .takesAll, isolated: .callFails("MiB of memory")),
        leak,
        Self("print", in: "opening", run: .printed, served: .printed, isolated: .harmless),
        Self("write", in: "event", run: .printed, served: .printed, isolated: .harmless),
        closing,
        forking,
        Self("throw", in: "entry", run: .harmless, served: .harmless, isolated: .harmless),
        Self(
            "throw", in: "making", run: .refused("it threw"), served: .refused("it threw"),
            isolated: .refused("it threw")),
        // `host run` makes no health check.
        Self(
            "throw", in: "health", run: .harmless, served: .refused("it threw"), isolated: .refused("it threw")),
        Self(
            "throw", in: "opening", run: .callFails("it threw"), served: .callFails("it threw"),
            isolated: .callFails("it threw")),
        Self("throw", in: "event", run: .harmless, served: .harmless, isolated: .harmless),
        Self(
            "kill", in: "event", run: .hostEnds(.signal(SIGKILL)), served: .hostEnds(.signal(SIGKILL)),
            isolated: .hostEnds(.signal(SIGKILL))),
    ]
}
