import HostDriver
import Foundation

/// An independent validator for JSON files, which uses the Python package jsonschema.
package enum SchemaJudge {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Schemas/validate.py").path

    /// Validates files against a schema.
    ///
    /// - Returns: The validation error of each file, or nil if the file is valid. The keys are the file names without
    ///   `.json`.
    /// - Throws: ``Tool/Failure`` if the validator does not run successfully.
    package static func verdicts(_ schema: String, on paths: [String]) async throws -> [String: String?] {
        let output: String
        do {
            let result = try await Python.process([program, schema] + paths).run()
            guard result.ending == .code(0) else { throw Tool.Failure(description: "\(result)") }
            output = result.text
        } catch {
            throw Tool.Failure(
                description: """
                    cannot validate JSON Schema: \(error)
                    install Python 3 and its package jsonschema: python3 -m pip install jsonschema
                    """)
        }
        var verdicts: [String: String?] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "\t")
            guard parts.count == 2, let file = parts[1].split(separator: "/").last else {
                throw Tool.Failure(description: "validate.py printed: \(line)")
            }
            verdicts[String(file.dropLast(5))] = parts[0] == "accepted" ? String?.none : String(parts[0])
        }
        return verdicts
    }
}
