import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ViperKit

/// `floor`: a program that does the least of what a command of the host does. The benchmark compares the host with it.
@main
struct Floor {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let work = words.first, let path = words.last else { fail("usage: floor WORK PATH") }
        switch work {
        // Prints a line. The names of ViperKit and FoundationEssentials keep both linked.
        case "line": print(Screen(title: URL(filePath: path).lastPathComponent).title)
        case "list": show(try JSONDecoder().decode([Person].self, from: Data(contentsOf: URL(filePath: path))))
        case "people": show(try people(in: path))
        case "manifests": try showManifests(in: path)
        case "load": try load(path)
        default: fail("unknown work \(work)")
        }
    }

    private static func fail(_ text: String) -> Never {
        print(text)
        exit(1)
    }

    /// Decodes people after a strict check of the text, as the host does.
    private static func people(in path: String) throws -> [Person] {
        let purpose = JSONText.Purpose(code: .settingInvalid, operation: "cannot read file")
        let text = try JSONText(name: path, data: Data(contentsOf: URL(filePath: path)), purpose: purpose)
        return try text.decode([Person].self)
    }

    /// Prints the people of each company.
    private static func show(_ people: [Person]) {
        let companies = Dictionary(grouping: people, by: \.company)
        let names = companies.keys.map { (sorting: $0.lowercased(), name: $0) }.sorted { $0 < $1 }.map(\.name)
        var lines = ["People by company"]
        for name in names {
            let rows = companies[name, default: []].map { ("\($0.name.first) \($0.name.last)", $0.balance) }
            let width = rows.map(\.0.count).max() ?? 0
            lines.append(name)
            lines += rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count + 2))\($1)" }
        }
        print(lines.joined(separator: "\n"))
    }

    /// Validates and decodes the manifests in a folder, and prints their routes.
    private static func showManifests(in folder: String) throws {
        var lines: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".json") {
            let manifest = try Manifest(readingFile: "\(folder)/\(name)", named: name)
            lines += manifest.routes.map { "\($0.name)  \(manifest.name)  \($0.summary)" }
        }
        print(lines.joined(separator: "\n"))
    }

    /// Loads the libraries in a folder, and prints their number and the private memory before and after, in KiB.
    private static func load(_ folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".so") }
        let before = privateMemory()
        for name in names.sorted() where dlopen("\(folder)/\(name)", RTLD_NOW | RTLD_LOCAL) == nil {
            fail(String(cString: dlerror()))
        }
        print(names.count, before, privateMemory())
    }

    private static func privateMemory() -> Int {
        let lines = KernelFile.read("/proc/self/smaps_rollup")?.split(separator: UInt8(ascii: "\n")) ?? []
        return lines.map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("Private_Dirty:") }
            .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
    }
}

/// The fields of a person that the list shows.
private struct Person: Decodable {
    struct Name: Decodable { var first, last: String }

    private enum CodingKeys: String, CodingKey { case id = "_id", name, company, balance }

    var id, company, balance: String
    var name: Name
}
