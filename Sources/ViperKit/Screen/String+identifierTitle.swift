extension String {
    /// The title for an identifier in camel case, such as `Add person` for `addPerson` and `Show URL` for `showURL`.
    var identifierTitle: String {
        let characters = Array(self)
        var words: [[Character]] = [[]]
        for (index, character) in characters.enumerated() {
            if index > 0, character.isUppercase {
                let (before, after) = (characters[index - 1], characters[(index + 1)...].first)
                let endsAcronym = before.isUppercase && after?.isLowercase == true
                if before.isLowercase || before.isNumber || endsAcronym { words.append([]) }
            }
            words[words.count - 1].append(character)
        }
        let title = words.map { word in
            // An acronym keeps its case.
            word.dropFirst().first?.isUppercase == true ? String(word) : String(word).lowercased()
        }.joined(separator: " ")
        return words.count == 1
            ? prefix(1).uppercased() + dropFirst() : title.prefix(1).uppercased() + title.dropFirst()
    }
}
