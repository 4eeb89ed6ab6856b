import CSystem
import Foundation
import Glibc
import HostDriver
import HostSystem
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import JSONRPC

@Suite(.hangLimit)
struct LineConnectionTests {
    /// The input and the end that a connection has reported.
    private final class Heard: Sendable {
        let inputs = Mutex<[LineConnection.Input]>([])
        let ends = Mutex<[ViperError?]>([])
        var all: [LineConnection.Input] { inputs.withLock { $0 } }
        var end: ViperError?? { ends.withLock { $0.first } }

        func listen(to connection: LineConnection) {
            connection.start(
                hear: { input in self.inputs.withLock { $0.append(input) } },
                end: { error in self.ends.withLock { $0.append(error) } })
        }

        func wait(for inputs: [LineConnection.Input]) async -> Bool { await eventually { self.all == inputs } }
    }

    private func connected(_ change: (inout Limits) -> Void = { _ in }) throws -> (RawEnd, LineConnection, Heard) {
        var limits = Limits()
        change(&limits)
        let (raw, other) = try RawEnd.pair()
        let (connection, heard) = (LineConnection(reading: other, writing: other, limits: limits), Heard())
        heard.listen(to: connection)
        return (raw, connection, heard)
    }

    /// Returns a connection over two pipes and their other ends, which no child process of another test inherits.
    private func piped() throws -> (ends: (input: Int32, output: Int32), LineConnection, Heard) {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(pipe2(&input, O_CLOEXEC) == 0 && pipe2(&output, O_CLOEXEC) == 0)
        let (connection, heard) = (LineConnection(reading: input[0], writing: output[1], limits: Limits()), Heard())
        heard.listen(to: connection)
        return ((input[1], output[0]), connection, heard)
    }

    private func line(_ text: String) -> LineConnection.Input { .line(Array(text.utf8)) }

    @Test("Lines arrive one by one however they are split, and the last one needs no newline")
    func lines() async throws {
        let (raw, connection, heard) = try connected()
        defer { connection.abandon() }
        await raw.write("one\ntw")
        #expect(await heard.wait(for: [line("one")]))
        await raw.write("o\n\nthree\nfour")
        #expect(await heard.wait(for: [line("one"), line("two"), line(""), line("three")]))
        raw.endOutput()
        #expect(await heard.wait(for: [line("one"), line("two"), line(""), line("three"), line("four"), .over]))
        // The input has ended, but answers can still be sent.
        connection.send(Array("answer".utf8))
        #expect(await raw.line() == "answer")
        #expect(heard.end == nil)
    }

    @Test("A line that is too long is dropped, and the lines around it arrive", arguments: [9, 100, 3_000_000])
    func tooLong(length: Int) async throws {
        let (raw, connection, heard) = try connected { $0.message = 8 }
        defer { connection.abandon() }
        await raw.write("12345678\n" + String(repeating: "x", count: length) + "\nafter\n")
        #expect(await heard.wait(for: [line("12345678"), .tooLong, line("after")]))
        await raw.write(String(repeating: "x", count: length))
        raw.endOutput()
        #expect(await heard.wait(for: [line("12345678"), .tooLong, line("after"), .tooLong, .over]))
    }

    @Test("A connection that is lost within a line is an error, and the partial line is passed on")
    func vanished() async throws {
        let (raw, connection, heard) = try connected()
        await raw.write("half")
        raw.vanish()
        #expect(await eventually { heard.end != nil })
        #expect(heard.all == [line("half")])
        #expect(heard.end??.code == .connectionLost)
        connection.send(Array("late".utf8))
        connection.close()
        #expect(heard.ends.withLock { $0.count } == 1)
    }

    @Test("Lines arrive complete and in order, even if the other end reads later")
    func order() async throws {
        let (raw, connection, heard) = try connected()
        let lines = (0..<200).map { "\($0) " + String(repeating: "x", count: 10_000) }
        for line in lines { connection.send(Array(line.utf8)) }
        connection.close()
        for line in lines { #expect(await raw.line() == line) }
        #expect(await raw.line() == nil)
        #expect(await eventually { heard.end == .some(nil) })
    }

    @Test("Input that has arrived is handled completely and in order before the connection is abandoned")
    func lastInput() async throws {
        let (long, short) = (String(repeating: "x", count: 20_000), "last")
        for _ in 1...200 {
            let (raw, connection, heard) = try connected()
            await raw.write("\(long)\n\(short)\n")
            connection.abandonAfterInput()
            #expect(await eventually { heard.end != nil })
            #expect(heard.all == [line(long), line(short)])
        }
    }

    @Test("A connection that has ended tells whoever starts it later")
    func late() async throws {
        let (raw, other) = try RawEnd.pair()
        let (connection, heard) = (LineConnection(reading: other, writing: other, limits: Limits()), Heard())
        connection.close()
        #expect(await raw.line() == nil)
        heard.listen(to: connection)
        #expect(await eventually { heard.end == .some(nil) })
    }

    @Test("A connection whose other end does not read ends when too much is pending")
    func slow() async throws {
        let (raw, connection, heard) = try connected { $0.pending = 500_000 }
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        // The system's own buffer holds some of it.
        for _ in 0..<200 { connection.send(line) }
        #expect(await eventually { heard.end != nil })
        #expect(heard.end??.code == .limitReached && heard.end??.subject == "pending")
        _ = raw
    }

    @Test("Pipes work like a socket", arguments: [1, 2_000_000])
    func pipes(length: Int) async throws {
        let (ends, connection, heard) = try piped()
        #expect(Glibc.write(ends.input, "question\n", 9) == 9)
        #expect(await heard.wait(for: [line("question")]))
        connection.send([UInt8](repeating: UInt8(ascii: "x"), count: length))
        connection.close()
        let read = await onOwnThread {
            let file = FileHandle(fileDescriptor: ends.output, closeOnDealloc: true)
            return file.readDataToEndOfFile().count
        }
        #expect(read == length + 1)
        #expect(await eventually { heard.end == .some(nil) })
        Glibc.close(ends.input)
    }

    @Test("The input of a pipe ends each time its other end closes")
    func hangUps() async throws {
        for _ in 0..<100 {
            let (ends, connection, heard) = try piped()
            Glibc.close(ends.input)
            #expect(await heard.wait(for: [.over]))
            connection.close()
            #expect(await eventually { heard.end == .some(nil) })
            Glibc.close(ends.output)
        }
    }

    @Test("A full pipe ends the connection when its reader closes")
    func readerGone() async throws {
        signal(SIGPIPE, SIG_IGN)
        let (ends, connection, heard) = try piped()
        connection.send([UInt8](repeating: UInt8(ascii: "x"), count: 2_000_000))
        // A full pipe holds 64 KiB.
        var count: CInt = 0
        #expect(await eventually { ioctl(ends.output, UInt(FIONREAD), &count) == 0 && count == 1 << 16 })
        Glibc.close(ends.output)
        #expect(await eventually { heard.end??.code == .connectionLost })
        Glibc.close(ends.input)
    }

    @Test("An input that cannot be polled ends at once")
    func nullDevice() async throws {
        let null = open("/dev/null", O_RDWR)
        let heard = Heard()
        let connection = LineConnection(reading: null, writing: null, limits: Limits())
        heard.listen(to: connection)
        #expect(await heard.wait(for: [.over]))
        connection.send([1, 2, 3])
        connection.close()
        #expect(await eventually { heard.end == .some(nil) })
    }

    @Test("Descriptors are closed when a connection ends, and if it was never started")
    func closing() async throws {
        let (raw, connection, heard) = try connected()
        connection.abandon()
        #expect(await raw.line() == nil)
        #expect(await eventually { heard.end == .some(nil) })
        let (other, descriptor) = try RawEnd.pair()
        do { _ = LineConnection(reading: descriptor, writing: descriptor, limits: Limits()) }
        #expect(await other.line() == nil)
    }
}
