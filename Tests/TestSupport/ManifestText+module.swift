/// Returns the text of a valid manifest, for tests that do not check the manifest's format.
package func manifestText(
    _ name: String, sdk: String = "1.0", routes: [String] = [], requires: [String] = [], provides: [String] = [],
    resources: String? = nil
) -> String {
    func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
    let routes = routes.map { "{\"name\": \"\($0)\", \"summary\": \"Of \(name)\"}" }.joined(separator: ", ")
    let resources = resources.map { ", \"resources\": \"\($0)\"" } ?? ""
    return """
        {"name": "\(name)", "version": "1.0.0", "library": "lib\(name).so", "sdk": "\(sdk)", "routes": [\(routes)],
         "requires": [\(list(requires))], "provides": [\(list(provides))]\(resources)}
        """
}

extension Result {
    package var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
