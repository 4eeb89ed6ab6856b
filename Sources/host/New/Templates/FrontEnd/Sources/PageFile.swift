import FoundationEssentials

/// The place where the front end keeps the current page and the number of its window.
protocol PageStoring: Sendable {
    /// The number that was stored last. Nil if there is none.
    var window: Int? { get }

    func store(_ page: String) throws
    func store(window: Int?) throws
}

/// The files `page.txt` and `window` in a folder.
struct PageFile: PageStoring {
    let folder: String

    var window: Int? { (try? String(contentsOfFile: folder + "/window", encoding: .utf8)).flatMap(Int.init) }

    func store(_ page: String) throws { try write(page, to: "page.txt") }
    func store(window: Int?) throws { try write(window.map(String.init) ?? "", to: "window") }

    private func write(_ text: String, to file: String) throws {
        try text.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
    }
}
