import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct ServeStdioTests {
    @Test("With --stdio the input may end while a module is loading")
    func endsWhileLoading() async throws {
        let root = try await ServeTests.root()
        let (host, client) = try ServingHost.atStandardIO(root)
        try client.begin("open", #"{"route":"serve"}"#)
        client.vanish()
        // On a busy machine, loading may take longer than the limit.
        let ending = try await host.end()
        let isLate = host.log.contains("cannot shut down the host of \"\(root.path)\"")
        #expect(ending == .code(isLate ? 70 : 0), "\(host.log)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("With --stdio the end of the input ends the host")
    func standardIO() async throws {
        let (host, client) = try ServingHost.atStandardIO(try await ServeTests.root())
        _ = try await client.call("open", #"{"route":"serve"}"#)
        try client.begin("open", #"{"route":"list"}"#)
        client.endOutput()
        #expect(try await client.line(with: "People by company").contains(#""id":2"#))
        try await client.end()
        #expect(try await host.end() == .code(0))
        #expect(host.log == "serve: error: freed\nserve: error: stopped\n")
    }

    @Test("With --stdio a vanished client ends the host even if a module blocks the main actor")
    func worker() async throws {
        let root = try await ServeTests.root()
        let (host, client) = try ServingHost.atStandardIO(root)
        _ = try await client.call("open", #"{"route":"serve"}"#)
        try client.begin("event", ServeTests.press("spin"))
        try await host.wait(forLog: "spins")
        client.vanish()
        #expect(try await host.end() == .code(70))
        #expect(host.log.hasSuffix(ServeEndTests.blocked(root, "2 s")), "\(host.log)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("With --stdio a module's output goes to standard error, and its input is empty")
    func printing() async throws {
        let (host, client) = try ServingHost.atStandardIO(try await ServeTests.root())
        _ = try await client.call("open", #"{"route":"serve"}"#)
        #expect(try await client.call("event", ServeTests.press("print")).contains("printed, read 0"))
        try await host.wait(forLog: "noise\n")
        client.endOutput()
        try await client.end()
        #expect(try await host.end() == .code(0))
    }

    @Test("With two pipes the end of the input ends the host each time")
    func pipes() async throws {
        let root = try await ServeTests.root()
        let script = #"""
            for round in $(seq 20); do
                coproc HOST { exec "$0" serve --stdio --root "$1" 2>&3; }
                process=$HOST_PID output=${HOST[0]} input=${HOST[1]}
                echo '{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}' >&$input
                read -r -u $output
                exec {input}>&-
                wait $process
                echo $?
            done 3>&2
            """#
        let result = try await ChildProcess("bash", ["-c", script, root.executable, root.path]).run()
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        #expect(result.text == String(repeating: "0\n", count: 20))
    }

    @Test("Requests can be piped in, and responses out")
    func pipe() async throws {
        let root = try ScratchRoot()
        let calls = try root.folder.write(
            #"{"jsonrpc":"2.0","id":1,"method":"open","params":{"route":"list"}}"#, to: "calls")
        let result = try await root.host("serve", "--stdio") { $0.input = calls }
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        #expect(
            result.text.hasPrefix(#"{"id":1,"jsonrpc":"2.0","result":{"closed":false,"#)
                && result.text.hasSuffix("}}\n"))
    }
}
