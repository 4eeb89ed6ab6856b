import Foundation
import HostDriver

/// A scenario in which clients, workers and the host are killed during calls.
enum Kill: Scenario {
    static let name = "kill"
    private static let callers = 4

    static func run(isShort: Bool) async throws -> String {
        let served = try await Served(isolated: true)
        let clients = try await killClients(of: served, isShort ? 3 : 30)
        let workers = try await killWorkers(of: served, isShort ? 2 : 8)
        let host = try await killHost(of: served)
        return "\(clients); \(workers); \(host)"
    }

    private static func killClients(of served: Served, _ count: Int) async throws -> String {
        let program = Products.folder + "/soak"
        return try await onOwnThread {
            let client = try Client(served.socket)
            var slowest = Duration.zero
            for _ in 0..<count {
                let before = try client.numbers().calls
                let process = Process()
                process.executableURL = URL(filePath: program)
                process.arguments = [Caller.word, served.socket]
                try process.run()
                while try client.numbers().calls < before + 50 { usleep(1000) }
                kill(process.processIdentifier, SIGKILL)
                let begin = ContinuousClock.now
                while try client.numbers().openScenes > 0 {
                    try expect(ContinuousClock.now - begin < Patience.limit, "the scenes of a killed client stay open")
                    usleep(1000)
                }
                slowest = max(slowest, ContinuousClock.now - begin)
                // Other clients must not be affected.
                let scene = try client.open(VersionedModule.route).scene
                _ = try client.press("go", in: scene)
                _ = try client.call("close", #"{"scene":\#(scene)}"#)
                process.waitUntilExit()
            }
            return "\(count) clients: scenes closed within \((slowest / .milliseconds(1)).shown(1)) ms"
        }
    }

    private struct Met {
        var calls = 0
        var failures = 0
    }

    private static func killWorkers(of served: Served, _ count: Int) async throws -> String {
        let stop = Stop()
        return try await withThrowingTaskGroup(of: Met.self) { group in
            for _ in 0..<callers {
                let socket = served.socket
                group.addTask { try await onOwnThread { try callThroughCrashes(socket, until: stop) } }
            }
            defer { stop.call() }
            let back = try await onOwnThread {
                let client = try Client(served.socket)
                return try (0..<count).map { _ in try killWorker(client) }
            }
            stop.call()
            let met = try await group.reduce(into: []) { $0.append($1) }
            let (calls, failures) = (met.reduce(0) { $0 + $1.calls }, met.reduce(0) { $0 + $1.failures })
            try expect(met.allSatisfy { $0.failures <= count }, "a client had more than one failure per crash: \(met)")
            return "\(count) workers under \(callers) clients: \(failures) of \(calls) calls failed, "
                + "all running during a crash; median recovery \(back.medianMilliseconds.shown(0)) ms"
        }
    }

    /// Kills the worker during calls, and returns the time until a new worker answers.
    private static func killWorker(_ client: Client) throws -> Duration {
        let (before, calls) = (try client.numbers().process, try client.numbers().calls)
        guard let before else { throw Failure("the module has no worker") }
        while try client.numbers().calls < calls + 100 { usleep(1000) }
        kill(before, SIGKILL)
        let begin = ContinuousClock.now
        while true {
            try expect(ContinuousClock.now - begin < Patience.limit, "no new worker answers within \(Patience.limit)")
            // This call may also fail, if it reached the killed worker.
            let answer = try client.ask("open", #"{"route":"\#(VersionedModule.route)"}"#)
            guard let scene = answer.result?.scene else { continue }
            let process = try client.numbers().process
            _ = try client.call("close", #"{"scene":\#(scene)}"#)
            if let process, process != before { return ContinuousClock.now - begin }
        }
    }

    private static func callThroughCrashes(_ socket: String, until stop: Stop) throws -> Met {
        let client = try Client(socket)
        var met = Met()
        while !stop.isCalled {
            var scene: Int?
            for isOpen in [true, false] {
                let method = isOpen ? "open" : "event"
                let rest = isOpen ? #""route":"\#(VersionedModule.route)""# : #""event":{"press":"go"}"#
                let number = scene.map { #""scene":\#($0),"# } ?? ""
                let answer = try client.ask(method, "{\(number)\(rest)}")
                met.calls += 1
                if let problem = answer.error {
                    met.failures += 1
                    let isCrash = problem.data?.code == "worker-killed" && problem.message.contains("signal 9")
                    // If the scene was idle during the crash, the client also receives a `closed` notification.
                    let isClosed = problem.data?.code == "scene-unknown"
                    if isClosed {
                        _ = try client.notification { line in
                            line.params?.scene == scene && line.params?.error?.code == "worker-killed"
                        }
                    }
                    try expect(isCrash || isClosed, "\(method) failed: \(problem.message)")
                    break
                }
                scene = answer.result?.scene
            }
            if let scene { _ = try client.ask("close", #"{"scene":\#(scene)}"#) }
        }
        return met
    }

    private static func killHost(of served: Served) async throws -> String {
        let temporary = served.root.temporary
        let left = try await onOwnThread {
            // This client's last call may still be running when the host is killed.
            let client = try Client(served.socket)
            _ = try client.open(VersionedModule.route)
            guard let worker = try client.numbers().process else { throw Failure("the module has no worker") }
            try client.begin("open", #"{"route":"\#(VersionedModule.route)"}"#)
            return worker
        }
        let folders = try names(in: temporary)
        served.host.send(SIGKILL)
        let begin = ContinuousClock.now
        let isGone = await eventually { !isAlive(left) }
        try expect(isGone, "worker \(left) is still running after its host was killed")
        let time = ContinuousClock.now - begin
        _ = try await served.host.end()
        let next = try await Served.host(in: served.root)
        try await onOwnThread {
            let client = try Client(next.socket)
            let title = try client.open(VersionedModule.route).screen.title
            try expect(title == "1", "the next host shows \(title), expected 1")
        }
        try expect(!next.log.contains("warning"), "the next host logged a warning: \(next.log)")
        let stale = try names(in: temporary).intersection(folders)
        try expect(stale.isEmpty, "folders of the killed host remain: \(stale)")
        return "the host: its worker exited after \((time / .milliseconds(1)).shown(1)) ms, the next start was clean"
    }

    private static func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// Returns true if a process is running. Returns false for a zombie that its new parent has not reaped yet.
    private static func isAlive(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return text.split(separator: ")").last?.first { $0 != " " } != "Z"
    }
}
