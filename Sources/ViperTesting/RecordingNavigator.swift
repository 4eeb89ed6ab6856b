public import ViperKit

import ViperRuntime

/// Keeps what a wireframe asks for, to test it alone.
@MainActor
public final class RecordingNavigator: Navigator {
    /// What was asked for, in order: `push person ["id": …]`, `close`, `close "result"`.
    public private(set) var calls: [Call] = []
    /// What each open throws, to see how a presenter takes it.
    public var failure: ViperError?

    /// One call of a navigator.
    public enum Call: Equatable {
        /// A route was opened.
        case open(route: String, parameters: [String: ParameterValue], transition: Transition)
        /// The scene was closed, with this result.
        case close(result: SceneResult?)
    }

    /// A navigator that was asked for nothing.
    public init() {}

    public func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError) {
        calls.append(.open(route: route, parameters: parameters, transition: transition))
        if let failure { throw failure }
    }

    public func close(returning result: (any Encodable & Sendable)?) async throws(ViperError) {
        calls.append(.close(result: try result.map { value throws(ViperError) in try SceneResult(value) }))
    }
}
