import ModuleRuntime
public import ViperKit

/// A navigator that only records calls, for tests of a single wireframe.
@MainActor
public final class RecordingNavigator: Navigator {
    /// The recorded calls, in order.
    public private(set) var calls: [Call] = []
    /// The error that ``open(_:parameters:as:)`` throws after it has recorded the call. If nil, the call succeeds.
    public var failure: ViperError?

    /// A call to a navigator.
    public enum Call: Equatable {
        /// A call that opens a route.
        case open(route: String, parameters: [String: ParameterValue], transition: Transition)
        /// A call that closes the scene, with the result for the scene below.
        case close(result: SceneResult?)
    }

    /// Creates a navigator without recorded calls.
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
