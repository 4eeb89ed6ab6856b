import Foundation
import Glibc
import Synchronization

/// A server of `Servers/`, on a port of its own of the loopback interface. It ends with the value.
public final class TestServer: Sendable {
    /// `http://127.0.0.1:PORT`.
    public let url: String

    private let process: Process
    private let input: Pipe
    private let folder: ScratchFolder

    /// Starts `Servers/NAME.py`, and returns when it can be asked.
    ///
    /// - Throws: ``ChildFailure`` when it does not start.
    public init(_ name: String) throws {
        folder = try ScratchFolder()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // -B: no __pycache__ among the sources.
        process.arguments = [
            "python3", "-B", "\(Products.repository)/Tests/TestSupport/Servers/\(name).py", folder.path + "/requests",
        ]
        let (input, output) = try ChildProcess.spawning.withLock { _ in
            let (input, output) = (Pipe(), Pipe())
            // A child that inherited the input would keep the server alive as long as it lives itself. Two servers that keep
            // each other alive, while their tests wait for their end, are a deadlock.
            for file in [input, output].flatMap({ [$0.fileHandleForReading, $0.fileHandleForWriting] }) {
                _ = fcntl(file.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            return (input, output)
        }
        guard let port = Self.line(from: output.fileHandleForReading), Int(port) != nil else {
            process.terminate()
            throw ChildFailure("the server \(name) does not start")
        }
        (self.process, self.input, url) = (process, input, "http://127.0.0.1:\(port)")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What it was asked until now, each as `METHOD PATH BODY`. A request is in here before it is answered.
    public var requests: [String] {
        let log = (try? String(contentsOfFile: folder.path + "/requests", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }

    private static func line(from file: FileHandle) -> String? {
        var line = Data()
        while let byte = try? file.read(upToCount: 1), !byte.isEmpty {
            if byte[0] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line += byte
        }
        return nil
    }
}
