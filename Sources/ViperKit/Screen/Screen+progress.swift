extension Screen {
    /// The progress of work that will change the screen.
    public struct Progress: Sendable, Equatable, Codable {
        /// The part that is done, from 0 to 1. Nil if the end of the work is not known.
        public var fraction: Double?
        /// A description of the work, such as `Reading 120,000 of 200,000 people`.
        public var text: String?

        /// Creates a progress. A fraction outside of 0 to 1 is limited to this range, and one that is not a number is nil.
        public init(fraction: Double? = nil, text: String? = nil) {
            self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
            self.text = text
        }
    }
}
