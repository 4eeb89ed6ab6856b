import Foundation
import Testing
import ViperKit

/// How an error is shown, and how it is compared.
struct ViperErrorTests {
    private let plain = ViperError(.fileMissing, "cannot read file", "a.json", cause: "no such file")

    @Test("an error without evidence is one sentence")
    func summary() {
        #expect(plain.summary == "cannot read file \"a.json\": no such file")
        #expect(plain.description == plain.summary)
    }

    @Test("evidence and mend follow in one column")
    func description() {
        var error = plain
        error.notes = [.init("in", "/data"), .init("did you mean", "b.json"), .init("in", "/more")]
        error.mend = "give --data DIR"
        #expect(
            error.description == """
                cannot read file "a.json": no such file
                  in            /data
                  did you mean  b.json
                  in            /more
                  to mend       give --data DIR
                """)
    }

    @Test("a mend alone follows the sentence")
    func mend() {
        var error = plain
        error.mend = "make it"
        #expect(error.description == "cannot read file \"a.json\": no such file\n  to mend  make it")
    }

    @Test("an error goes through JSON and comes back the same, its code as a plain text")
    func coding() throws {
        var error = plain
        error.notes = [.init("in", "/data")]
        let data = try JSONEncoder().encode(error)
        #expect(String(decoding: data, as: UTF8.self).contains("\"code\":\"file-missing\""))
        #expect(try JSONDecoder().decode(ViperError.self, from: data) == error)
    }

    @Test("a code is what its text is, also one that this ViperKit does not know")
    func codes() {
        #expect(ViperError.Code(rawValue: "file-missing") == .fileMissing)
        #expect(ViperError.Code(rawValue: "of-the-future") != .fileMissing)
    }

    @Test("the codes are stable: scripts read them")
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
