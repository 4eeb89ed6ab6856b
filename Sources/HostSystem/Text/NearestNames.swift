/// Returns at most three names that the user may have meant, nearest first.
///
/// A name matches if at most a quarter of its letters differ from what the user wrote. The limit is at least one letter
/// and at most three. A name also matches if it starts with the written string and that string has at least three
/// letters. Each comparison stops at the limit, so searching many names is fast.
package func nearestNames(to written: String, in names: some Sequence<String>) -> [String] {
    let written = Array(written.lowercased().unicodeScalars.prefix(128))
    guard !written.isEmpty else { return [] }
    let near = names.compactMap { name -> (distance: Int, name: String)? in
        let candidate = Array(name.lowercased().unicodeScalars.prefix(128))
        let isBeginning = written.count > 2 && candidate.starts(with: written)
        let limit = isBeginning ? 1 : min(3, max(1, candidate.count / 4))
        let distance = editDistance(written, candidate, limit: limit)
        if isBeginning { return (distance ?? 1, name) }
        return distance.map { ($0, name) }
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// Returns the edit distance between two strings: the number of letters to insert, delete, replace, or swap with a
/// neighbor (optimal string alignment). Returns nil if the distance is above the limit.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int? {
    if abs(left.count - right.count) > limit { return nil }
    // The rows store the limit plus one for every distance above the limit.
    var last = (0...right.count).map { min($0, limit + 1) }
    var (beforeLast, current) = (last, last)
    var leastBefore = 0
    for row in left.indices {
        // Letters whose positions differ by more than the limit cannot match.
        let columns = max(0, row - limit)..<min(right.count, row + limit + 1)
        current[columns.lowerBound] = min(columns.lowerBound == 0 ? row + 1 : limit + 1, limit + 1)
        var least = current[columns.lowerBound]
        for column in columns {
            var best = min(last[column + 1] + 1, current[column] + 1, limit + 1)
            best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                best = min(best, beforeLast[column - 1] + 1)
            }
            current[column + 1] = best
            least = min(least, best)
        }
        // A swap uses the row before the last one, so both rows must be above the limit.
        if least > limit, leastBefore > limit { return nil }
        leastBefore = least
        (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count] > limit ? nil : last[right.count]
}
