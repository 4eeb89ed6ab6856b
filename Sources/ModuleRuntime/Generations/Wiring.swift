/// What a generation was wired with, to tell whether that is still what answers.
struct Wiring: Equatable, Sendable {
    struct Provider: Equatable {
        var file: String
        var revision: Int
        /// The number of its generation; nil where it is not in this process.
        var generation: Int?
    }

    var providers: [String: Provider]
}
