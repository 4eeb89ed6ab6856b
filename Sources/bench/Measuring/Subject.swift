/// A part of the host that is measured, as one or more rows.
protocol Subject {
    /// The word that selects the subject on the command line.
    static var name: String { get }

    /// Prepares the rows.
    @MainActor
    static func trials(_ effort: Effort) async throws -> [Trial]
}
