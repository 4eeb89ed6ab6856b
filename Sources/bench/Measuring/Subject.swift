/// A part of the host to measure, with one or more rows in the report.
protocol Subject {
    /// The word that selects the subject on the command line.
    static var name: String { get }

    /// Prepares the trials, one for each row.
    @MainActor
    static func trials(_ effort: Effort) async throws -> [Trial]
}
