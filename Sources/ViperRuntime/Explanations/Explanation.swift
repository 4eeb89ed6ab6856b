package import ViperKit

/// The reasons for the state of a module, route, service or library, step by step.
package struct Explanation: Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case module, route, service, library, code }

    /// A fact that leads to the state.
    package struct Step: Codable, Sendable {
        /// The subject of the fact in one or two words, such as `library`.
        package var label: String
        /// The fact. Each line of an example is a line.
        package var text: String
        /// The error of a failed check. Nil if nothing failed.
        package var error: ViperError?

        package init(_ label: String, _ text: String, _ error: ViperError? = nil) {
            (self.label, self.text, self.error) = (label, text, error)
        }
    }

    package var kind: Kind
    package var name: String
    /// The state now, in a few words.
    package var state: String
    package var steps: [Step]
    /// What to do. Empty if nothing is wrong.
    package var fixes: [String] = []

    package init(_ kind: Kind, _ name: String, state: String, steps: [Step] = [], fixes: [String] = []) {
        (self.kind, self.name, self.state, self.steps, self.fixes) = (kind, name, state, steps, fixes)
    }

    mutating func add(_ label: String, _ text: String, _ error: ViperError? = nil) {
        steps.append(Step(label, text, error))
        if let fix = error?.fix, !fixes.contains(fix) { fixes.append(fix) }
    }
}
