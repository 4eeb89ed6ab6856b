package import ViperKit

/// A check of a module's library, and its result.
package struct CheckResult: Codable, Sendable, Equatable {
    /// The promise that the check confirms, such as `it has one entry`.
    package let promise: String
    /// The error of a failed check. Nil if the library keeps the promise.
    package let error: ViperError?

    package init(promise: String, error: ViperError?) { (self.promise, self.error) = (promise, error) }
}

/// A record of the checks of a library, in the order in which the host performs them. The first failure ends the checks.
package struct CheckRecord {
    package private(set) var results: [CheckResult] = []

    package init() {}

    /// Performs a check and notes its result.
    package mutating func check<Value>(
        _ promise: String, _ body: () throws(ViperError) -> Value
    ) throws(ViperError) -> Value {
        do {
            let value = try body()
            results.append(CheckResult(promise: promise, error: nil))
            return value
        } catch {
            results.append(CheckResult(promise: promise, error: error))
            throw error
        }
    }
}
