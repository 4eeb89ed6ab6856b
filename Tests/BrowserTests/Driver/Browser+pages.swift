import Foundation
import HostDriver

/// The actions of a person on a page, and the visible result.
extension Browser {
    func go(_ url: String) async throws { try await command("POST", "url", ["url": url]) }
    func back() async throws { try await command("POST", "back") }
    func forward() async throws { try await command("POST", "forward") }
    func reload() async throws { try await command("POST", "refresh") }

    /// The path and query of the page.
    var address: String {
        get async throws {
            let url = try await command("GET", "url") as? String ?? ""
            return String(url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" })
        }
    }

    /// Evaluates a script in the page, such as `return document.title`. Works also if scripts of pages are turned off.
    @discardableResult
    func script(_ text: String, _ arguments: [Any] = []) async throws -> Any? {
        try await command("POST", "execute/sync", ["script": text, "args": arguments])
    }

    func text(_ script: String) async throws -> String { "\(try await self.script("return \(script)") ?? "")" }

    /// The visible text of the page's content.
    var content: String { get async throws { try await text("document.getElementById('screen')?.textContent") } }

    var heading: String { get async throws { try await text("document.querySelector('h1')?.innerText") } }

    /// Waits until a script returns true.
    func wait(_ what: String, for script: String, _ arguments: [Any] = []) async throws {
        try await poll(what) { try await self.isTrue(script, arguments) }
    }

    /// Calls a function until it returns true, for a limited time. Then throws an error that shows the page.
    private func poll(_ what: String, _ condition: () async throws -> Bool) async throws {
        if try await eventually(within: Patience.reaction, condition) { return }
        throw ChildFailure("\(what), on \(try await address): \(try await content)")
    }

    /// Returns true if a script does. False also while a page is being loaded.
    private func isTrue(_ script: String, _ arguments: [Any]) async throws -> Bool {
        do { return try await self.script("return Boolean(\(script))", arguments) as? Bool == true } catch let error
            as Failure
        {
            if Self.passing.contains(error.code) { return false }
            throw error
        }
    }

    /// The errors that end when a page has been loaded or has changed.
    private static let passing: Set<String> = [
        "stale element reference", "no such element", "element not interactable", "element click intercepted",
        "javascript error", "unknown error",
    ]

    func wait(forHeading text: String) async throws {
        try await wait("no heading \(text)", for: "document.querySelector('h1')?.innerText === arguments[0]", [text])
    }

    func wait(forText text: String) async throws {
        try await wait(
            "no text \(text)", for: "document.getElementById('screen')?.textContent.includes(arguments[0])", [text])
    }

    func wait(withoutText text: String) async throws {
        try await wait(
            "still the text \(text)",
            for:
                "document.getElementById('screen') && !document.getElementById('screen').textContent.includes(arguments[0])",
            [text])
    }

    /// Presses the button of an action of the screen or its alert.
    func press(_ action: String) async throws {
        try await click("//main//button[@name='press' and @value='\(action)' and not(@aria-hidden)]")
    }

    /// Selects the row with a title.
    func select(_ title: String) async throws {
        try await click("//main//button[@name='select' and .//bdi[@class='title']='\(title)']")
    }

    /// Presses the page's button that closes the scene.
    func goBack() async throws { try await click("//main//button[@name='back']") }

    /// Clicks an element when it can be clicked.
    func click(_ path: String) async throws {
        try await attempt(path) { try await self.command("POST", "element/\(self.element(path))/click") }
    }

    /// Presses keys in an element. The names of keys are the private characters of WebDriver.
    func type(_ text: String, into path: String) async throws {
        try await attempt(path) {
            try await self.command("POST", "element/\(self.element(path))/value", ["text": text])
        }
    }

    /// Presses keys in a field of the form.
    func fill(_ field: String, _ text: String) async throws {
        try await type(text, into: "//*[@name='field.\(field)' and not(@type='hidden')]")
    }

    /// Presses keys wherever the focus is.
    func type(_ text: String) async throws {
        let keys = text.map(String.init).flatMap {
            [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]]
        }
        try await command("POST", "actions", ["actions": [["type": "key", "id": "keyboard", "actions": keys]]])
    }

    func value(of field: String) async throws -> String {
        try await text("document.querySelector('[name=\"field.\(field)\"]:not([type=hidden])').value")
    }

    private func element(_ path: String) async throws -> String {
        let found = try await command("POST", "element", ["using": "xpath", "value": path]) as? [String: Any]
        return found?.values.first as? String ?? ""
    }

    private func attempt(_ what: String, _ action: () async throws -> Any?) async throws {
        try await poll("cannot use \(what)") {
            do {
                _ = try await action()
                return true
            } catch let error as Failure where Self.passing.contains(error.code) { return false }
        }
    }

    // -- Tabs

    /// Opens a tab, and returns its handle. Commands go to the tab from now on.
    func openTab() async throws -> String {
        let tab = try await command("POST", "window/new", ["type": "tab"]) as? [String: Any]
        let handle = tab?["handle"] as? String ?? ""
        try await use(tab: handle)
        return handle
    }

    var tab: String { get async throws { try await command("GET", "window") as? String ?? "" } }

    func use(tab: String) async throws { try await command("POST", "window", ["handle": tab]) }

    // -- Appearance

    /// Sends a command of the Chrome DevTools Protocol.
    @discardableResult
    func devTools(_ name: String, _ parameters: [String: Any]) async throws -> Any? {
        try await command("POST", "goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    func show(width: Int, height: Int = 900, isDark: Bool) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        let motion = ["name": "prefers-reduced-motion", "value": "reduce"]
        try await devTools("Emulation.setEmulatedMedia", ["features": [scheme, motion]])
    }

    /// Returns a picture of the page as PNG.
    func picture() async throws -> Data {
        let found = try await devTools("Page.captureScreenshot", ["format": "png"]) as? [String: Any]
        return Data(base64Encoded: found?["data"] as? String ?? "") ?? Data()
    }

    /// The messages of the browser's console since the last call, such as violations of the content security policy.
    func messages() async throws -> [String] {
        let entries = try await command("POST", "se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.map { "\($0["message"] ?? "")" }
    }
}

/// Keys, as WebDriver names them.
enum Key {
    static let (enter, tab, escape, space) = ("\u{E007}", "\u{E004}", "\u{E00C}", " ")
}
