/// A subject that measures how soon a serving host uses a changed module.
enum Replacement: Subject {
    static let name = "live"
    static let summary = "Replacing and removing a module of host serve"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let few = try await ChangingHost(effort == .quick ? 2 : 10)
        let many = try await ChangingHost(effort == .quick ? 20 : 1_000)
        let (small, large) = ("\(few.count) modules", "\(many.count) modules")
        return [
            Trial(
                "first answer of a replaced module, \(small)", .partOfTime,
                floor: "a process like a worker that starts and answers",
                subject: { _ in try await few.replace() }, by: { _ in try await few.start() }),
            Trial(
                "first answer of a replaced module, \(large)", .partOfTime, floor: "the same with \(small)",
                subject: { _ in try await many.replace() }, by: { _ in try await few.replace() }),
            Trial(
                "removal of a module, \(large)", .partOfTime, floor: "the same with \(small)",
                subject: { _ in try await many.remove() }, by: { _ in try await few.remove() }),
        ]
    }
}
