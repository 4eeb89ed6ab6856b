import HostSystem
package import ViperKit

extension Settings {
    /// Checks that the values from the command line are valid: that each named module exists, that no isolated module
    /// provides a service, and that each chosen provider provides its service.
    ///
    /// This method ignores values from `host.json`, which ``warnings(against:hostProviders:)`` checks.
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
        for module in isolatedByOption.sorted() {
            guard let manifest = manifests.first(where: { $0.name == module }), !manifest.provides.isEmpty else {
                continue
            }
            throw .isolatesProvider(
                module, of: manifest.provides[0], fix: "isolate the modules that use it: each gets its own provider")
        }
        for (service, provider) in providers.sorted(by: { $0.key < $1.key })
        where !servicesChosenInFile.contains(service) {
            if let error = fault(inChoosing: provider, for: service, among: manifests, hostProviders) { throw error }
        }
    }

    /// Returns a warning for each name in `host.json` that no module or route has. The module may be installed later.
    package func warnings(against manifests: [Manifest], hostProviders: [String: String]) -> [String] {
        let names = Set(manifests.map(\.name))
        let values = values.filter { value in
            // Unknown modules on the command line are errors.
            if case .value = value.content { !names.contains(value.module) } else { false }
        }
        return values.map { "\($0.origin): unknown module \"\($0.module)\"" }
            + isolated.subtracting(names).sorted().map { "host.json $.isolate: unknown module \"\($0)\"" }
            + guards.keys.filter { !names.contains($0) }.sorted().map {
                "host.json $.guards: unknown module \"\($0)\"; its routes stay shut"
            }
            + warningsOfGuards(among: manifests)
            + servicesChosenInFile.sorted().compactMap { service in
                providers[service].flatMap {
                    fault(inChoosing: $0, for: service, among: manifests, hostProviders)
                }.map { "host.json $.use.\(service): \($0.cause)" + ($0.fix.map { "; \($0)" } ?? "") }
            }
    }

    /// Returns a warning for each guard that guards nothing, because of its name or the names of its routes.
    private func warningsOfGuards(among manifests: [Manifest]) -> [String] {
        let routes = Set(manifests.flatMap { $0.routes.map(\.name) })
        return guards.sorted { $0.key < $1.key }.flatMap { module, patterns -> [String] in
            guard let manifest = manifests.first(where: { $0.name == module }) else { return [] }
            let place = "host.json $.guards.\(module)"
            let missing = patterns.filter { pattern in
                pattern.hasSuffix("/*")
                    ? !routes.contains { $0.hasPrefix(pattern.dropLast()) } : !routes.contains(pattern)
            }.map { pattern in
                let near = nearestNames(to: pattern, in: routes).first.map { "; did you mean \($0)" } ?? ""
                return "\(place): no module has the route \"\(pattern)\", so it guards nothing\(near)"
            }
            let provides = manifest.provides.contains("route-guard")
            return (provides ? [] : ["\(place): the module does not provide \"route-guard\"; its routes stay shut"])
                + missing
        }
    }

    /// Returns an error if a chosen provider does not provide its service, or if the module for which it is chosen does
    /// not use the service.
    private func fault(
        inChoosing provider: String, for key: String, among manifests: [Manifest], _ hostProviders: [String: String]
    ) -> ViperError? {
        let (module, service) = Self.parts(ofChoice: key)
        let (subject, prefix) = ("\(key)=\(provider)", module.map { "\($0)." } ?? "")
        if let module, let error = Self.fault(inChoosingFor: module, service, among: manifests, subject: subject) {
            return error
        }
        let modules = manifests.filter { $0.provides.contains(service) }.map(\.name)
        let all = modules + (hostProviders[service].map { [$0] } ?? [])
        if all.contains(provider) { return nil }
        let services = Set(manifests.flatMap(\.provides)).union(hostProviders.keys)
        let near =
            all.isEmpty
            ? nearestNames(to: service, in: services).first.map { "\(prefix)\($0)=\(provider)" }
            : nearestNames(to: provider, in: all).first.map { "\(key)=\($0)" }
        return ViperError(
            .settingInvalid, operation: "cannot use provider", subject: subject,
            cause: all.isEmpty
                ? "no module provides the service \"\(service)\""
                : "\"\(provider)\" does not provide the service \"\(service)\"",
            notes: all.isEmpty ? [] : [.init("providers", all.sorted().joined(separator: ", "))],
            fix: near.map { "write \($0)" } ?? (all.isEmpty ? "host services lists all services" : nil))
    }

    /// Returns an error if a provider is chosen for a module that does not exist, or that does not use the service.
    private static func fault(
        inChoosingFor module: String, _ service: String, among manifests: [Manifest], subject: String
    ) -> ViperError? {
        let provider = subject.drop { $0 != "=" }
        guard let manifest = manifests.first(where: { $0.name == module }) else {
            let near = nearestNames(to: module, in: manifests.map(\.name)).first
            return ViperError(
                .settingInvalid, operation: "cannot use provider", subject: subject,
                cause: "unknown module \"\(module)\"",
                fix: near.map { "write \($0).\(service)\(provider)" } ?? "host modules lists all modules")
        }
        let used = manifest.requires + manifest.optional
        if used.contains(service) { return nil }
        return ViperError(
            .settingInvalid, operation: "cannot use provider", subject: subject,
            cause: "\"\(module)\" does not require the service \"\(service)\"",
            notes: [.init("requires", used.isEmpty ? "none" : used.sorted().joined(separator: ", "))],
            fix: nearestNames(to: service, in: used).first.map { "write \(module).\($0)\(provider)" })
    }
}

extension ViperError {
    /// The error for a module that must run in a process of its own, but provides a service.
    package static func isolatesProvider(_ module: String, of service: String, fix: String) -> ViperError {
        ViperError(
            .settingInvalid, operation: "cannot isolate", subject: module,
            cause: "it provides \"\(service)\", and a service cannot be used from another process", fix: fix)
    }
}
