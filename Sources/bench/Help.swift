/// The text of `bench --help`.
enum Help {
    static func text(_ subjects: [any Subject.Type]) -> String {
        """
        bench measures the host's operations, and compares each one with a floor: the
        least code that does the same without the host.

        USAGE
          bench [SUBJECT…] [OPTIONS]

        SUBJECTS
        \(subjects.map { row($0.name, $0.summary) }.joined(separator: "\n"))

        OPTIONS
        \(options.map(row).joined(separator: "\n"))

        Without a subject, bench measures all of them, which takes about eight minutes.
        With --quick it takes less than a minute.

        EXAMPLE
          bench routes registry --plot charts

        """
    }

    private static let options = [
        ("--format FORMAT", "Print the results as text or json (default: text)"),
        ("--plot DIR", "Write charts to this folder: routes, registry and commands"),
        ("--quick", "Check that each row works. The numbers are not accurate"),
        ("-h, --help", "Show this help"),
    ]

    private static func row(_ label: String, _ text: String) -> String {
        "  \(label)\(String(repeating: " ", count: max(2, 18 - label.count)))\(text)"
    }
}
