/// The ID of the request that a task works for. Each line that the task logs ends with it, also in a worker.
///
/// A host that serves gives an ID to each call that a client sends without one, and to each event of a front end. Tasks
/// that a module starts during a request keep its ID.
package enum RequestID {
    /// The ID of the current request. Nil if there is none.
    @TaskLocal package static var current: String?

    /// Returns a new ID, such as `r-0b10fe86`.
    package static func make() -> String {
        let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        return "r-" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Returns the text if it is an ID: `r-` and 1 to 36 lowercase hexadecimal digits or hyphens, such as a UUID. A text
    /// from outside must not look like another part of a line in the log.
    package static func read(_ text: String) -> String? {
        let digits = text.utf8.dropFirst(2)
        let isID =
            text.hasPrefix("r-") && !digits.isEmpty && digits.count <= 36
            && digits.allSatisfy { "0123456789abcdef-".utf8.contains($0) }
        return isID ? text : nil
    }

    /// Separates the ID at the end of a line of the log. Nil if the line has none.
    package static func split(_ line: String) -> (line: Substring, id: String)? {
        guard line.hasSuffix("]"), let start = line.ranges(of: " [r-").last?.lowerBound,
            let id = read(String(line[start...].dropFirst(2).dropLast()))
        else { return nil }
        return (line[..<start], id)
    }

    /// Runs a closure that starts tasks which outlive the request. They do not belong to it.
    package static func outlived<Value>(_ body: () -> Value) -> Value { $current.withValue(nil, operation: body) }

    /// Runs a closure as a part of a request.
    package static func with<Value, Failure: Error>(
        _ id: String?, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await $current.withValue(id) {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
