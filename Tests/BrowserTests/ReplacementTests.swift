import Foundation
import HostDriver
import Testing

extension BrowserTests {
    /// Replacing modules under an open page.
    struct ReplacementTests {
        private let web: WebHost
        private let other: TestClient

        init() async throws {
            web = try await WebHost { root in
                try await root.add(BoardModule.fixture("Board"), BoardModule.manifest)
                try root.copy("\(Products.folder)/libWeb.so", to: "libWeb.so")
            }
            other = try web.host.client()
            _ = try await other.call("open", #"{"route":"board"}"#)
        }

        /// Renames a library into place, as an installation does.
        private func replace(_ name: String, by library: Data) throws {
            let staged = try web.root.folder.write(library, to: "staged.so")
            #expect(rename(staged, "\(web.root.path)/Plugins/\(name)") == 0)
        }

        /// Adds a line in another session.
        private func add(_ line: String) async throws {
            try await BoardModule.add(line, in: other)
        }

        @Test("A page goes on when the module web is replaced: the address, the scene and what is half typed stay")
        func front() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.wait(forHeading: "Board")
                try await browser.script("window.mark = 1")
                try await browser.fill("line", "half typed")
                let address = try await browser.address
                // Bytes after the end of a library change nothing but its digest.
                try replace("libWeb.so", by: Data(contentsOf: URL(filePath: "\(Products.folder)/libWeb.so")) + [0])
                try await web.host.wait(forLog: "web 1.0.0 was replaced: generation 2")
                try await add("after the replacement ")
                try await browser.wait(forText: "after the replacement s")
                #expect(try await browser.value(of: "line") == "half typed")
                try await browser.press("add")
                try await browser.wait(forText: "half typeds")
                #expect(try await browser.address == address)
                #expect(try await browser.text("window.mark") == "1")
                try await browser.reload()
                try await browser.wait(forText: "half typeds")
            }
        }

        @Test("A scene goes on in the old generation of its module, and a new page opens in the new one")
        func module() async throws {
            let new = try await BoardModule.fixture("New board").compiled()
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.wait(forHeading: "Board")
                let first = try await browser.tab
                try await browser.fill("line", "old")
                try replace("libBoard.so", by: Data(contentsOf: URL(filePath: new)))
                try await web.host.client().wait("open", #"{"route":"board"}"#, for: "New board")
                _ = try await browser.openTab()
                try await browser.go("\(web.url)/board")
                try await browser.wait(forHeading: "New board")
                try await browser.use(tab: first)
                try await browser.press("add")
                try await browser.wait(forText: "olds")
                #expect(try await browser.heading == "Board")
                try await browser.reload()
                try await browser.wait(forHeading: "Board")
            }
        }
    }
}
