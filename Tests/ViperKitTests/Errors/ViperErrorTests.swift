import Foundation
import Testing
import ViperKit

struct ViperErrorTests {
    private let plain = ViperError(.fileMissing, "cannot read file", "a.json", cause: "no such file")

    @Test("An error without notes is described by its summary")
    func summary() {
        #expect(plain.summary == "cannot read file \"a.json\": no such file")
        #expect(plain.description == plain.summary)
    }

    @Test("Notes and the suggested fix are aligned in one column")
    func description() {
        var error = plain
        error.notes = [.init("in", "/data"), .init("did you mean", "b.json"), .init("in", "/more")]
        error.recoverySuggestion = "give --data DIR"
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
        error.recoverySuggestion = "make it"
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

    @Test("Codes compare by their raw value, including unknown codes")
    func codes() {
        #expect(ViperError.Code(rawValue: "file-missing") == .fileMissing)
        #expect(ViperError.Code(rawValue: "of-the-future") != .fileMissing)
    }

    @Test("The listed error codes keep the raw values that scripts read")
    func stable() {
        let codes: [ViperError.Code] = [
            .parameterMissing, .parameterType, .serviceMissing, .serviceDenied, .serviceCycle, .serviceType,
            .serviceFailed, .serviceUndeclared, .fileMissing, .fileEmpty, .fileDenied, .fileMalformed, .fileUnreadable,
            .entryInvalid,
        ]
        #expect(
            codes.map(\.rawValue) == [
                "parameter-missing", "parameter-type", "service-missing", "service-denied", "service-cycle",
                "service-type", "service-failed", "service-undeclared", "file-missing", "file-empty", "file-denied",
                "file-malformed", "file-unreadable", "entry-invalid",
            ])
    }
}
