import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct StalledLogTests {
    /// Starts a host whose log is a pipe of one page, waits for a response, and ends the host. Only then reads the log,
    /// before or after the host has exited.
    private static let supervisor = """
        import fcntl, os, signal, socket, subprocess, sys, time
        reading, writing = os.pipe()
        fcntl.fcntl(writing, 1031, 4096)  # F_SETPIPE_SZ
        path, ends_first = sys.argv[1], sys.argv[2] == "true"
        host = subprocess.Popen(sys.argv[3:], stderr=writing)
        os.close(writing)
        client = socket.socket(socket.AF_UNIX)
        while host.poll() is None:
            try: client.connect(path); break
            except OSError: time.sleep(0.001)
        client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"open","params":{"route":"list"}}\\n')
        answer = b""
        while piece := client.recv(65536):
            answer += piece
            if b"\\n" in answer: break
        print("COMSTAR" in answer.decode())
        host.send_signal(signal.SIGTERM)
        if ends_first: host.wait()
        log = b""
        while piece := os.read(reading, 65536): log += piece
        refused = log.count(b" is refused: ")
        print(host.wait(), 0 < refused < 300 if ends_first else refused == 300)
        """

    @Test(
        "An unread log delays neither clients nor the exit, and a reader before the exit gets every line",
        arguments: [false, true])
    func stalled(endsFirst: Bool) async throws {
        let root = try ScratchRoot()
        // Each file logs a line of more than twenty bytes.
        for number in 0..<300 { try root.add(manifest: "[]", as: "bad-\(number).json") }
        let socket = root.folder.path + "/socket"
        let child = try await Python.process(
            [
                "-c", Self.supervisor, socket, "\(endsFirst)", Products.host, "serve", "--root", root.path, "--socket",
                socket,
            ],
            environment: ["TMPDIR": root.temporary])
        let result = try await child.run()
        #expect(result.text == "True\n0 True\n" && result.errors == "", "\(result)")
    }
}
