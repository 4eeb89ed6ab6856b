import Foundation
import Testing
import ViperKit

struct ViperErrorTests {
    private let plain = ViperError(
        .fileMissing, operation: "cannot read file", subject: "a.json", cause: "no such file")

    @Test("An error without notes is described by its summary")
    func summary() {
        #expect(plain.summary == "cannot read file \"a.json\": no such file")
        #expect(plain.description == plain.summary)
    }

    @Test("Notes and the suggested fix are aligned in one column")
    func description() {
        var error = plain
        error.notes = [.init("in", "/data"), .init("did you mean", "b.json"), .init("in", "/more")]
        error.fix = "give --data DIR"
        #expect(
            error.description == """
                cannot read file "a.json": no such file
                  in            /data
                  did you mean  b.json
                  in            /more
                  fix: give --data DIR
                """)
    }

    @Test("The suggested fix follows the summary if there are no notes")
    func suggestionWithoutNotes() {
        var error = plain
        error.fix = "make it"
        #expect(error.description == "cannot read file \"a.json\": no such file\n  fix: make it")
    }

    @Test("An error survives a JSON round trip, with its code as a string")
    func coding() throws {
        var error = plain
        error.notes = [.init("in", "/data")]
        let data = try JSONEncoder().encode(error)
        #expect(String(decoding: data, as: UTF8.self).contains("\"code\":\"file-missing\""))
        #expect(try JSONDecoder().decode(ViperError.self, from: data) == error)
    }

    @Test("An unknown code keeps its kind in JSON, also a kind that this version does not know")
    func kinds() throws {
        for kind in [.system, .init(rawValue: "of-the-future")] as [ViperError.Kind] {
            let error = ViperError(.init("unknown", kind), operation: "cannot do", subject: "it", cause: "so")
            let decoded = try JSONDecoder().decode(ViperError.self, from: JSONEncoder().encode(error))
            #expect(decoded.code.name == "unknown" && decoded.code.kind == kind)
        }
    }

    @Test("An error of an older version decodes without notes and fix")
    func older() throws {
        let json =
            #"{"code": "file-missing", "operation": "cannot read file", "subject": "a.json", "cause": "no such file"}"#
        #expect(try JSONDecoder().decode(ViperError.self, from: Data(json.utf8)) == plain)
    }

    @Test("An error of a newer version decodes with its unknown code, and its unknown properties are ignored")
    func newer() throws {
        let json = #"""
            {"code": "of-the-future", "operation": "cannot do", "subject": "it", "cause": "so", "fix": "wait", "severity": 3,
             "notes": [{"label": "in", "text": "a box", "link": {"to": "b"}}]}
            """#
        let error = try JSONDecoder().decode(ViperError.self, from: Data(json.utf8))
        #expect(error.code.name == "of-the-future" && error.code.kind == .configuration)
        #expect(error.description == "cannot do \"it\": so\n  in  a box\n  fix: wait")
    }

    @Test("Codes compare by their name, including unknown codes")
    func codes() {
        #expect(ViperError.Code("file-missing", .usage) == .fileMissing)
        #expect(Set([ViperError.Code("file-missing", .usage), .fileMissing]).count == 1)
        #expect(ViperError.Code("of-the-future", .configuration) != .fileMissing)
    }

    @Test("The listed error codes keep the raw values that scripts read")
    func stable() {
        let codes: [ViperError.Code] = [
            .parameterMissing, .parameterInvalid, .serviceMissing, .serviceDenied, .serviceCycle, .serviceTypeMismatch,
            .serviceNotReady, .serviceFailed, .fileMissing, .fileEmpty, .fileDenied, .fileMalformed,
            .fileUnreadable, .entryInvalid, .timeLimit, .pathUntrusted, .transitionUnknown,
        ]
        #expect(
            codes.map(\.name) == [
                "parameter-missing", "parameter-invalid", "service-missing", "service-denied", "service-cycle",
                "service-type-mismatch", "service-not-ready", "service-failed", "file-missing",
                "file-empty", "file-denied", "file-malformed", "file-unreadable", "entry-invalid", "time-limit",
                "path-untrusted",
                "transition-unknown",
            ])
    }
}
