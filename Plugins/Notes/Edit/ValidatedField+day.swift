import ViperKit

extension ValidatedField where Value == String {
    /// Creates a field for a day such as `2026-11-25`, or for no day.
    static func day(_ id: some FieldID) -> ValidatedField {
        ValidatedField(id, text: "") { text in
            text.isEmpty || isDay(text) ? .valid(text) : .invalid("must be a day such as 2026-11-25")
        }
    }

    private static func isDay(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/) else { return false }
        let numbers = [match.1, match.2, match.3].compactMap { Int($0) }
        guard numbers.count == 3, 1...12 ~= numbers[1] else { return false }
        let isLeapYear = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return 1...days[numbers[1] - 1] ~= numbers[2]
    }
}
