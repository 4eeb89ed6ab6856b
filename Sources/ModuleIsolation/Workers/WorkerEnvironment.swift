import FoundationEssentials
import HostSystem
import ViperKit

/// The environment variables that a worker inherits from the host.
///
/// Only listed names are allowed, so that secrets in the host's environment do not reach modules in workers. The list
/// omits `LD_LIBRARY_PATH` and `LD_PRELOAD`, which change the code that a process runs. The host finds its own
/// libraries through its run path.
package struct WorkerEnvironment: Sendable {
    let added: Set<String>

    /// Creates an environment that also allows the given variables.
    ///
    /// - Parameter added: The variable names that `host.json` lists under `workerEnvironment`.
    package init(adding added: Set<String> = []) { self.added = added }

    package var variables: [String: String] { ProcessInfo.processInfo.environment.filter { allows($0.key) } }

    func allows(_ name: String) -> Bool {
        Self.names.contains(name) || Self.prefixes.contains(where: name.hasPrefix) || added.contains(name)
    }

    private static let prefixes = ["LC_"]

    private static let names: Set = Set(
        ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "SWIFT_BACKTRACE", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE"]
            + ["http", "https", "ftp", "all", "no"].flatMap { ["\($0)_proxy", "\($0)_proxy".uppercased()] }
            + ["ASAN", "LSAN", "MSAN", "TSAN", "UBSAN"].flatMap { ["\($0)_OPTIONS", "\($0)_SYMBOLIZER_PATH"] })
}

extension ViperError {
    /// Adds a note and a fix if the worker lacks a library that the host may find through `LD_LIBRARY_PATH`.
    func explained(by environment: WorkerEnvironment) -> ViperError {
        let name = "LD_LIBRARY_PATH"
        let texts = [cause] + notes.map(\.text)
        guard environmentVariable(name) != nil, !environment.allows(name),
            texts.contains(where: { $0.contains("cannot open shared object file") || $0.contains("cannot be found") })
        else { return self }
        var error = self
        error.notes.append(.init("not inherited", "\(name), which is set for the host only"))
        error.fix = "add \"workerEnvironment\": [\"\(name)\"] to host.json, or link with a run path"
        return error
    }
}
