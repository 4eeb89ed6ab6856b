import HostDriver
import Foundation

/// An independent validator for JSON files, which uses the Python package jsonschema.
package enum SchemaJudge {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Schemas/validate.py").path

    private static let hasPackage = Task {
        let child = try? await Python.installedProcess(["-B", "-c", "import jsonschema"])
        return try? await child?.run().ending == .code(0)
    }

    static var isInstalled: Bool { get async { await hasPackage.value == true } }

    /// Validates files against a schema. Skips the test if the validator is not installed.
    ///
    /// - Returns: The validation error of each file, or nil if the file is valid. The keys are the file names without
    ///   `.json`.
    /// - Throws: ``Tool/Failure`` if the validator does not run successfully. The error that ends a skipped test.
    package static func verdicts(_ schema: String, on paths: [String]) async throws -> [String: String?] {
        try await Requirement.schemaValidator.check()
        let result = try await Python.process([program, schema] + paths).run()
        guard result.ending == .code(0) else {
            throw Tool.Failure(description: "cannot validate JSON Schema: \(result)")
        }
        var verdicts: [String: String?] = [:]
        for line in result.text.split(separator: "\n") {
            let parts = line.split(separator: "\t")
            guard parts.count == 2, let file = parts[1].split(separator: "/").last else {
                throw Tool.Failure(description: "validate.py printed: \(line)")
            }
            verdicts[String(file.dropLast(5))] = parts[0] == "accepted" ? String?.none : String(parts[0])
        }
        return verdicts
    }
}
