import Foundation
import TestSupport
import Testing
import ViperKit

@testable import Web

/// Writes the sample pages to the folder of `VIPER_PAGES`, to look at them in a browser.
struct PageFileTests {
    private static let folder = ProcessInfo.processInfo.environment["VIPER_PAGES"]

    @Test("The sample pages are written", .enabled(if: folder != nil))
    func write() throws {
        for (name, screen) in SampleScreens.all {
            let state = WindowState(
                screen, above: name == "form" || name == "confirmation" ? ["Menu", "People of the company"] : [],
                as: name == "confirmation" ? .present : .push)
            let page = Page.document(state, .sample)
            try page.write(toFile: "\(Self.folder ?? "")/\(name).html", atomically: true, encoding: .utf8)
        }
        try Page.problem("There is no such page", "No module has the route \"lst\".\nDid you mean list?", status: 404)
            .write(toFile: "\(Self.folder ?? "")/problem.html", atomically: true, encoding: .utf8)
    }
}
