import HostSystem
package import ViperKit

extension Settings {
    /// Checks the values from the command line, that no isolated module provides a service, and that each chosen
    /// provider provides its service.
    ///
    /// Ignores values from `host.json`. Ignores isolated modules that do not exist.
    ///
    /// - Throws: ``ViperError/Code/settingInvalid``.
    package func check(against manifests: [Manifest], hostProviders: [String: String]) throws(ViperError) {
        for value in values {
            // A wrong value in host.json refuses its own module when that module is configured, and no other module.
            guard case .text = value.content else { continue }
            guard let manifest = manifests.first(where: { $0.name == value.module }) else {
                let near = nearestNames(to: value.module, in: manifests.map(\.name)).first
                throw ViperError(
                    .settingInvalid, "cannot use", value.origin, cause: "unknown module \"\(value.module)\"",
                    recoverySuggestion: near.map { "write \($0).\(value.key)" })
            }
            _ = try manifest.value(of: value)
        }
        for module in isolated.sorted() {
            guard let manifest = manifests.first(where: { $0.name == module }), !manifest.provides.isEmpty else {
                continue
            }
            throw ViperError(
                .settingInvalid, "cannot isolate", module,
                cause: "it provides \"\(manifest.provides[0])\", and a service cannot be used from another process",
                recoverySuggestion: "isolate the modules that use it: each gets its own provider")
        }
        for (service, provider) in providers.sorted(by: { $0.key < $1.key }) {
            let modules = manifests.filter { $0.provides.contains(service) }.map(\.name)
            let all = modules + (hostProviders[service].map { [$0] } ?? [])
            guard !all.contains(provider) else { continue }
            throw ViperError(
                .settingInvalid, "cannot use provider", "\(service)=\(provider)",
                cause: "no \"\(provider)\" provides \"\(service)\"",
                notes: [.init("providers", all.isEmpty ? "none" : all.sorted().joined(separator: ", "))])
        }
    }
}
