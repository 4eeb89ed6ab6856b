package import ModuleCatalog
import ViperKit

/// A module that is being checked. It asks the check process questions, and decides from the answers whether the check
/// passes.
package struct CheckedModule: Sendable {
    let manifest: Manifest
    /// Values for route parameters, keyed by parameter name. They take precedence over the sample values.
    let given: [String: [String]]
    let process: CheckProcess

    package init(_ manifest: Manifest, given: [String: [String]], in process: CheckProcess) {
        (self.manifest, self.given, self.process) = (manifest, given, process)
    }

    /// Runs a check on the module.
    ///
    /// - Returns: One sentence for each fault. If the check cannot finish, the array contains one sentence with the
    ///   reason.
    package func faults(in check: ModuleCheck) async -> [String] {
        do { return try await found(by: check) } catch { return [error.fault] }
    }

    private func found(by check: ModuleCheck) async throws(ViperError) -> [String] {
        switch check {
        case .routes: try await faultsOfRoutes()
        case .undeclared: try await faultsOfUndeclaredRoutes()
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
    /// - Parameter store: The name of a separate state folder, if one is needed.
    /// - Returns: The host's number.
    /// - Throws: An error if the module cannot be created.
    func host(store: String? = nil) async throws(ViperError) -> Int {
        let host = try await process.ask(.host(withheld: nil, store: store), as: Int.self)
        try await make(in: host)
        return host
    }

    @discardableResult
    func make(in host: Int) async throws(ViperError) -> Int? {
        process.announce("create \(manifest.name)")
        return try await process.ask(.make(host: host), as: CheckAnswer.Made.self).type
    }

    /// Opens a route, by default with valid parameters.
    func open(
        _ route: Manifest.Route, in host: Int, _ parameters: CheckQuestion.Parameters? = nil
    ) async throws(ViperError) -> CheckAnswer.Opened {
        process.announce("open \(route.name)")
        let question = CheckQuestion.open(host: host, route: route.name, parameters: parameters ?? right(for: route))
        return try await process.ask(question, as: CheckAnswer.Opened.self)
    }

    func close(_ opened: CheckAnswer.Opened) async throws(ViperError) {
        try await process.ask(.close(window: opened.window, late: nil))
    }

    func end(_ host: Int) async throws(ViperError) { try await process.ask(.end(host: host)) }

    func right(for route: Manifest.Route) -> CheckQuestion.Parameters { CheckQuestion.Parameters(samples(of: route)) }

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
        _ route: Manifest.Route, in host: Int, _ parameters: [String: ParameterValue]? = nil
    ) async -> [String] {
        do {
            try await close(open(route, in: host, parameters.map(CheckQuestion.Parameters.init)))
            return []
        } catch { return [error.fault] }
    }
}

extension ParameterType {
    // A stored property, so that the string is computed only once. Every open uses the samples.
    fileprivate static let longText = String(repeating: "x", count: 100_000)

    /// Sample values of this type: first an ordinary value, then edge cases.
    var samples: [ParameterValue] {
        var samples = allowed
        if samples.isEmpty {
            let limits = [minimum, maximum].compactMap(\.self)
            // A range may exclude every ordinary sample, so the samples include its limits.
            samples = (kind.samples + limits).filter { (try? single.value(from: $0)) != nil }
        }
        return isArray ? [.array(Array(samples.prefix(1))), .array([]), .array(samples)] : samples
    }

    private var single: Self {
        var single = self
        single.isArray = false
        return single
    }

    /// A string that is not a valid value of this type. Nil if any string is valid.
    var bad: String? { kind == .string && allowed.isEmpty ? nil : "no such value" }
}

extension ParameterType.Kind {
    fileprivate var samples: [ParameterValue] {
        switch self {
        case .string:
            [
                .string("sample"), .string(""), .string("\u{0}\n\u{1F469}\u{200D}\u{1F680}"),
                .string(ParameterType.longText),
            ]
        case .integer: [.integer(1), .integer(0), .integer(-1), .integer(.max), .integer(.min)]
        case .number: [.number(1.5), .number(0), .number(-.greatestFiniteMagnitude), .number(.leastNonzeroMagnitude)]
        case .boolean: [.boolean(true), .boolean(false)]
        }
    }
}

extension ViperError {
    /// The error as a single line, with its notes and its fix.
    var fault: String {
        summary + notes.map { "; \($0.label): \($0.text)" }.joined() + (fix.map { "; fix: \($0)" } ?? "")
    }
}
