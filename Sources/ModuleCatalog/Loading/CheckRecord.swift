package import ViperKit

/// A check of a module's library, and its result.
package struct CheckResult: Codable, Sendable, Equatable {
    /// The promise that the check confirms, such as `it has one entry`.
    package let promise: String
    /// The error of a failed check. Nil if the library keeps the promise.
    package let error: ViperError?
    /// True if the library can be used although it breaks the promise.
    package let isWarning: Bool

    package init(promise: String, error: ViperError?, isWarning: Bool = false) {
        (self.promise, self.error, self.isWarning) = (promise, error, isWarning)
    }
}

/// A record of the checks of a library, in the order in which the host performs them. The first failure that is no warning
/// ends the checks.
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

    /// Notes the result of a check of what a library may do.
    mutating func note(_ promise: String, warning: ViperError?) {
        results.append(CheckResult(promise: promise, error: warning, isWarning: warning != nil))
    }
}
