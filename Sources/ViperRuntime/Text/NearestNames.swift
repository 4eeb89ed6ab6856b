/// The names that somebody may have meant, nearest first, at most three.
///
/// A name is near when a quarter of it, at least one letter and at most three, has to be changed, or when it begins with what
/// was written.
package func nearestNames(to written: String, in names: some Sequence<String>) -> [String] {
    let written = Array(written.lowercased().unicodeScalars.prefix(128))
    guard !written.isEmpty else { return [] }
    let near = names.compactMap { name -> (distance: Int, name: String)? in
        let candidate = Array(name.lowercased().unicodeScalars.prefix(128))
        let distance = editDistance(written, candidate)
        if written.count > 2, candidate.starts(with: written) { return (min(1, distance), name) }
        return distance <= min(3, max(1, candidate.count / 4)) ? (distance, name) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other (optimal string
/// alignment).
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            var best = min(last[column + 1] + 1, current[column] + 1)
            best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                best = min(best, beforeLast[column - 1] + 1)
            }
            current.append(best)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
