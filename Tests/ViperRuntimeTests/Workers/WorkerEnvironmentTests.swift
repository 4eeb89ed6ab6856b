import Testing

@testable import ViperRuntime

struct WorkerEnvironmentTests {
    @Test(
        "a variable is inherited if the list has it",
        arguments: [
            "PATH", "HOME", "LANG", "LC_ALL", "LC_MESSAGES", "TZ", "TMPDIR", "http_proxy", "HTTP_PROXY", "HTTPS_PROXY",
            "no_proxy", "all_proxy", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "ASAN_OPTIONS",
            "TSAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "SWIFT_BACKTRACE",
        ])
    func allowed(name: String) { #expect(WorkerEnvironment().allows(name)) }

    @Test(
        "any other variable is not inherited unless it is named",
        arguments: ["API_TOKEN", "LD_LIBRARY_PATH", "LD_PRELOAD", "path", "XDG_STATE_HOME", "VIPER_ROOT", "LC", ""])
    func others(name: String) {
        #expect(!WorkerEnvironment().allows(name))
        #expect(WorkerEnvironment(adding: [name]).allows(name))
    }

    @Test("a name has letters, digits and underscores, and no digit first")
    func names() {
        #expect(["A", "_", "a1_", "Z9"].allSatisfy(WorkerEnvironment.isName))
        #expect(!["", "1A", "A=B", "A B", "Ä", "A\0", "[", "@", "A-B"].contains(where: WorkerEnvironment.isName))
    }
}
