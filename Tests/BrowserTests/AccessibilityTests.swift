import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

extension BrowserTests {
    /// The rules of axe-core, and what they do not see.
    @Suite(.needs(.axe))
    struct AccessibilityTests {
        /// Returns what the rules find on the page. One line for each rule and element.
        private func violations(in browser: Browser) async throws -> [String] {
            let path = try #require(await AxeRules.path)
            try await browser.script(String(contentsOfFile: path, encoding: .utf8))
            let found = try await browser.command(
                "POST", "execute/async",
                [
                    "script": """
                    const done = arguments[0];
                    axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
                        .then((result) => done(result.violations.flatMap((rule) => rule.nodes.map((node) =>
                            `${rule.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`))));
                    """, "args": [],
                ])
            return found as? [String] ?? ["no result: \(String(describing: found))"]
        }

        @Test("The samples keep the rules in light and dark, and fit into 320 pixels")
        func samples() async throws {
            let web = try await WebHost { try await GalleryModule.add(SampleScreens.all, to: $0) }
            try await Browser.run { browser in
                for (name, screen) in SampleScreens.all {
                    for isDark in [false, true] {
                        try await browser.show(width: isDark ? 320 : 1000, isDark: isDark)
                        try await browser.go("\(web.url)/gallery/\(name)")
                        try await browser.wait(forHeading: screen.title)
                        #expect(try await violations(in: browser) == [], "\(name), dark: \(isDark)")
                    }
                    let width = try await browser.text("document.documentElement.scrollWidth")
                    #expect(width == "320", "\(name)")
                    try await expectLargeTargets(in: browser, name)
                }
            }
        }

        /// Controls can be hit with a finger: WCAG 2.2 asks for 24 pixels.
        private func expectLargeTargets(in browser: Browser, _ name: String) async throws {
            let small = try await browser.text(
                """
                [...document.querySelectorAll("button, a, select, summary, input:not([type=hidden]), textarea")]
                    .filter((element) => !element.closest(".unseen") && element.getClientRects().length)
                    .filter((element) => {
                        const box = (element.closest("label.option, th, tr") ?? element).getBoundingClientRect();
                        return box.width < 24 || box.height < 24;
                    }).map((element) => element.outerHTML).join("\\n")
                """)
            #expect(small.contains("type=\"checkbox\"") || small == "", "\(name): \(small)")
        }

        @Test("The bundled screens keep the rules")
        func bundled() async throws {
            let web = try await WebHost(
                ["account", "alert", "details", "http-client", "launcher", "notes", "people", "todo"], needsLogin: true)
            try await Browser.run { browser in
                try await browser.go("\(web.url)/people/add")
                try await browser.wait(forHeading: "Log in")
                #expect(try await violations(in: browser) == [])
                try await web.logIn(browser)
                try await browser.wait(forHeading: "Add a person")
                try await browser.press("add")
                try await browser.wait(forText: "must not be empty")
                #expect(try await violations(in: browser) == [])
                for route in ["", "list", "people", "notes", "notes/edit", "todos", "todos/settings", "home"] {
                    try await browser.go("\(web.url)/\(route)")
                    try await browser.wait("no heading", for: "document.querySelector('h1')")
                    #expect(try await violations(in: browser) == [], "\(route)")
                }
            }
        }
    }
}
