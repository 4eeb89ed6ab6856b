import HostSystem
package import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

/// A module that is checked in this process, in hosts that a check creates. Each check runs in its own process, because
/// the module may crash or hang.
@MainActor
package struct CheckedModule {
    let manifest: Manifest
    /// Values for route parameters, keyed by parameter name. They take precedence over the sample values.
    let given: [String: [String]]
    private let configuration: ViperHost.Configuration
    /// A closure that receives a description of each step before the step runs.
    var announce: @Sendable (String) -> Void = { _ in }
    private let denied = Denials()

    /// The errors for services that the module requested but may not use.
    private final class Denials: Sendable {
        let errors = Mutex<[ViperError]>([])
    }

    var denials: [ViperError] { denied.errors.withLock { $0 } }

    /// Creates a module to check.
    ///
    /// - Parameters:
    ///   - given: Values for route parameters, keyed by parameter name.
    ///   - configuration: The configuration for hosts that contain the module and all modules that it requires.
    package init(_ manifest: Manifest, given: [String: [String]], in configuration: ViperHost.Configuration) {
        (self.manifest, self.given) = (manifest, given)
        var configuration = configuration
        configuration.isOffline = true
        // The check inspects the module's objects, and already runs in a separate process.
        configuration.isIsolating = false
        self.configuration = configuration
    }

    /// Runs a check on the module.
    ///
    /// - Returns: One sentence for each fault. If the check cannot finish, the array contains one sentence with the
    ///   reason.
    func faults(in check: ModuleCheck) async -> [String] {
        do { return try await found(by: check) } catch { return [error.fault] }
    }

    private func found(by check: ModuleCheck) async throws(ViperError) -> [String] {
        switch check {
        case .routes: try await faultsOfRoutes()
        case .parameters: try await faultsOfParameters()
        case .arguments: try await faultsOfArguments()
        case .services: try await faultsOfServices()
        case .missingServices: try await faultsOfMissingServices()
        case .memory: try await faultsOfMemory()
        case .growth: try await faultsOfGrowth()
        case .generations: try await faultsOfGenerations()
        case .events: try await faultsOfEvents()
        case .dataProvider: try await faultsOfDataProvider()
        }
    }

    /// Creates a host, and creates the module in it.
    ///
    /// - Parameter store: The name of a separate state folder. If set, the module is selected as the data provider.
    /// - Throws: An error if the module cannot be created.
    func host(store: String? = nil) async throws(ViperError) -> CheckHost {
        let host = try host(withholding: nil, store: store)
        try await make(in: host)
        return host
    }

    /// Creates a host that contains the module, but does not create the module.
    ///
    /// - Parameter service: A service to withhold from the module.
    func host(withholding service: String?, store: String? = nil) throws(ViperError) -> CheckHost {
        var configuration = configuration
        if let store {
            configuration.settings.stateFolder = "\(configuration.settings.stateFolder ?? "")/\(store)"
            configuration.settings.providers["data-provider"] = manifest.name
        }
        configuration.adjustConsumer = { [denied, name = manifest.name] consumer in
            guard consumer.module == name else { return }
            consumer.withheld = service
            consumer.onDenial = { error in denied.errors.withLock { $0.append(error) } }
        }
        return try CheckHost(configuration, containing: manifest.name)
    }

    @discardableResult
    func make(in host: CheckHost) async throws(ViperError) -> (any Module)? {
        announce("create \(manifest.name)")
        return try await host.module()
    }

    /// Opens a route in a new window, by default with valid parameters.
    func open(
        _ route: Manifest.Route, in host: CheckHost, _ parameters: UnvalidatedParameters? = nil
    ) async throws(ViperError) -> Window {
        announce("open \(route.name)")
        return try await host.open(route.name, parameters ?? right(for: route))
    }

    func right(for route: Manifest.Route) -> UnvalidatedParameters { .values(samples(of: route)) }

    /// Returns a valid value for each parameter that is required or given.
    func samples(of route: Manifest.Route) -> [String: ParameterValue] {
        var samples: [String: ParameterValue] = [:]
        for parameter in route.parameters {
            if let value = given[parameter.name].flatMap({ try? parameter.type.value(from: $0) }) {
                samples[parameter.name] = value
            } else if parameter.presence == .required {
                samples[parameter.name] = parameter.type.samples[0]
            }
        }
        return samples
    }

    /// Opens and closes a route. Returns the fault if this fails, or an empty array if it succeeds.
    func faults(
        _ route: Manifest.Route, in host: CheckHost, _ parameters: [String: ParameterValue]? = nil
    ) async -> [String] {
        do {
            try await open(route, in: host, parameters.map { .values($0) }).closeAll()
            return []
        } catch { return [error.fault] }
    }
}
