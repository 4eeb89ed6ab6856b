package import ViperKit

extension Manifest {
    /// The cause for which the module cannot run in a worker, neither itself nor as a provider of the worker's module.
    /// Nil if it can.
    package var causeAgainstWorkers: String? {
        if let service = (requires + optional).first(where: { $0 == ServiceKey<any Windows>.windows.name }) {
            return "it uses \"\(service)\", which exists only in the host's process"
        }
        return collects.first.map { "it collects \"\($0)\", and a service cannot be used from another process" }
    }
}

extension ViperError {
    /// The error for a module that cannot run in a worker.
    package static func cannotIsolate(_ module: String, _ cause: String) -> ViperError {
        ViperError(
            .settingInvalid, operation: "cannot isolate", subject: module, cause: cause,
            fix: "remove its isolation from the manifest, host.json and the command line")
    }
}
