import Testing

@testable import ModuleCatalog
@testable import ModuleIsolation

struct WorkerEnvironmentTests {
    @Test(
        "The listed variables are inherited",
        arguments: [
            "PATH", "HOME", "LANG", "LC_ALL", "LC_MESSAGES", "TZ", "TMPDIR", "http_proxy", "HTTP_PROXY", "HTTPS_PROXY",
            "no_proxy", "all_proxy", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "ASAN_OPTIONS",
            "TSAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "SWIFT_BACKTRACE",
        ])
    func allowed(name: String) { #expect(WorkerEnvironment().allows(name)) }

    @Test(
        "Any other variable is inherited only if it is named",
        arguments: ["API_TOKEN", "LD_LIBRARY_PATH", "LD_PRELOAD", "path", "XDG_STATE_HOME", "VIPER_ROOT", "LC", ""])
    func others(name: String) {
        #expect(!WorkerEnvironment().allows(name))
        #expect(WorkerEnvironment(adding: [name]).allows(name))
    }

    @Test("A name consists of letters, digits and underscores, and does not start with a digit")
    func names() {
        #expect(["A", "_", "a1_", "Z9"].allSatisfy(Settings.isVariableName))
        #expect(!["", "1A", "A=B", "A B", "Ä", "A\0", "[", "@", "A-B"].contains(where: Settings.isVariableName))
    }
}
