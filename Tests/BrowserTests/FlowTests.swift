import HostDriver
import Testing

extension BrowserTests {
    /// The bundled modules as one application.
    struct FlowTests {
        private let web: WebHost

        init() async throws {
            web = try await WebHost(
                ["account", "alert", "details", "http-client", "launcher", "people", "todo"], needsLogin: true)
        }

        @Test(
            "From the menu through the login to a person, who is shown and removed by other modules",
            arguments: [true, false])
        func people(hasScripts: Bool) async throws {
            try await Browser.run(hasScripts: hasScripts) { browser in
                try await browser.go(web.url)
                try await browser.wait(forHeading: "Menu")
                // A document that is loaded again has no mark.
                try await browser.script("window.mark = 1")
                try await browser.select("People")
                try await web.logIn(browser)
                try await browser.wait(forHeading: "People")
                try await browser.wait(forText: "Nobody yet")

                try await browser.press("add")
                try await browser.wait(forHeading: "Add a person")
                try await browser.fill("name", "Bob")
                try await browser.fill("age", "old")
                try await browser.press("add")
                try await browser.wait(forText: "must be a whole number")
                // The focus is where something is to be done.
                try await browser.wait("the focus is elsewhere", for: "document.activeElement.name === 'field.age'")
                try await browser.script("document.activeElement.select()")
                try await browser.type("18" + Key.enter)
                try await browser.wait(forText: "Bob - 18")
                #expect(try await browser.address.hasPrefix("/people?_w="))

                // A form is not sent again.
                try await browser.reload()
                try await browser.wait(forText: "Bob - 18")
                #expect(try await browser.text("document.querySelectorAll('.row').length") == "1")
                try await browser.script("window.mark = 1")

                try await browser.select("Bob - 18")
                try await browser.wait(forHeading: "Bob")
                #expect(try await browser.content.contains("Menu"))
                try await browser.press("remove")
                try await browser.wait(forHeading: "Remove Bob?")
                try await browser.press("cancel")
                try await browser.wait(forText: "Bob - 18")
                try await browser.select("Bob - 18")
                try await browser.wait(forHeading: "Bob")
                try await browser.press("remove")
                try await browser.wait(forHeading: "Remove Bob?")
                try await browser.press("confirm")
                try await browser.wait(forText: "Nobody yet")
                #expect(try await browser.text("window.mark ?? 0") == (hasScripts ? "1" : "0"))
                let messages = try await browser.messages().filter {
                    !$0.contains("autocomplete") && !$0.contains("favicon.ico")
                }
                #expect(messages == [])
            }
        }

        @Test("The keyboard alone is enough", arguments: [true, false])
        func keyboard(hasScripts: Bool) async throws {
            try await Browser.run(hasScripts: hasScripts) { browser in
                try await browser.go("\(web.url)/people")
                try await web.logIn(browser)
                try await browser.wait(forHeading: "People")
                try await focus("//button[@value='add' and not(@aria-hidden)]", in: browser)
                try await browser.type(Key.enter)
                try await browser.wait(forHeading: "Add a person")
                try await focus("//input[@name='field.name']", in: browser)
                try await browser.type("Ada" + Key.tab + "36" + Key.enter)
                try await browser.wait(forText: "Ada - 36")
                try await focus("//button[@name='select']", in: browser)
                try await browser.type(Key.enter)
                try await browser.wait(forHeading: "Ada")
                try await focus("//button[@name='back']", in: browser)
                try await browser.type(Key.space)
                try await browser.wait(forHeading: "People")
                #expect(try await browser.content.contains("Ada - 36"))
            }
        }

        /// Presses Tab until an element has the focus.
        private func focus(_ path: String, in browser: Browser) async throws {
            let script = """
                document.activeElement === document.evaluate(arguments[0], document, null, 9, null).singleNodeValue
                """
            for _ in 0..<30 {
                if try await browser.script("return \(script)", [path]) as? Bool == true { return }
                try await browser.type(Key.tab)
            }
            Issue.record("Tab does not reach \(path)")
        }
    }
}
