import HostDriver
import Testing

extension BrowserTests {
    /// Reload, back and forward, bookmarks, and several tabs.
    struct NavigationTests {
        private let web: WebHost

        init() async throws { web = try await WebHost(["details"]) }

        private func openPerson(in browser: Browser) async throws {
            try await browser.go("\(web.url)/list")
            try await browser.wait(forHeading: "People by company")
            try await browser.click("(//button[@name='select'])[1]")
            try await browser.wait(forText: "E-mail")
        }

        @Test("A reload shows the same scene, and back and forward lead through the scenes", arguments: [true, false])
        func history(hasScripts: Bool) async throws {
            try await Browser.run(hasScripts: hasScripts) { browser in
                try await openPerson(in: browser)
                let (person, address) = (try await browser.heading, try await browser.address)
                #expect(address.hasPrefix("/details?"))
                try await browser.reload()
                try await browser.wait(forHeading: person)
                #expect(try await browser.address == address)
                #expect(try await browser.text("document.querySelectorAll('nav li').length") == "2")
                try await browser.back()
                try await browser.wait(forHeading: "People by company")
                #expect(try await browser.address.hasPrefix("/list"))
                #expect(try await browser.text("document.querySelectorAll('nav').length") == "0")
                // The page's own button does the same.
                try await browser.click("(//button[@name='select'])[1]")
                try await browser.wait(forHeading: person)
                try await browser.goBack()
                try await browser.wait(forHeading: "People by company")
                try await browser.reload()
                try await browser.wait(forHeading: "People by company")
            }
        }

        @Test("A bookmark opens a new scene, in another browser and in a second tab", arguments: [true, false])
        func bookmark(hasScripts: Bool) async throws {
            try await Browser.run(hasScripts: hasScripts) { browser in
                try await openPerson(in: browser)
                let (person, address, first) = (
                    try await browser.heading, try await browser.address, try await browser.tab
                )
                try await Browser.run(hasScripts: hasScripts) { other in
                    try await other.go(web.url + address)
                    try await other.wait(forHeading: person)
                    #expect(try await other.text("document.querySelectorAll('nav').length") == "0")
                    #expect(try await other.address != address)
                }
                let second = try await browser.openTab()
                try await browser.go(web.url + address)
                try await browser.wait(forHeading: person)
                try await browser.use(tab: first)
                try await browser.goBack()
                try await browser.wait(forHeading: "People by company")
                try await browser.use(tab: second)
                try await browser.reload()
                try await browser.wait(forHeading: person)
            }
        }

        @Test("Two tabs do not disturb each other")
        func tabs() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/list")
                let first = try await browser.tab
                _ = try await browser.openTab()
                try await openPerson(in: browser)
                let person = try await browser.heading
                try await browser.use(tab: first)
                #expect(try await browser.heading == "People by company")
                try await browser.reload()
                try await browser.wait(forHeading: "People by company")
                try await browser.click("(//button[@name='select'])[2]")
                try await browser.wait(forText: "E-mail")
                #expect(try await browser.heading != person)
            }
        }

        @Test("A page that does not exist says so, and leads to the start")
        func problem() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/lst")
                try await browser.wait(forText: "404")
                #expect(try await browser.text("document.querySelector('main a').getAttribute('href')") == "/")
            }
        }
    }
}
