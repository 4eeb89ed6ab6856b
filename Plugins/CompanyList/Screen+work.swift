import ViperKit

extension Screen {
    /// Shows that work is in progress, and removes the alert of earlier work.
    mutating func begin(_ work: String) { (isLoading, alert, progress) = (true, nil, Progress(text: work)) }

    /// Shows that the work has ended.
    mutating func end() { (isLoading, progress) = (false, nil) }
}
