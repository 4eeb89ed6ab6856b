package import ViperKit

/// A built module that is held against the checks. Its host has a state folder of its own, and no network.
@MainActor
package struct CheckedModule {
    let configuration: ViperHost.Configuration
    let name: String
    /// Values for parameters of its routes, by name, where people know better than this what is right.
    let given: [String: String]
    /// Hears what is about to be done, so that it is known when the process does not survive it.
    let announce: @Sendable (String) -> Void
    /// What the module asked for and may not have.
    let denials: Denials

    /// - Parameters:
    ///   - name: The module's name.
    ///   - configuration: Of a host that has the module, with what else it requires.
    ///   - given: Values for parameters of its routes, by name.
    ///   - announce: Hears what is about to be done.
    package init(
        _ name: String, in configuration: ViperHost.Configuration, given: [String: String],
        announce: @escaping @Sendable (String) -> Void
    ) {
        (self.name, self.given, self.announce) = (name, given, announce)
        var configuration = configuration
        configuration.isOffline = true
        // What is inside of the module is looked at, and each check has a process of its own.
        configuration.isIsolating = false
        (self.configuration, denials) = (configuration, Denials())
    }

    /// Runs one check.
    ///
    /// - Returns: What the module does wrong, a sentence for each fault.
    /// - Throws: Why the module cannot be checked at all.
    package func faults(in check: ModuleCheck) async throws(ViperError) -> [String] {
        switch check {
        case .routes: try await faultsOfRoutes()
        case .undeclared: try await faultsOfUndeclaredRoutes()
        case .parameters: try await faultsOfParameters()
        case .services: try await faultsOfServices()
        case .missingServices: try await faultsOfMissingServices()
        case .memory: try await faultsOfMemory()
        case .growth: try await faultsOfGrowth()
        case .generations: try await faultsOfGenerations()
        case .events: try await faultsOfEvents()
        }
    }

    /// A host of its own, with the module made.
    func host(
        withholding service: String? = nil
    ) async throws(ViperError) -> (host: ViperHost, manifest: Manifest, file: String) {
        var configuration = configuration
        configuration.withheld = Withheld(module: name, service: service)
        configuration.onDenial = { [denials, name] module, error in if module == name { denials.add(error) } }
        let host = try ViperHost(configuration)
        guard let record = host.registry.snapshot.modules.first(where: { $0.name == name }),
            let manifest = record.manifest
        else {
            throw ViperError(.moduleUnknown, "cannot check module", name, cause: "there is none of that name")
        }
        if let refusal = record.state.refusal { throw refusal }
        return (host, manifest, record.file)
    }

    /// Opens a route with parameters that are right, and gives it to somebody before it closes.
    func open(
        _ route: Manifest.Route, in host: ViperHost, _ parameters: [String: ParameterValue]? = nil,
        then use: (Window) async throws(ViperError) -> Void = { _ in }
    ) async throws(ViperError) {
        let window = Window(router: host.router)
        defer { window.closeAll() }
        announce("open \(route.name)")
        try await window.open(route.name, parameters: parameters ?? samples(of: route))
        try await use(window)
    }

    /// A right value for each parameter that has to be given, or was.
    func samples(of route: Manifest.Route) -> [String: ParameterValue] {
        var samples: [String: ParameterValue] = [:]
        for parameter in route.parameters {
            if let value = given[parameter.name].flatMap({ parameter.type.value(from: $0) }) {
                samples[parameter.name] = value
            } else if parameter.presence == .required {
                samples[parameter.name] = parameter.type.samples[0]
            }
        }
        return samples
    }

    /// What comes of an open that has to succeed.
    func faults(
        _ route: Manifest.Route, in host: ViperHost, _ parameters: [String: ParameterValue]? = nil
    ) async -> [String] {
        do {
            try await open(route, in: host, parameters)
            return []
        } catch { return [error.fault] }
    }
}

/// A service that a module does not get, although it requires it.
struct Withheld: Sendable {
    var module: String
    var service: String?
}

extension ParameterType {
    /// Values of this type: an ordinary one first, then odd ones.
    var samples: [ParameterValue] {
        switch self {
        case .string:
            [
                .string("sample"), .string(""), .string("\u{0}\n\u{1F469}\u{200D}\u{1F680}"),
                .string(String(repeating: "x", count: 100_000)),
            ]
        case .integer: [.integer(1), .integer(0), .integer(-1), .integer(.max), .integer(.min)]
        case .number: [.number(1.5), .number(0), .number(-.greatestFiniteMagnitude), .number(.leastNonzeroMagnitude)]
        case .boolean: [.boolean(true), .boolean(false)]
        }
    }

    /// A text that means no value of this type; of a text there is none.
    var bad: String? { self == .string ? nil : "no such value" }
}

extension ViperError {
    /// The error as a fault of a module, in one line.
    var fault: String { summary + (mend.map { "; to mend: \($0)" } ?? "") }
}
