import Foundation
import HostDriver
import TestSupport
import Testing

/// The dependencies between the roles of the bundled modules, according to their sources.
@Suite(.fewAtOnce)
struct RoleTests {
    @Test(
        "Views, presenters and interactors name no role's type but their own",
        arguments: ["View", "Presenter", "Interactor"])
    func types(role: String) throws {
        let plugins = Products.repository + "/Plugins"
        let files = try FileManager.default.subpathsOfDirectory(atPath: plugins).filter {
            $0.hasSuffix("\(role).swift")
        }
        #expect(files.count >= 8)
        for file in files {
            let own = file.split(separator: "/").last?.dropLast(".swift".count) ?? ""
            let words = try String(contentsOfFile: "\(plugins)/\(file)", encoding: .utf8)
                .split { !$0.isLetter && !$0.isNumber }
            let others = words.filter { word in
                ["View", "Presenter", "Interactor", "Wireframe"].contains { word.hasSuffix($0) && word != $0 }
                    && word != own
            }
            #expect(others == [], "\(file)")
        }
    }
}
