import HostSystem
package import ViperKit

extension Settings {
    /// Checks that the values from the command line are valid: that each named module exists, that each isolated module can
    /// run in a process of its own, and that each chosen provider provides its service.
    ///
    /// This method ignores values from `host.json`, which ``faults(against:hostProviders:)`` checks.
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
            guard let manifest = manifests.first(where: { $0.name == module }) else { continue }
            if let cause = manifest.causeAgainstWorkers { throw .cannotIsolate(module, cause) }
            if manifest.provides.isEmpty { continue }
            throw .isolatesProvider(
                module, of: manifest.provides[0], fix: "isolate the modules that use it: each gets its own provider")
        }
        for (service, provider) in providers.sorted(by: { $0.key < $1.key })
        where !servicesChosenInFile.contains(service) {
            if let error = fault(inChoosing: provider, for: service, among: manifests, hostProviders) { throw error }
        }
    }

    /// Returns an error for each name in `host.json` that no module or route has. The module may be installed later.
    package func faults(against manifests: [Manifest], hostProviders: [String: String]) -> [ViperError] {
        let names = Set(manifests.map(\.name))
        let values = values.filter { value in
            // Unknown modules on the command line are errors.
            if case .value = value.content { !names.contains(value.module) } else { false }
        }
        func unknown(_ module: String, at place: String, _ consequence: String = "") -> ViperError {
            Self.fault(
                at: place, "unknown module \"\(module)\"\(consequence)",
                fix: nearestNames(to: module, in: names).first.map { "write \($0)" }
                    ?? "install the module, or remove its name")
        }
        var faults = values.map { unknown($0.module, at: $0.origin) }
        for module in isolated.subtracting(names).sorted() { faults.append(unknown(module, at: "host.json $.isolate")) }
        for module in disabled.subtracting(names).sorted() {
            faults.append(unknown(module, at: "host.json $.disabled"))
        }
        for module in guards.keys.sorted() where !names.contains(module) {
            faults.append(unknown(module, at: "host.json $.guards", "; its routes stay shut"))
        }
        faults += faultsOfGuards(among: manifests)
        for service in servicesChosenInFile.sorted() {
            guard let provider = providers[service],
                let error = fault(inChoosing: provider, for: service, among: manifests, hostProviders)
            else { continue }
            faults.append(
                Self.fault(at: "host.json $.use.\(service)", error.cause, error.notes, fix: error.fix))
        }
        return faults
    }

    private static func fault(
        at place: String, _ cause: String, _ notes: [ViperError.Note] = [], fix: String?
    ) -> ViperError {
        ViperError(.settingInvalid, operation: "cannot apply", subject: place, cause: cause, notes: notes, fix: fix)
    }

    /// Returns an error for each guard that guards nothing, because of its name or the names of its routes.
    private func faultsOfGuards(among manifests: [Manifest]) -> [ViperError] {
        let routes = Set(manifests.flatMap { $0.routes.map(\.name) })
        return guards.sorted { $0.key < $1.key }.flatMap { module, patterns -> [ViperError] in
            guard let manifest = manifests.first(where: { $0.name == module }) else { return [] }
            let place = "host.json $.guards.\(module)"
            if disabled.contains(module) {
                return [
                    Self.fault(
                        at: place, "the module is disabled; its routes stay shut",
                        fix: "enable it with host enable \(module)")
                ]
            }
            let missing = patterns.filter { pattern in
                pattern.hasSuffix("/*")
                    ? !routes.contains { $0.hasPrefix(pattern.dropLast()) } : !routes.contains(pattern)
            }.map { pattern in
                Self.fault(
                    at: place, "no module has the route \"\(pattern)\", so it guards nothing",
                    fix: nearestNames(to: pattern, in: routes).first.map { "write \($0)" })
            }
            let provides = manifest.provides.contains("route-guard")
            let shut = "the module does not provide \"route-guard\"; its routes stay shut"
            return (provides ? [] : [Self.fault(at: place, shut, fix: "write a module that does")]) + missing
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
