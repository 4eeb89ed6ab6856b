import Foundation
import HostDriver
import TestSupport
import Testing

/// The work of short commands in a release build, counted under valgrind. The counts do not depend on the speed of the
/// machine or on other programs, so a loss of speed fails these tests and noise does not.
///
/// The recorded counts are those of the Swift version in `.swift-version`. If a change of the host has a good reason to
/// need more work, record the new counts from the failure.
@Suite(.fewAtOnce, .hangLimit)
struct CountTests {
    struct Recorded: Sendable {
        var words: [String]
        /// The instructions in the host, in ViperKit, in the modules and in the libraries of Swift. Those of libc and of
        /// the dynamic linker depend on the system.
        var instructions: Int
        /// The calls of functions that allocate memory.
        var allocations: Int
        /// The jobs that were enqueued on the main actor.
        var mainActorJobs: Int
        /// The jobs that were enqueued on the pool.
        var poolJobs: Int
    }

    private static let recorded = [
        // Half of it creates the types of the parsed command line. The whole process needs about nine million.
        Recorded(words: ["--version"], instructions: 352_312, allocations: 270, mainActorJobs: 0, poolJobs: 0),
        Recorded(words: ["routes"], instructions: 7_200_104, allocations: 2_472, mainActorJobs: 1, poolJobs: 1),
        // The order in which threads start changes these counts: 12,350,396 to 12,358,482 instructions, 4,387 to 4,389
        // allocations, and 20 to 24 jobs in 4 runs. A timer that fires adds up to two jobs. A start looks for a lock of
        // the root, disabled modules and packed resources, which is 3 to 5 % more than in the runs before.
        // Since 2026-11-27, the host reads which libraries of Swift a module needs, and loads its own ones: 1 and 2 % more.
        // It also tries first whether its threads can start, and looks for changes outside of locks: 1 and 2 % more.
        // Then it looks at what a library does to the process, and at what the process has loaded: 5 and 11 % more.
        Recorded(
            words: ["run", "list"], instructions: 13_915_229, allocations: 5_270, mainActorJobs: 10, poolJobs: 24),
    ]

    /// The tolerated increase above the largest count of repeated runs.
    private static let tolerance = 1.02

    /// Valgrind 3.19 crashes in this call if its argument is in read-only memory, as that of libdispatch is.
    private static let workaround = CLibraryFixture(
        "libWorkaround.so",
        """
        #include <signal.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int sigsuspend(const sigset_t *mask) { sigset_t copy = *mask; return syscall(SYS_rt_sigsuspend, &copy, 8); }
        """)

    @Test(
        "A command needs no more instructions, allocations and jobs than recorded",
        .enabled(if: Products.areOptimized, "needs a release build"), .needs(.valgrind), arguments: recorded)
    func counts(recorded: Recorded) async throws {
        let root = try ScratchRoot()
        let log = root.folder.path + "/calls"
        let result = try await root.host(
            recorded.words,
            under: [
                "valgrind", "-q", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no",
                "--callgrind-out-file=\(log)",
            ],
            environment: [
                "SWIFT_DETERMINISTIC_HASHING": "1", "LD_PRELOAD": try await Self.workaround.compiled(),
            ])
        #expect(result.ending == .code(0), "\(result)")
        let counts = CallCounts(try String(contentsOfFile: log, encoding: .utf8))
        let instructions = counts.instructions { path in
            let name = path.split(separator: "/").last ?? ""
            return name == "host" || name.contains("libViperKit") || name.contains("libCompanyList")
                || name.contains("libswift") || name.contains("libFoundation")
        }
        let found = Recorded(
            words: recorded.words, instructions: instructions,
            allocations: counts.calls("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"),
            mainActorJobs: counts.calls("swift_dispatchEnqueueMain"),
            poolJobs: counts.calls("swift_dispatchEnqueueGlobal"))
        #expect(found.instructions > 10_000 && found.allocations > 0)
        for count in [\Recorded.instructions, \.allocations, \.mainActorJobs, \.poolJobs] {
            #expect(
                Double(found[keyPath: count]) <= Double(recorded[keyPath: count]) * Self.tolerance, "\(found)")
        }
    }
}

/// The counts in a file of callgrind without compression; see "Callgrind Format Specification" in its manual.
private struct CallCounts {
    /// The instructions, keyed by the path of the program or library.
    private var instructions: [Substring: Int] = [:]
    /// The number of calls, keyed by function.
    private var calls: [Substring: Int] = [:]

    init(_ text: String) {
        var (object, callee, isCall) = (Substring(), Substring(), false)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("ob=") {
                object = line.dropFirst(3)
            } else if line.hasPrefix("cfn=") {
                callee = line.dropFirst(4)
            } else if line.hasPrefix("calls=") {
                calls[callee, default: 0] += Int(line.dropFirst(6).prefix { $0 != " " }) ?? 0
                isCall = true
            } else if line.first?.isNumber == true {
                // The line after a call has the costs of the callee, which also has its own lines.
                if !isCall { instructions[object, default: 0] += Int(line.split(separator: " ").last ?? "") ?? 0 }
                isCall = false
            }
        }
    }

    func instructions(in isIncluded: (Substring) -> Bool) -> Int {
        instructions.reduce(0) { isIncluded($1.key) ? $0 + $1.value : $0 }
    }

    func calls(_ functions: String...) -> Int { functions.reduce(0) { $0 + (calls[$1[...]] ?? 0) } }
}
