import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// Checks that the manifest and the code agree.
extension CheckedModule {
    func faultsOfRoutes() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults = host.missingRoutes.map {
            "no module provides the route \"\($0)\", which the manifest names in \"opens\""
        }
        for route in manifest.routes {
            do throws(ViperError) {
                let window = try await open(route, in: host)
                faults += window.screen.duplicates.map { "on the screen of \"\(route.name)\", \($0)" }
                window.closeAll()
            } catch { faults.append(error.fault) }
        }
        await host.end()
        return faults
    }

    func faultsOfParameters() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            for parameter in route.parameters {
                for (index, value) in parameter.type.samples.enumerated() {
                    let found = await self.faults(
                        route, in: host, samples(of: route).merging([parameter.name: value]) { $1 })
                    // A module may have its own reasons to refuse unusual values.
                    if index == 0 { faults += found }
                }
                if let bad = parameter.type.bad {
                    faults += await acceptance(of: [parameter.name: [bad]], by: route, in: host, .parameterInvalid)
                }
                if parameter.presence == .required {
                    let others = samples(of: route).filter { $0.key != parameter.name }.mapValues(\.texts)
                    faults += await acceptance(of: others, by: route, in: host, .parameterMissing)
                }
            }
            let unknown = samples(of: route).mapValues(\.texts).merging(["undeclared": ["x"]]) { $1 }
            faults += await acceptance(of: unknown, by: route, in: host, .parameterUnknown)
        }
        await host.end()
        return faults
    }

    func faultsOfArguments() async throws(ViperError) -> [String] {
        let host = try await host()
        let differences = try await host.differences(from: manifest)
        await host.end()
        return differences
    }

    private func acceptance(
        of texts: [String: [String]], by route: Manifest.Route, in host: CheckHost, _ code: ViperError.Code
    ) async -> [String] {
        do {
            try await open(route, in: host, .texts(texts)).closeAll()
            return ["\"\(route.name)\" opens with invalid or missing parameters; given: \(texts.keys.sorted())"]
        } catch {
            return error.code == code ? [] : [error.fault]
        }
    }
}

extension ParameterValue {
    /// The strings that represent this value on a command line.
    fileprivate var texts: [String] {
        if case .array(let values) = self { values.map(\.text) } else { [text] }
    }
}
