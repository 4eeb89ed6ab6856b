import JSONRPC

/// A worker's notification about the step that it starts now. If the worker crashes, the error names the step.
package struct StepNotification: Codable, Sendable {
    var step: String

    package init(_ step: String) { self.step = step }
}

/// The parameters of `check`, which takes a module through all phases up to the given phase.
package struct CheckCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case module, phase }

    package var module: String
    package var phase: WorkerPhase
}

/// The parameters of `run`, which calls a module's `run()`.
package struct RunCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case module }

    package var module: String
}

/// The result of `run`.
package struct RunResult: Codable, Sendable {
    /// False if `run()` was cancelled.
    var isFinished: Bool

    package init(isFinished: Bool) { self.isFinished = isFinished }
}
