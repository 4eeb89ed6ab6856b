import ViperKit

/// The settings that a user can change for all scenes of this module.
struct TodoSettings: Sendable, Equatable, Codable {
    /// The server's URL.
    var baseURL: String
    /// The number of todos on a page of the list.
    var pageSize: Int

    static let pageSizes = 1...1_000

    /// Returns the settings without the user name and password in the server's URL.
    ///
    /// - Throws: ``ViperError/Code/httpRequestInvalid`` if the URL is not a valid base URL.
    func redacted() throws(ViperError) -> TodoSettings {
        TodoSettings(baseURL: try BaseURL(baseURL).description, pageSize: pageSize)
    }
}
