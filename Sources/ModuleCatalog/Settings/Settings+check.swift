import HostSystem
package import ViperKit

extension Settings {
    /// Checks that the values from the command line are valid, that no isolated module provides a service, and that
    /// each chosen provider provides its service.
    ///
    /// This method ignores values from `host.json`, and modules that only `host.json` isolates and that do not exist.
    ///
    /// - Throws: ``ViperError/Code/settingInvalid`` if a check fails.
    package func check(against manifests: [Manifest], hostProviders: [String: String]) throws(ViperError) {
        for value in values {
            // An invalid value in host.json affects only its own module. The error is thrown when that module is
            // configured.
            guard case .text = value.content else { continue }
            guard let manifest = manifests.first(where: { $0.name == value.module }) else {
                let near = nearestNames(to: value.module, in: manifests.map(\.name)).first
                throw ViperError(
                    .settingInvalid, operation: "cannot use", subject: value.origin,
                    cause: "unknown module \"\(value.module)\"",
                    fix: near.map { "write \($0).\(value.key)" })
            }
            _ = try manifest.value(of: value)
        }
        for module in isolatedByOption.sorted() where !manifests.contains(where: { $0.name == module }) {
            let near = nearestNames(to: module, in: manifests.map(\.name)).first
            throw ViperError(
                .settingInvalid, operation: "cannot isolate", subject: module, cause: "no module has this name",
                fix: near.map { "write --isolate \($0)" } ?? "host modules lists all modules")
        }
        for module in isolated.union(isolatedByOption).sorted() {
            guard let manifest = manifests.first(where: { $0.name == module }), !manifest.provides.isEmpty else {
                continue
            }
            throw ViperError(
                .settingInvalid, operation: "cannot isolate", subject: module,
                cause: "it provides \"\(manifest.provides[0])\", and a service cannot be used from another process",
                fix: "isolate the modules that use it: each gets its own provider")
        }
        for (service, provider) in providers.sorted(by: { $0.key < $1.key }) {
            let modules = manifests.filter { $0.provides.contains(service) }.map(\.name)
            let all = modules + (hostProviders[service].map { [$0] } ?? [])
            guard !all.contains(provider) else { continue }
            let services = Set(manifests.flatMap(\.provides)).union(hostProviders.keys)
            let near =
                all.isEmpty
                ? nearestNames(to: service, in: services).first.map { "\($0)=\(provider)" }
                : nearestNames(to: provider, in: all).first.map { "\(service)=\($0)" }
            throw ViperError(
                .settingInvalid, operation: "cannot use provider", subject: "\(service)=\(provider)",
                cause: all.isEmpty
                    ? "no module provides the service \"\(service)\""
                    : "\"\(provider)\" does not provide the service \"\(service)\"",
                notes: all.isEmpty ? [] : [.init("providers", all.sorted().joined(separator: ", "))],
                fix: near.map { "write \($0)" } ?? (all.isEmpty ? "host services lists all services" : nil))
        }
    }
}
