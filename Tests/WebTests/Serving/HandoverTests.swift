import Foundation
import HostDriver
import TestSupport
import Testing

/// The connections that the earlier version of the module has accepted when it is replaced.
@Suite(.fewAtOnce, .hangLimit)
struct HandoverTests {
    @Test("A client that was accepted before a replacement gets an answer to a request that it sends afterwards")
    func accepted() async throws {
        let web = try await WebHost()
        let probe = ["Host": "probe"]
        // One client has sent nothing, one a part of its request, and one has already got an answer.
        let (silent, slow, kept) = (try web.connection(), try web.connection(), try web.connection())
        try slow.send("GET /healthz HTTP/1.1\r\nHost: pr")
        #expect(try await kept.request("GET", "/healthz", probe).status == 200)
        // Connections are accepted in their order.
        #expect(try await web.connection().request("GET", "/healthz", probe).status == 200)
        try await web.reload()
        let new = try await web.connection().request("GET", "/healthz", probe)
        #expect(new.status == 200 && new["Connection"] == nil, "\(new)")
        for (connection, rest) in [(silent, "GET /healthz HTTP/1.1\r\nHost: probe\r\n\r\n"), (slow, "obe\r\n\r\n")] {
            try connection.send(rest)
            try await Self.expectRefusal(try await connection.response(), connection)
        }
        try await Self.expectRefusal(try await kept.request("GET", "/healthz", probe), kept)
        #expect(try await web.end() == .code(0))
    }

    private static func expectRefusal(_ response: WebResponse, _ connection: WebConnection) async throws {
        #expect(response.status == 503 && response["Connection"]?.lowercased() == "close", "\(response)")
        #expect(response["Retry-After"] != nil, "\(response)")
        #expect(try await connection.end() == "")
    }

    @Test("Each request under repeated replacements gets an answer", .long)
    func replacements() async throws {
        let web = try await WebHost()
        let answers = try await withThrowingTaskGroup(of: [Int: Int].self) { group in
            for number in 0..<12 {
                group.addTask {
                    var (connection, answers): (WebConnection?, [Int: Int]) = (nil, [:])
                    while !Task.isCancelled {
                        let own = if let connection { connection } else { try web.connection() }
                        let response = try await own.request("GET", "/healthz", ["Host": "probe"])
                        answers[response.status, default: 0] += 1
                        let isKept = number % 2 == 0 && response["Connection"]?.lowercased() != "close"
                        connection = isKept ? own : nil
                    }
                    return answers
                }
            }
            for _ in 0..<10 { try await web.reload() }
            group.cancelAll()
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        #expect(Set(answers.keys).isSubset(of: [200, 503]) && answers[200, default: 0] > 100, "\(answers)")
        #expect(try await web.end() == .code(0))
    }
}
