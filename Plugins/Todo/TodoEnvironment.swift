import Observation
import ViperKit

/// The values that all scenes of this module share, in all windows. The module creates the environment, and the
/// wireframes pass it to the scenes. A scene that reads a value from it follows the changes of this value.
@MainActor
@Observable
final class TodoEnvironment {
    let title = "Todos"
    private(set) var settings: TodoSettings

    /// The settings in the state folder. Passwords in URLs are not stored.
    private struct Choice: Codable {
        /// The module's configuration when the user chose. A later configuration replaces the choice.
        var configured: TodoSettings
        var chosen: TodoSettings
    }

    private static let file = "settings.json"
    private static let server = "server"
    @ObservationIgnored private let configured: TodoSettings
    @ObservationIgnored private let store: any TodoStoring
    @ObservationIgnored private var isLoaded = false
    /// The number of choices of this generation.
    @ObservationIgnored private var choices = 0
    /// The presenters that read the server's todos. `Observations` would stay registered after their scenes have closed,
    /// until the next change.
    @ObservationIgnored private let observers = CollectionObservers()
    @ObservationIgnored private let sessionChanges: SessionChanges?

    /// Creates an environment with the settings of the module's configuration.
    ///
    /// - Parameter sessionChanges: The logins and logouts, or nil if no module tells them.
    init(configured: TodoSettings, store: any TodoStoring, sessionChanges: SessionChanges? = nil) {
        (settings, self.configured, self.store) = (configured, configured, store)
        self.sessionChanges = sessionChanges
    }

    /// Reads the settings that a user has chosen, unless they have already been read.
    func load() async throws(ViperError) { if !isLoaded { try await refresh() } }

    /// Reads the settings that a user has chosen, also in another generation or process of the module.
    func refresh() async throws(ViperError) {
        let known = choices
        let choice = try await store.read(Choice.self, from: Self.file)
        // A user may have chosen others in the meantime.
        if choices != known { return }
        use(try settings(of: choice))
    }

    /// Stores settings, and changes all open scenes.
    ///
    /// - Parameter shown: The settings that the user has changed. A value that is the same in both is kept as it is stored,
    ///   because a user may have changed it in another generation or process. Nil to store all values.
    func choose(_ chosen: TodoSettings, insteadOf shown: TodoSettings? = nil) async throws(ViperError) {
        let (chosen, shown, key) = (try chosen.redacted(), try shown?.redacted(), configuredKey)
        let choice = try await store.change(Self.file) { (stored: Choice?) in
            var choice = Choice(configured: key, chosen: chosen)
            guard let shown, let stored, stored.configured == key else { return choice }
            if chosen.baseURL == shown.baseURL { choice.chosen.baseURL = stored.chosen.baseURL }
            if chosen.pageSize == shown.pageSize { choice.chosen.pageSize = stored.chosen.pageSize }
            return choice
        }
        choices += 1
        use(try settings(of: choice))
    }

    private func settings(of choice: Choice?) throws(ViperError) -> TodoSettings {
        guard let choice, choice.configured == configuredKey else { return configured }
        return try complete(choice.chosen)
    }

    private func use(_ new: TodoSettings) {
        // The first read changes nothing that a scene has shown.
        let isOtherServer = (isLoaded || choices > 0) && new.baseURL != settings.baseURL
        isLoaded = true
        if new != settings { settings = new }
        if isOtherServer { observers.notifyObservers(of: [Self.server]) }
    }

    /// The configuration as it is stored: exactly as written, but without the user name and password.
    private var configuredKey: TodoSettings {
        let url = HTTPRequest(method: "GET", url: configured.baseURL).redactedURL
        return TodoSettings(baseURL: url, pageSize: configured.pageSize)
    }

    /// Returns settings with the configured user name and password, if their server is the configured one.
    private func complete(_ settings: TodoSettings) throws(ViperError) -> TodoSettings {
        var settings = settings
        let isConfigured = try settings.redacted().baseURL == configured.redacted().baseURL
        if isConfigured { settings.baseURL = configured.baseURL }
        return settings
    }

    /// Returns a stream with an element after each time that a user has named another server, and after each login and
    /// logout in the windows of an identity. One element may stand for many changes.
    func sourceChanges(for identity: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (servers, sessions) = (observers.changes(in: Self.server), sessionChanges?())
        let following = Task {
            for await _ in servers { continuation.yield() }
            continuation.finish()
        }
        let sessionTask = sessions.map { sessions in
            Task {
                // Texts with the same characters in another Unicode form are different identities.
                for await other in sessions where other.utf8.elementsEqual(identity.utf8) { continuation.yield() }
            }
        }
        continuation.onTermination = { _ in
            following.cancel()
            sessionTask?.cancel()
        }
        return stream
    }
}
