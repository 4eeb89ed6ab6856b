import FoundationEssentials
import Glibc
import HostSystem

/// The folder that charts are written to.
struct ChartFolder {
    private let path: String

    /// Creates the folder if it is missing, and checks that files can be created in it.
    ///
    /// - Throws: ``Failure`` if the folder or a file in it cannot be created.
    init(_ path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Self.failure("cannot create folder", path, systemReason(error))
        }
        let trial = "\(path)/.bench-\(getpid())"
        if let error = writeNewFile([], to: trial, permissions: 0o600, isSynced: false) {
            throw Self.failure("cannot write to folder", path, systemReason(error))
        }
        unlink(trial)
    }

    /// Writes charts, and replaces those of earlier runs.
    func write(_ charts: [Chart]) throws {
        for chart in charts {
            let file = "\(path)/\(chart.file)"
            do { try chart.svg().write(toFile: file, atomically: false, encoding: .utf8) } catch {
                throw Self.failure("cannot write file", file, systemReason(error))
            }
        }
    }

    private static func failure(_ operation: String, _ path: String, _ cause: String) -> Failure {
        .output(operation, path, cause, fix: "choose a folder that you can write to")
    }
}
