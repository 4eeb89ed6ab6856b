package import ViperKit

extension ViperError.Code {
    /// The connection has no open scene with this number.
    package static var sceneUnknown: Self { Self("scene-unknown", .unavailable) }
}

extension ViperError {
    package static func sceneUnknown(_ id: Int) -> ViperError {
        ViperError(
            .sceneUnknown, operation: "cannot find scene", subject: "\(id)",
            cause: "this connection has no open scene with this number")
    }
}
