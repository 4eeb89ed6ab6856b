import Testing

@testable import ViperRuntime

struct RefusalLogTests {
    @Test("Refused clients are logged once a minute, with the number of lines left out")
    func flood() {
        var log = RefusalLog()
        let start = ContinuousClock.now
        #expect(log.line(for: "refused", at: start) == "refused")
        for second in 0..<60 { #expect(log.line(for: "refused", at: start + .seconds(second)) == nil) }
        #expect(log.line(for: "refused", at: start + .seconds(60)) == "refused (60 more since the last such line)")
        #expect(log.line(for: "refused", at: start + .seconds(200)) == "refused")
    }
}
