import CSystem
import Dispatch
import JSONRPC
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// The part of a check process that runs the module. It creates hosts that load the module, and answers questions about
/// the module's behavior.
///
/// This class does not decide whether a check passes, because the module can write to every descriptor and to all
/// memory in its process. The parent process asks the questions and decides. Its question IDs cannot be guessed, so the
/// module cannot forge answers.
@MainActor
package final class CheckSubject {
    private struct Subject {
        var host: ViperHost
        var file: String
    }

    private struct Opened {
        var window: Window
        /// The first scene's view, which receives an event after the window is closed.
        var view: (any View)?
    }

    private let configuration: ViperHost.Configuration
    private let name: String
    private let denials = Denials()
    private var hosts: [Int: Subject] = [:]
    private var windows: [Int: Opened] = [:]
    private var providers: [Int: any DataProvider] = [:]
    private var lastNumber = 0
    private var queue: DispatchQueue?

    /// Creates a subject that answers questions about a module.
    ///
    /// - Parameters:
    ///   - name: The module's name.
    ///   - configuration: The configuration for hosts that contain the module and all modules that it requires.
    package init(_ name: String, in configuration: ViperHost.Configuration) {
        self.name = name
        var configuration = configuration
        configuration.isOffline = true
        // The check inspects the module's objects, and already runs in a separate process.
        configuration.isIsolating = false
        self.configuration = configuration
    }

    /// Answers questions until the connection ends. Takes ownership of the descriptors.
    package func answer(reading: Int32, writing: Int32) async {
        let limits = Limits.ofCheck
        let connection = LineConnection(reading: reading, writing: writing, limits: limits)
        queue = connection.queue
        let peer = Peer(connection, limits: limits)
        await withCheckedContinuation { continuation in
            peer.start { method, content throws(ViperError) in
                guard method == "ask" else { throw .methodUnknown(method, known: ["ask"]) }
                let question = try content.parameters(AskCall.self).question
                return .later { () async throws(ViperError) in try await self.answer(question) }
            } end: { _ in
                continuation.resume()
            }
        }
    }

    private func answer(_ question: CheckQuestion) async throws(ViperError) -> any Encodable & Sendable {
        switch question {
        case .host(let withheld, let store): return try newHost(withholding: withheld, store)
        case .make(let number):
            let subject = try find(number, in: hosts)
            let module = try await subject.host.module(fromManifest: subject.file)
            return CheckAnswer.Made(type: module.map { Int(bitPattern: ObjectIdentifier(type(of: $0))) })
        case .open(let host, let route, let parameters): return try await open(route, parameters, in: host)
        case .handle(let window, let step):
            let opened = try find(window, in: windows)
            await opened.window.top?.view?.handle(step.event)
            return opened.window.screen
        case .close(let window, let late):
            let opened = try find(window, in: windows)
            windows[window] = nil
            opened.window.closeAll()
            if let late {
                await opened.view?.handle(late.event)
                await opened.view?.load()
            }
            return EmptyPayload()
        case .openOften(let host, let route, let parameters, let count):
            // The first open also allocates memory for this question's task, which does not count as growth.
            _ = try await graph(of: route, parameters, in: host, isWanted: false)
            await waitForQueue()
            let before = Self.allocatedMemory()
            for _ in 0..<count { _ = try await graph(of: route, parameters, in: host, isWanted: false) }
            return Self.allocatedMemory() - before
        case .leaks(let host, let route, let parameters): return try await leaks(of: route, parameters, in: host)
        case .answers(let host, let route): return try await hasView(for: route, in: host)
        case .signatures(let number):
            let subject = try find(number, in: hosts)
            return try await subject.host.generation(fromManifest: subject.file).code.signatures
        case .denials: return denials.all
        case .end(let number):
            let subject = try find(number, in: hosts)
            hosts[number] = nil
            await subject.host.shutDown()
            return EmptyPayload()
        case .provide(let number):
            let subject = try find(number, in: hosts)
            let provider = try await subject.host.provided(.dataProvider, fromManifest: subject.file)
            return add(provider, to: &providers)
        case .all(let provider, let collection, let isNumeric):
            return try await find(provider, in: providers).texts(in: collection, asNumeric: isNumeric)
        case .find(let provider, let id, let collection, let isNumeric):
            return try await find(provider, in: providers).texts(id: id, in: collection, asNumeric: isNumeric)
        case .select(let provider, let collection, let query, let isNumeric):
            return try await find(provider, in: providers)
                .texts(in: collection, matching: query.query, asNumeric: isNumeric)
        case .apply(let provider, let changes):
            var made: [DataChange] = []
            for change in changes { made.append(try DataChange(change)) }
            try await find(provider, in: providers).apply(made)
            return EmptyPayload()
        }
    }

    private func add<Value>(_ value: Value, to values: inout [Int: Value]) -> Int {
        lastNumber += 1
        values[lastNumber] = value
        return lastNumber
    }

    private func find<Value>(_ number: Int, in values: [Int: Value]) throws(ViperError) -> Value {
        if let value = values[number] { return value }
        throw ViperError(
            .argumentsInvalid, operation: "cannot find object", subject: "\(number)", cause: "no object has this number"
        )
    }

    private func newHost(withholding service: String?, _ store: String?) throws(ViperError) -> Int {
        var configuration = configuration
        if let store {
            configuration.settings.stateFolder = "\(configuration.settings.stateFolder ?? "")/\(store)"
            configuration.settings.providers["data-provider"] = name
        }
        configuration.withheld = Withheld(module: name, service: service)
        configuration.onDenial = { [denials, name] module, error in if module == name { denials.add(error) } }
        let host = try ViperHost(configuration)
        guard let record = host.registry.snapshot.modules.first(where: { $0.name == name }) else {
            throw ViperError(
                .moduleUnknown, operation: "cannot check module", subject: name, cause: "no module has this name")
        }
        if let refusal = record.state.refusal { throw refusal }
        return add(Subject(host: host, file: record.file), to: &hosts)
    }

    private func window(
        _ route: String, _ parameters: CheckQuestion.Parameters, in number: Int
    ) async throws(ViperError) -> Window {
        let window = Window(router: try find(number, in: hosts).host.router)
        do { try await window.open(route, parameters.given) } catch {
            window.closeAll()
            throw error
        }
        return window
    }

    private func open(
        _ route: String, _ parameters: CheckQuestion.Parameters, in number: Int
    ) async throws(ViperError) -> CheckAnswer.Opened {
        let window = try await window(route, parameters, in: number)
        let opened = add(Opened(window: window, view: window.top?.view), to: &windows)
        return CheckAnswer.Opened(window: opened, screen: window.screen)
    }

    private func hasView(for route: String, in number: Int) async throws(ViperError) -> Bool {
        let subject = try find(number, in: hosts)
        let module = try await subject.host.generation(fromManifest: subject.file)
        let window = Window(router: subject.host.router)
        let navigator = SceneNavigator(window: window)
        // Bypasses the router, which knows only the routes in the manifest.
        let content = try? await module.content(
            for: RouteRequest(route: route, parameters: [:], navigator: navigator))
        // The navigator does not retain the window.
        withExtendedLifetime(window) {}
        return content != nil
    }

    private func leaks(
        of route: String, _ parameters: CheckQuestion.Parameters, in number: Int
    ) async throws(ViperError) -> [String] {
        let subject = try find(number, in: hosts)
        let module = try await subject.host.module(fromManifest: subject.file)
        let outliving = ObjectGraph(of: [module].compactMap(\.self))
        // Objects that survive both opens are shared, such as services and caches. A leaking scene leaves new objects
        // behind each time.
        let first = try await graph(of: route, parameters, in: number)
        let second = try await graph(of: route, parameters, in: number)
        return await second.subtracting(outliving).subtracting(first).survivors()
    }

    /// Opens and closes a route, and returns the objects in its scenes. If `isWanted` is false, the graph is empty.
    private func graph(
        of route: String, _ parameters: CheckQuestion.Parameters, in number: Int, isWanted: Bool = true
    ) async throws(ViperError) -> ObjectGraph {
        let window = try await window(route, parameters, in: number)
        defer { window.closeAll() }
        return ObjectGraph(of: isWanted ? window.scenes.compactMap(\.view) : [])
    }

    /// Waits until the connection's queue has read the question and released its memory.
    private func waitForQueue() async {
        guard let queue else { return }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Returns the memory allocated by all threads, in bytes.
    private static func allocatedMemory() -> Int {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }
}

extension Limits {
    /// The limits for a check's connection. The whole check has its own time limit.
    static var ofCheck: Limits {
        var limits = Limits.ofCaller
        (limits.message, limits.pending) = (64 << 20, 64 << 20)
        return limits
    }
}
