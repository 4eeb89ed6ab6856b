/// A part of the host to measure. The report has one or more rows for each subject.
protocol Subject {
    /// The name that selects the subject on the command line.
    static var name: String { get }

    /// A short description for the help.
    static var summary: String { get }

    /// Prepares and returns the trials, one for each row.
    @MainActor
    static func trials(_ effort: Effort) async throws -> [Trial]
}
