import Foundation

/// A program of the machine that a test needs.
enum Tool {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a program that is searched for in `PATH`, and returns what it prints.
    ///
    /// - Throws: ``Failure`` with all that it said, when it cannot be run or does not end with 0.
    static func run(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        // Errors are short: they fit into the pipe while the output is read.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let command = command.prefix(3).joined(separator: " ")
            throw Failure(description: "\(command) … ended with \(process.terminationStatus): \(errorText)")
        }
        return text
    }
}
