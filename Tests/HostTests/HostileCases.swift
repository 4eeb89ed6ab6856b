import Glibc
import TestSupport
import Testing

/// What becomes of a host whose module does something hostile.
enum HostileOutcome: Sendable, Equatable {
    /// Its process ends by this signal, or with this code.
    case hostEnds(ChildResult.Ending)
    /// So, unless it has ended before.
    case hostMayEnd(ChildResult.Ending)
    /// It takes memory until the system gives it none.
    case takesAll
    /// It does not answer any more. A host that serves goes on with what needs no module, and tells who waits that it takes too long.
    case hangs
    /// The library is quarantined before this process loads it.
    case quarantined
    /// The module is refused, with this reason.
    case refused(String)
    /// The call fails, and its error has this in it. The next one works.
    case callFails(String)
    /// Nothing happens to anybody else.
    case harmless
    /// What it writes stands among what the host writes.
    case printed
    /// The host's process has no descriptors left: nobody new can connect.
    case full

    /// How the documentation says it.
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

/// One deed of ``TestSupport/ModuleFixture/hostile``, where it strikes, and what becomes of whom.
struct HostileCase: Sendable, CustomTestStringConvertible {
    var deed: String
    var place: String
    /// Of `host run`.
    var run: HostileOutcome
    /// Of `host serve` with the module in its process.
    var served: HostileOutcome
    /// Of `host serve` with the module in a process of its own.
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

    /// A crash while the module is loaded or made: `host run` dies of it, a host that serves tries the library elsewhere before.
    static func early(_ deed: String, in place: String, _ ending: ChildResult.Ending) -> Self {
        Self(deed, in: place, run: .hostEnds(ending), served: .quarantined, isolated: .quarantined)
    }

    /// A crash in an open module: the process that it is in dies of it.
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
        hanging,
        early("recursion", in: "making", .signal(SIGSEGV)),
        late("recursion", in: "event", .signal(SIGSEGV), says: "signal 11"),
        early("exit", in: "initialiser", .code(0)),
        late("exit", in: "event", .code(0), says: "exit code 0"),
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
        // Nobody asks in `host run`.
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
