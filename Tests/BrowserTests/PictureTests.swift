import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

private let pictureFolder = ProcessInfo.processInfo.environment["VIPER_PICTURES"]

extension BrowserTests {
    /// Pictures of the pages, to look at. `VIPER_PICTURES` names the folder into which they are written.
    @Suite(.enabled(if: pictureFolder != nil, "VIPER_PICTURES is unset"))
    struct PictureTests {
        /// Writes the page in light, dark and narrow. The pictures are as high as the page.
        private func write(_ name: String, in browser: Browser) async throws {
            for (kind, width, isDark) in [("light", 800, false), ("dark", 800, true), ("narrow", 320, false)] {
                try await browser.show(width: width, height: 400, isDark: isDark)
                let height = Int(try await browser.text("document.documentElement.scrollHeight")) ?? 400
                try await browser.show(width: width, height: min(height, 2400), isDark: isDark)
                let file = URL(filePath: "\(pictureFolder ?? "")/\(name)-\(kind).png")
                try await browser.picture().write(to: file)
            }
        }

        @Test("The samples")
        func samples() async throws {
            let web = try await WebHost { try await GalleryModule.add(SampleScreens.all, to: $0) }
            try await Browser.run { browser in
                for (name, screen) in SampleScreens.all {
                    try await browser.go("\(web.url)/gallery/\(name)")
                    try await browser.wait(forHeading: screen.title)
                    try await write("sample-\(name)", in: browser)
                }
            }
        }

        @Test("The bundled screens")
        func bundled() async throws {
            let web = try await WebHost(
                ["account", "alert", "details", "http-client", "launcher", "notes", "people", "todo"], needsLogin: true)
            try await Browser.run { browser in
                try await browser.go("\(web.url)/lst")
                try await write("problem", in: browser)
                try await browser.go(web.url)
                try await browser.wait(forHeading: "Menu")
                try await write("menu", in: browser)
                try await browser.select("People")
                try await browser.wait(forHeading: "Log in")
                try await write("login", in: browser)
                try await web.logIn(browser)
                try await browser.wait(forHeading: "People")
                try await write("people-empty", in: browser)
                try await browser.press("add")
                try await browser.wait(forHeading: "Add a person")
                try await browser.press("add")
                try await browser.wait(forText: "must not be empty")
                try await write("people-add", in: browser)
                for person in [("Ada Lovelace", "36"), ("Grace Hopper", "85")] {
                    try await browser.go("\(web.url)/people")
                    try await browser.press("add")
                    try await browser.wait(forHeading: "Add a person")
                    try await browser.fill("name", person.0)
                    try await browser.fill("age", person.1 + Key.enter)
                    try await browser.wait(forText: "\(person.0) - \(person.1)")
                }
                try await write("people", in: browser)
                try await browser.select("Ada Lovelace - 36")
                try await browser.wait(forHeading: "Ada Lovelace")
                try await write("details", in: browser)
                try await browser.press("remove")
                try await browser.wait(forHeading: "Remove Ada Lovelace?")
                try await write("alert", in: browser)
                for (title, text) in [("Tea", "Green, from Uji"), ("Shopping", "Bread\nMilk"), ("Ideas", "None yet")] {
                    try await browser.go("\(web.url)/notes/edit")
                    try await browser.fill("title", title)
                    try await browser.fill("text", text)
                    if title == "Ideas" { try await write("note", in: browser) }
                    try await browser.press("save")
                    try await browser.wait(withoutText: "Save")
                }
                for (route, name) in [
                    ("notes", "notes"), ("list", "companies"), ("list/search", "search"), ("list/chart", "chart"),
                    ("todos", "todos"), ("todo?id=1", "todo"), ("todos/settings", "settings"), ("home", "home"),
                    ("person?id=58f9a19680685a4e1e6d5016", "person"),
                ] {
                    try await browser.go("\(web.url)/\(route)")
                    try await browser.wait("no heading", for: "document.querySelector('h1')")
                    try await browser.wait("work in progress", for: "!document.querySelector('.progress')")
                    try await write(name, in: browser)
                }
            }
        }

        @Test("States without content, and an error")
        func states() async throws {
            let web = try await WebHost(["http-client", "notes", "todo"]) { root in
                // Nothing listens at this port.
                let settings = #""web": { "listen": "127.0.0.1:0" }, "todo": { "baseURL": "http://127.0.0.1:9" }"#
                try root.folder.write(#"{ "state": "state", "set": { \#(settings) } }"#, to: "root/host.json")
            }
            try await Browser.run { browser in
                for (route, text, name) in [
                    ("notes", "No notes yet", "notes-empty"), ("todos", "Cannot", "todos-error"),
                    ("list/search?text=nobody", "No name contains", "search-empty"),
                ] {
                    try await browser.go("\(web.url)/\(route)")
                    try await browser.wait(forText: text)
                    try await write(name, in: browser)
                }
            }
        }
    }
}
