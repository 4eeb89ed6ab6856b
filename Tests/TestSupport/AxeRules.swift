import HostDriver

/// The rules of axe-core, which judge the accessibility of a page in a browser. A Python package contains them.
package enum AxeRules {
    private static let found = Task {
        // The package itself needs other packages, so it is not imported.
        let script = """
            import importlib.util, os
            print(os.path.join(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0], "axe.min.js"))
            """
        let result = try await Python.installedProcess(["-B", "-c", script]).run()
        return result.ending == .code(0) ? result.text.split(separator: "\n").first.map(String.init) : nil
    }

    /// The path of the script with the rules. Nil if the package is not installed.
    package static var path: String? { get async { try? await found.value } }
}
