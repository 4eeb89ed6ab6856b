import Foundation
import HostDriver
import TestSupport
import Testing

/// Crashes of modules in the host's own process.
@Suite(.fewAtOnce, .hangLimit)
struct HostCrashTests {
    private let root: ScratchRoot
    private let state: [String: String]
    private var reports: String { "\(root.folder.path)/state/viper-host/crashes" }

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
    }

    /// Returns the module `version`, which runs code when its action is pressed.
    private func module(_ event: String) -> ModuleFixture {
        var fixture = ModuleFixture.version("1", event: event)
        fixture.cSource = """
            #include <signal.h>
            #include <sys/resource.h>
            #include <unistd.h>
            void trap(void) { __builtin_debugtrap(); }
            void forbid_writing(void) {
                struct rlimit limit = {0, 0};
                setrlimit(RLIMIT_FSIZE, &limit);
                // The threads of the Swift runtime block this signal, which by default ends the process.
                sigset_t signals;
                sigemptyset(&signals);
                sigaddset(&signals, SIGXFSZ);
                signal(SIGXFSZ, SIG_DFL);
                pthread_sigmask(SIG_UNBLOCK, &signals, 0);
            }
            void use_all_descriptors(void) {
                struct rlimit limit = {256, 256};
                setrlimit(RLIMIT_NOFILE, &limit);
                while (dup(0) >= 0) {}
            }
            """
        fixture.source += """

            @_silgen_name("trap") func trap()
            @_silgen_name("forbid_writing") func forbidWriting()
            @_silgen_name("use_all_descriptors") func useAllDescriptors()

            """
        return fixture
    }

    /// Starts a host whose module crashes when its action is pressed. Returns the host after its end.
    private func crash(_ options: String...) async throws -> ServingHost {
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try client.begin("event", #"{"scene":1,"event":{"press":"go"}}"#)
        _ = try await host.end()
        return host
    }

    private static let faults = [
        ("UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1", SIGSEGV),
        (#"fatalError("no such person")"#, SIGILL), ("abort()", SIGABRT),
        // A call of an invalid address, in a function that is not asynchronous and therefore has a frame.
        (
            "func call() -> Int32 { unsafeBitCast(8, to: (@convention(c) () -> Int32).self)() + 1 }; _ = call()",
            SIGSEGV
        ),
        // The process could go on after these signals.
        ("trap()", SIGTRAP), ("raise(SIGSEGV)", SIGSEGV),
        // The handler opens its file nevertheless.
        ("useAllDescriptors(); abort()", SIGABRT),
    ]

    @Test(
        "The module that ends the host is named at once, by the next start, and in the list of modules",
        arguments: faults.indices)
    func named(_ index: Int) async throws {
        let (fault, signal) = Self.faults[index]
        try await root.add(module(fault), .version())
        let host = try await crash()
        #expect(try await host.end() == .signal(signal), "\(host.log)")
        #expect(host.log.contains("host: crash: signal \(signal) in module version 1.0.0"), "\(host.log)")
        let next = try await ServingHost(root, environment: state)
        let cause = "was terminated by signal \(signal) (\(String(cString: strsignal(signal)))) in module version 1.0.0"
        #expect(next.log.contains("host: warning: an earlier host \(cause)"), "\(next.log)")
        let modules = try await root.host("modules", environment: state)
        #expect(
            modules.text.contains("last crash of module version in a host's process: a host \(cause)"), "\(modules)")
        #expect(try await next.client().call("modules").contains(#""lastCrash":"a host \#(cause)"#))
        next.send(SIGTERM)
        #expect(try await next.end() == .code(0))
        let last = try await ServingHost(root, environment: state)
        #expect(!last.log.contains("an earlier host"), "\(last.log)")
    }

    @Test("A library that has ended its host three times is quarantined by the next start, until it is retried")
    func thrice() async throws {
        try await root.add(.version("1", event: "abort()"), .version())
        for _ in 1...3 { _ = try await crash() }
        let host = try await ServingHost(root, environment: state)
        #expect(host.log.contains("module version 1.0.0 has ended its host 3 times within 600 s"), "\(host.log)")
        let client = try host.client()
        let answer = try await client.call("open", #"{"route":"version"}"#)
        #expect(answer.contains("library-quarantined") && answer.contains("after 3 crashes within 600 s"), "\(answer)")
        #expect(answer.contains("the host was terminated by signal 6 (Aborted) in module version"), "\(answer)")
        let retried = try await root.host("quarantine", "retry", "version", environment: state)
        #expect(retried.ending == .code(0), "\(retried)")
        try await client.wait(for: #""title":"1""#)
    }

    @Test("A crash outside all modules blames none of them")
    func unknown() async throws {
        var fixture = ModuleFixture.version("1", event: "startAbort()\n while true { sleep(1) }")
        fixture.cSource = """
            #include <pthread.h>
            #include <stdlib.h>
            void start_abort(void) {
                pthread_t thread;
                pthread_create(&thread, 0, (void *(*)(void *))abort, 0);
            }
            """
        fixture.source += "\n@_silgen_name(\"start_abort\") func startAbort()\n"
        try await root.add(fixture, .version())
        for _ in 1...3 {
            let host = try await crash()
            #expect(host.log.contains("host: crash: signal 6 in unknown code"), "\(host.log)")
        }
        let next = try await ServingHost(root, environment: state)
        #expect(next.log.contains("an earlier host was terminated by signal 6 (Aborted) in unknown code"))
        #expect(try await next.client().call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await !root.host("modules", environment: state).text.contains("last crash"))
    }

    @Test("A signal that another process sends ends the host and is not reported as a crash")
    func foreign() async throws {
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root, environment: state)
        #expect(try await host.client().call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        host.send(SIGSEGV)
        #expect(try await host.end() == .signal(SIGSEGV))
        #expect(host.log.contains("host: process \(getpid()) sent signal 11\n"), "\(host.log)")
        #expect(!FileManager.default.fileExists(atPath: reports))
    }

    @Test("The error about a crash in a worker names the module and its version")
    func isolated() async throws {
        try await root.add(.version("1", event: #"fatalError("no such person")"#), .version())
        let host = try await ServingHost(root, "--isolate", "version", environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        let error = try await client.call("event", #"{"scene":1,"event":{"press":"go"}}"#)
        #expect(error.contains("signal 4 (Illegal instruction) in module version 1.0.0"), "\(error)")
        #expect(error.contains("no such person") && error.contains("VersionView.handle"), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: reports))
    }

    @Test("A function whose name has spaces or UTF-8 is named in ASCII, and the report is not damaged")
    func symbol() async throws {
        var fixture = ModuleFixture.version("1", event: "startFault()")
        fixture.cSource = """
            void fault(void) __asm__("no person ä");
            __attribute__((noinline)) void fault(void) { *(volatile int *)8 = 1; }
            void start_fault(void) { fault(); __asm__ volatile(""); }
            """
        fixture.source += "\n@_silgen_name(\"start_fault\") func startFault()\n"
        try await root.add(fixture, .version())
        let host = try await crash()
        #expect(host.log.contains("host: crash: signal 11 in module version 1.0.0 at no?person???\n"), "\(host.log)")
        let next = try await ServingHost(root, environment: state)
        #expect(next.log.contains("in module version 1.0.0, in no?person???\n"), "\(next.log)")
    }

    @Test("A report gets its name when it is complete")
    func complete() async throws {
        try await root.add(.version("1", event: "abort()"), .version())
        try FileManager.default.createDirectory(atPath: reports, withIntermediateDirectories: true)
        for path in ["", "/viper-host", "/viper-host/crashes"] {
            chmod("\(root.folder.path)/state\(path)", 0o700)
        }
        let moves = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        defer { close(moves) }
        try #require(inotify_add_watch(moves, reports, UInt32(IN_MOVED_TO)) >= 0)
        _ = try await crash()
        let names = try FileManager.default.contentsOfDirectory(atPath: reports)
        #expect(names.count == 1 && names[0].hasSuffix(".new"))
        // An event is 16 bytes and the name of the file.
        var event = [UInt8](repeating: 0, count: 512)
        #expect(read(moves, &event, event.count) > 16)
        #expect(event.dropFirst(16).starts(with: names[0].utf8))
    }

    @Test("A report that cannot be written leaves no file and does not change the signal")
    func unwritable() async throws {
        let fault = "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1"
        try await root.add(module("forbidWriting(); \(fault)"), .version())
        #expect(try await crash().end() == .signal(SIGSEGV))
        #expect(try FileManager.default.contentsOfDirectory(atPath: reports).isEmpty)
    }

    @Test("Damaged reports are removed with a warning, and blame no module")
    func damaged() async throws {
        try await root.add(.version("1"), .version())
        let zeros = String(repeating: "0", count: 64)
        let contents = [
            "", "1 11", "2 11 0 version 1.0.0 \(zeros) -\n", "1 99 0 version 1.0.0 \(zeros) -\n",
            "1 11 -1 version 1.0.0 \(zeros) -\n", "1 11 0 ver\u{1B}[31msion 1.0.0 \(zeros) -\n",
            "1 11 0 version 1.0.0 \(zeros) -", String(repeating: "x", count: 5000),
        ]
        for (index, content) in contents.enumerated() {
            try root.folder.write(content, to: "state/viper-host/crashes/\(index).new")
        }
        try FileManager.default.createSymbolicLink(atPath: "\(reports)/link.new", withDestinationPath: "/dev/zero")
        try FileManager.default.createDirectory(atPath: "\(reports)/folder.new", withIntermediateDirectories: true)
        for path in ["", "/viper-host", "/viper-host/crashes"] {
            chmod("\(root.folder.path)/state\(path)", 0o700)
        }
        let host = try await ServingHost(root, environment: state)
        #expect(host.log.components(separatedBy: "cannot read crash report").count == contents.count + 3, "\(host.log)")
        #expect(!host.log.contains("an earlier host") && !host.log.contains("\u{1B}"), "\(host.log)")
        // Files that cannot be read are not reports of a handler.
        #expect(try FileManager.default.contentsOfDirectory(atPath: reports).sorted() == ["folder.new", "link.new"])
    }
}
