import ViperKit

extension Manifest {
    /// Returns true if two manifests are equal and their texts have the same bytes.
    ///
    /// Two strings are also equal if they differ only in the form of their Unicode characters, but the difference can be
    /// visible in a terminal.
    package func isIdentical(to other: Manifest) -> Bool {
        self == other && hasIdenticalRoutes(to: other) && Self.areIdentical(config, other.config)
    }

    /// Returns true if the routes of two manifests are equal and their texts have the same bytes.
    package func hasIdenticalRoutes(to other: Manifest) -> Bool {
        routes == other.routes
            && zip(routes, other.routes).allSatisfy { route, other in
                route.summary.utf8.elementsEqual(other.summary.utf8)
                    && Self.areIdentical(route.parameters, other.parameters)
            }
    }

    private static func areIdentical(_ parameters: [Parameter], _ others: [Parameter]) -> Bool {
        zip(parameters, others).allSatisfy { parameter, other in
            parameter.summary.utf8.elementsEqual(other.summary.utf8)
                && "\(parameter.type) \(parameter.presence)".utf8.elementsEqual("\(other.type) \(other.presence)".utf8)
        }
    }
}
