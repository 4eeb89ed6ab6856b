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

        /// Measures every control: WCAG 2.2 asks for 24 pixels, so that a finger can hit it.
        ///
        /// A click on a label counts for its control. Links within a sentence are exempt.
        private func expectLargeTargets(in browser: Browser, _ name: String) async throws {
            let sizes = try await browser.text(
                """
                [...document.querySelectorAll("button, a, select, summary, input:not([type=hidden]), textarea")]
                    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
                    .filter((element) => !element.closest(".unseen, p.offline"))
                    .map((element) => {
                        const box = (element.closest("label") ?? element).getBoundingClientRect();
                        // The whole row of a table can be pressed.
                        const row = element.matches("th .pick") ? element.closest("tr").getBoundingClientRect() : box;
                        const [width, height] = [Math.max(box.width, row.width), Math.max(box.height, row.height)];
                        return `${width < 24 || height < 24 ? "small" : "large"} ${width}x${height} ${element.outerHTML.replaceAll("\\n", " ")}`;
                    }).join("\\n")
                """
            ).split(separator: "\n")
            #expect(sizes.contains { $0.hasPrefix("large") }, "\(name) has no controls")
            #expect(sizes.filter { !$0.hasPrefix("large") } == [], "\(name)")
        }

        /// Opens each bundled screen, in all of its states that need no network.
        private func visitBundledScreens(
            _ web: WebHost, in browser: Browser, look: (String) async throws -> Void
        ) async throws {
            try await browser.go("\(web.url)/people/add")
            try await browser.wait(forHeading: "Log in")
            try await look("login")
            try await web.logIn(browser)
            try await browser.wait(forHeading: "Add a person")
            try await browser.press("add")
            try await browser.wait(forText: "must not be empty")
            try await look("people/add")
            try await browser.fill("name", "Ada")
            try await browser.fill("age", "36" + Key.enter)
            try await browser.wait(forText: "Added Ada")
            try await browser.go("\(web.url)/people")
            try await browser.select("Ada - 36")
            try await browser.wait(forHeading: "Ada")
            try await look("details")
            try await browser.press("remove")
            try await browser.wait(forHeading: "Remove Ada?")
            try await look("alert")
            for (route, heading) in [
                ("", "Menu"), ("list", "People by company"), ("list/search", "Companies"),
                ("list/chart", "Balances by company"), ("person?id=58f9a19680685a4e1e6d5016", "Bertha Irwin"),
                ("people", "People"), ("notes", "Notes"), ("notes/edit", "New note"), ("todos", "Todos"),
                ("todos/settings", "Settings"), ("home", "Home"), ("lst", ""),
            ] {
                try await browser.go("\(web.url)/\(route)")
                try await browser.wait("no heading \(heading)", for: "document.querySelector('h1')")
                if !heading.isEmpty { try await browser.wait(forHeading: heading) }
                try await look(route)
            }
        }

        @Test("The bundled screens keep the rules, and their controls are large enough, also in 320 pixels")
        func bundled() async throws {
            let web = try await WebHost(
                ["account", "alert", "details", "http-client", "launcher", "notes", "people", "todo"], needsLogin: true)
            try await Browser.run { browser in
                try await visitBundledScreens(web, in: browser) { name in
                    #expect(try await violations(in: browser) == [], "\(name)")
                    try await expectLargeTargets(in: browser, name)
                    try await browser.show(width: 320, isDark: false)
                    #expect(try await browser.text("document.documentElement.scrollWidth") == "320", "\(name)")
                    try await expectLargeTargets(in: browser, name)
                    try await browser.show(width: 1000, isDark: false)
                }
            }
        }
    }
}
