import Foundation
import HostDriver
import TestSupport
import Testing

/// Workers that other processes or the system end. Their libraries are not at fault.
@Suite(.fewAtOnce, .hangLimit)
struct KilledWorkerTests {
    private let root: ScratchRoot
    private let state: [String: String]
    /// The folder for the files of the held module. Workers inherit `HOME`.
    private var folder: String { "\(root.folder.path)/home" }

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    enum Phase: String, CaseIterable { case load, make, health, stop }

    /// Returns a module that announces its process in a phase, and waits there until the file `go` exists.
    private func held(in phase: Phase) -> ModuleFixture {
        let hold = """
            let home = String(cString: getenv("HOME"))
            close(open("\\(home)/\\(getpid()).held", O_CREAT | O_WRONLY, 0o600))
            while access("\\(home)/go", F_OK) != 0 { usleep(2000) }
            """
        var fixture = ModuleFixture.version(
            "1", making: phase == .make ? hold : "", health: phase == .health ? hold : "",
            stop: phase == .stop ? hold : "")
        if phase == .load {
            fixture.cSource = """
                #include <fcntl.h>
                #include <stdio.h>
                #include <stdlib.h>
                #include <unistd.h>
                __attribute__((constructor)) static void hold(void) {
                    char path[4096];
                    snprintf(path, sizeof path, "%s/%d.held", getenv("HOME"), getpid());
                    close(open(path, O_CREAT | O_WRONLY, 0600));
                    snprintf(path, sizeof path, "%s/go", getenv("HOME"));
                    while (access(path, F_OK)) usleep(2000);
                }
                """
        }
        return fixture
    }

    private func heldWorker() async throws -> pid_t {
        var found: pid_t?
        _ = try await eventually {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            found = names.first { $0.hasSuffix(".held") }.flatMap { pid_t($0.dropLast(5)) }
            return found != nil
        }
        return try #require(found)
    }

    /// Sends a signal to a worker that is held, waits until the worker has received it, and lets the worker go on.
    private func strike(_ worker: pid_t, of host: ServingHost, with signal: Int32) async throws {
        #expect(kill(worker, signal) == 0)
        if signal == SIGTERM || signal == SIGINT {
            // The host may have killed the worker, if it was already stopping.
            #expect(await eventually { host.log.contains("shutting down; waits") || kill(worker, 0) != 0 })
        } else {
            #expect(await eventually { kill(worker, 0) != 0 })
        }
        try root.folder.write("", to: "home/go")
    }

    private func expectNoQuarantine() async throws {
        let list = try await root.host("quarantine", environment: state)
        #expect(list.ending == .code(0) && !list.text.contains("libVersion.so"), "\(list)")
    }

    @Test(
        "A library whose worker is killed from outside during a phase of its probe is tried again",
        arguments: Phase.allCases, [SIGTERM, SIGINT, SIGKILL, SIGSEGV])
    func probed(_ phase: Phase, _ signal: Int32) async throws {
        try await root.add(held(in: phase), .version())
        let host = try await ServingHost(root, "--verbose", environment: state)
        let client = try host.client()
        let call = try client.begin("open", #"{"route":"version"}"#)
        try await strike(try await heldWorker(), of: host, with: signal)
        let answer = try await client.answer(to: call)
        // The host may have ended the worker first, if it was already stopping. A worker that is asked to end first
        // finishes its running call, so the probe can succeed.
        let hasFinished = (signal == SIGTERM || signal == SIGINT) && answer.contains(#""title":"1""#)
        if phase != .stop, !hasFinished {
            #expect(answer.contains("worker-killed"), "\(answer)")
            #expect(["signal \(signal) ", "signal 9 "].contains { answer.contains($0) }, "\(answer)")
        }
        try await client.wait(for: #""title":"1""#)
        try await expectNoQuarantine()
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test(
        "A worker that is killed from outside during the health check of a restart is started again",
        arguments: [SIGTERM, SIGKILL])
    func restarted(_ signal: Int32) async throws {
        try await root.add(held(in: .health), .version())
        try root.folder.write("", to: "home/go")
        let host = try await ServingHost(root, "--verbose", "--isolate", "version", environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        let first = try #require(try await client.workers().first)
        for file in ["go", "\(first).held"] { try FileManager.default.removeItem(atPath: "\(folder)/\(file)") }
        kill(pid_t(first), SIGKILL)
        _ = try await client.line(with: #""method":"closed""#)
        let call = try client.begin("open", #"{"route":"version"}"#)
        try await strike(try await heldWorker(), of: host, with: signal)
        let answer = try await client.answer(to: call)
        // After SIGTERM, the worker finishes the health check. If it then refuses the call, the next worker takes it.
        let isTakenOver = signal == SIGTERM && answer.contains(#""title":"1""#)
        #expect(answer.contains("worker-killed") || isTakenOver, "\(answer)")
        try await client.wait(for: #""title":"1""#)
        try await expectNoQuarantine()
    }

    @Test("Workers that are killed from outside six times within a minute do not count as crashes")
    func often() async throws {
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root, "--isolate", "version", "--limit", "scenes=1000", environment: state)
        let client = try host.client()
        for signal in [SIGTERM, SIGKILL, SIGINT, SIGTERM, SIGABRT, SIGKILL] {
            try await client.wait(for: #""title":"1""#)
            let worker = try #require(try await client.workers().first)
            kill(pid_t(worker), signal)
            let closed = try await client.line(with: #""method":"closed""#)
            #expect(closed.contains("worker-killed"), "\(closed)")
        }
        try await client.wait(for: #""title":"1""#)
        try await expectNoQuarantine()
    }

    @Test("After SIGTERM a worker finishes its running call, and other calls start a new worker at once")
    func terminatedDuringCall() async throws {
        try await root.add(
            .version(
                "1",
                event: """
                    write(2, "waits\\n", 6)
                    let go = String(cString: getenv("HOME")) + "/go"
                    while access(go, F_OK) != 0 { try? await Task.sleep(for: .milliseconds(2)) }
                    """), .version())
        let host = try await ServingHost(
            root, "--isolate", "version", "--limit", "time=1000", environment: state)
        let (client, other) = (try host.client(), try host.client())
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        let waiting = try client.begin("event", #"{"scene":1,"event":{"press":"go"}}"#)
        try await host.wait(forLog: "waits\n")
        let worker = try #require(try await client.workers().first)
        kill(pid_t(worker), SIGTERM)
        // The worker refuses calls after it has handled the signal.
        var answer = ""
        _ = try await eventually {
            answer = try await other.call("open", #"{"route":"version"}"#)
            return try await !other.workers().contains(worker)
        }
        #expect(answer.contains(#""title":"1""#), "\(answer)")
        let refused = try await client.call("open", #"{"route":"version"}"#)
        #expect(refused.contains(#""title":"1""#), "\(refused)")
        try root.folder.write("", to: "home/go")
        let finished = try await client.answer(to: waiting)
        #expect(finished.contains(#""result""#), "\(finished)")
        let closed = try await client.line(with: #""method":"closed""#)
        #expect(closed.contains("worker-killed") && closed.contains("signal 15 "), "\(closed)")
        #expect(!closed.contains("shutting down"), "\(closed)")
        try await expectNoQuarantine()
    }
}
