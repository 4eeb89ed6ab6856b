import ModuleRuntime
import ViperKit

extension Screen {
    /// Descriptions of the duplicate IDs on the screen, with one sentence for each ID. An event cannot distinguish
    /// elements with the same ID.
    var duplicates: [String] {
        ScreenElement.allCases.flatMap { element in
            var seen: Set<String> = []
            let repeated = Set(ids(of: element).filter { !seen.insert($0).inserted })
            return repeated.sorted().map { "two \(element.plural) have the ID \"\($0)\"" }
        }
    }
}
