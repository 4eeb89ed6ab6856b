import Foundation
import HostDriver
import TestSupport

/// A headless Chromium that a chromedriver of its own controls by the WebDriver protocol (W3C).
final class Browser: Sendable {
    struct Failure: Error, CustomStringConvertible {
        /// The error code of WebDriver, such as `stale element reference`.
        var code: String
        var description: String
    }

    private let driver: Companion
    private let socket: DriverSocket
    private let session: String
    /// The folder of the browser's profile and temporary files.
    private let folder: ScratchFolder

    /// Starts a browser.
    ///
    /// - Parameter hasScripts: False to turn off JavaScript in pages, as a user can.
    init(hasScripts: Bool = true) async throws {
        folder = try ScratchFolder()
        let port: UInt16
        (driver, port) = try await Self.driver(in: folder)
        socket = DriverSocket(port: port)
        let scripts = hasScripts ? [:] : ["profile.managed_default_content_settings.javascript": 2]
        let options: [String: Any] = [
            // A container has little shared memory, and root cannot use the sandbox.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
                "--window-size=1000,900",
            ],
            "prefs": scripts,
        ]
        let capabilities: [String: Any] = [
            "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
        ]
        let value = try await Self.send(
            "POST", "/session", ["capabilities": ["alwaysMatch": capabilities]], over: socket)
        guard let session = (value as? [String: Any])?["sessionId"] as? String else {
            throw ChildFailure("the driver started no session: \(String(describing: value))")
        }
        self.session = session
    }

    /// Starts a driver, and returns its port.
    private static func driver(in folder: ScratchFolder) async throws -> (Companion, UInt16) {
        var child = ChildProcess(
            "chromedriver", ["--port=0"], environment: ["TMPDIR": folder.path, "HOME": folder.path])
        child.workingFolder = folder.path
        var failure: any Error = ChildFailure("the driver was not started")
        // The driver ends if another program has the port that it gets for IPv6 at the other kind of address.
        for _ in 1...5 {
            do {
                let driver = try Companion(child)
                var line = ""
                while !line.contains("started successfully on port") { line = try await driver.line() }
                let port = line.split(separator: " ").last.flatMap { UInt16($0.filter(\.isNumber)) }
                guard let port else { throw ChildFailure("chromedriver printed: \(line)") }
                return (driver, port)
            } catch { failure = error }
        }
        throw failure
    }

    /// Ends the browser. The driver is killed when this object is deinitialized, and would leave the browser running.
    func quit() async { _ = try? await Self.send("DELETE", "/session/\(session)", nil, over: socket) }

    /// Sends a command and returns its value.
    @discardableResult
    func command(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> Any? {
        try await Self.send(method, "/session/\(session)/\(path)", body, over: socket)
    }

    private static func send(
        _ method: String, _ path: String, _ body: [String: Any]?, over socket: DriverSocket
    ) async throws -> Any? {
        let needsBody = method == "POST"
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data((needsBody ? "{}" : "").utf8)
        let answer = try await socket.exchange(method, path, data)
        let value = (try JSONSerialization.jsonObject(with: answer) as? [String: Any])?["value"]
        if let error = value as? [String: Any], let code = error["error"] as? String {
            throw Failure(code: code, description: "\(path): \(code): \(error["message"] ?? "")")
        }
        return value is NSNull ? nil : value
    }

    /// Runs a browser for a test, and ends it.
    static func run<Value>(
        hasScripts: Bool = true, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let browser = try await Browser(hasScripts: hasScripts)
        do {
            let value = try await body(browser)
            await browser.quit()
            return value
        } catch {
            await browser.quit()
            throw error
        }
    }
}
