public import ViperKit

/// Counts what a wireframe asks for, to test it alone.
@MainActor
public final class RecordingNavigator: Navigator {
    /// How often the scene was closed.
    public private(set) var closes = 0

    /// A navigator that was asked for nothing.
    public init() {}

    public func close() { closes += 1 }
}
