import Synchronization
import ViperKit

/// A window of the host that a browser's tab shows.
final class TabWindow: Sendable {
    private struct State {
        /// The newest state that is known.
        var shown: WindowState?
        /// The number of changes that were reported, and of those that were reported before the last look.
        var changes = 0
        var seenChanges = 0
        /// The number of states that were seen.
        var version: Int
        var turns: FormTurns
        /// The rendered page of a number.
        var page: (number: PageNumber, response: Response)?
        var streams: [EventStream] = []
        /// True if a stream may lack the newest state, and nothing was sent since.
        var isBehind = false
        var lastUse = ContinuousClock.now
        /// True if this server has just led the browser to the window.
        var isExpected = false
        /// A line for the next page.
        var notice: String?
        /// The reason why this server or the user closes the window.
        var closing: String?
        var watcher: Task<Void, Never>?
    }

    /// The number of the window in addresses. It is random, so that it means no other window after a restart of the host.
    let number: Int
    let window: any OpenWindow
    /// The forms that are being executed.
    let forms = WorkQueue()
    /// The client whose window it is.
    private let client: Client
    /// The session's token.
    private let token: String
    private let state: Mutex<State>

    /// The maximum number of streams. A browser opens one, and may open another before this server notices that the
    /// earlier one has ended.
    private static let streamLimit = 4

    init(
        _ number: Int, _ window: any OpenWindow, of client: Client, token: String, version: Int = 0,
        turns: FormTurns = FormTurns()
    ) {
        (self.number, self.window, self.client, self.token) = (number, window, client, token)
        state = Mutex(State(version: version, turns: turns))
    }

    deinit { state.withLock { $0.watcher }?.cancel() }

    /// A state of the window with its number, ready to be rendered.
    struct View: Sendable {
        var state: WindowState
        var number: PageNumber
        var isClosed: Bool { state.isClosed }
    }

    /// Looks at the window, and returns its state.
    func look() async -> View {
        // Looks at one window do not overtake each other, because its client waits for them one after the other.
        await client.inTurn { [self] in
            let (before, changes) = state.withLock { ($0.shown, $0.changes) }
            let found = await window.state()
            // This takes a while if the screen is large.
            let isNew = before != found
            return state.withLock { state in
                if isNew { (state.shown, state.version) = (found, state.version + 1) }
                state.seenChanges = changes
                return Self.view(state, found)
            }
        }
    }

    private static func view(_ state: State, _ shown: WindowState) -> View {
        View(
            state: shown,
            number: PageNumber(
                scene: shown.scenes.last?.id ?? 0, turn: state.turns.next, version: state.version))
    }

    /// Returns the address of a state's page.
    func address(of view: View) -> PageAddress {
        let top = view.state.scenes.last
        return PageAddress(top?.address ?? "", window: number, scene: top?.id ?? 0)
    }

    private func context(of view: View, _ notice: String?) -> PageContext {
        PageContext(
            window: number, token: token, nonce: view.number.text, address: address(of: view).text,
            notice: notice ?? state.withLock { $0.closing } ?? (view.isClosed ? view.state.error?.summary : nil))
    }

    /// Returns the page of the current state if it is rendered already, and shows a scene.
    func readyPage(of scene: Int) -> Response? {
        state.withLock { state in
            guard let page = state.page, page.number.scene == scene, page.number.turn == state.turns.next,
                page.number.version == state.version, state.seenChanges == state.changes, state.notice == nil
            else { return nil }
            state.lastUse = .now
            return page.response
        }
    }

    /// Returns the page of a state for the answer to HEAD. The line for the user stays for the page that is shown.
    func preview(of view: View) async -> Response {
        let notice = state.withLock { $0.notice }
        return await client.inTurn { [self] in Response(html: Page.document(view.state, context(of: view, notice))) }
    }

    /// Returns the page of a state.
    ///
    /// - Parameter fields: Header fields of this response only.
    func page(of view: View, _ fields: [Response.Field] = []) async -> Response {
        await client.inTurn { [self] in
            // The browser has got another answer, and the line is for its next page.
            if Task.isCancelled { return .stopping }
            let (notice, page) = state.withLock { state in
                defer { (state.notice, state.lastUse) = (nil, .now) }
                return (state.notice, state.page)
            }
            if notice == nil, fields.isEmpty, let page, page.number == view.number { return page.response }
            let response = Response(html: Page.document(view.state, context(of: view, notice)), fields)
            if notice == nil, fields.isEmpty { state.withLock { $0.page = (view.number, response) } }
            return response
        }
    }

    /// Returns the content of a state's page.
    func content(of view: View, notice: String? = nil) async -> Response {
        await client.inTurn { [self] in Response(html: Page.content(view.state, context(of: view, notice))) }
    }

    /// Closes the scenes above the one with this number. If there is none, goes back to the scene that was below it.
    func goBack(to scene: Int) async -> View {
        var view = await look()
        while view.number.scene > scene, view.state.scenes.count > 1 {
            await window.goBack()
            view = await look()
        }
        return view
    }

    /// Shows a line on the next page.
    func tell(_ notice: String) { state.withLock { $0.notice = notice } }

    /// Notes that this server leads the browser to the window.
    func expect() { state.withLock { $0.isExpected = true } }

    /// Returns true if this server has just led the browser to the window.
    func takeExpectation() -> Bool {
        state.withLock { state in
            defer { state.isExpected = false }
            return state.isExpected
        }
    }
}

// Forms.
extension TabWindow {
    /// Takes the form of a page for execution, if it may be executed.
    ///
    /// - Parameter isLive: True if a script has sent the form. It shows the topmost scene. Without script, the user may have
    ///   gone back to an earlier page that the browser has kept.
    func take(_ page: PageNumber, isLive: Bool) -> FormTurns.Receipt {
        state.withLock { state in
            state.lastUse = .now
            // The state of a window from an earlier version may still be unknown.
            let scenes = state.shown?.scenes.map(\.id) ?? [page.scene]
            let isOpen = isLive ? scenes.last == page.scene : scenes.contains(page.scene)
            return isOpen ? state.turns.take(page) : .outdated
        }
    }
}

// Streams.
extension TabWindow {
    /// True if a browser has an open stream of the window.
    var isShown: Bool { state.withLock { $0.streams }.contains { !$0.isOver } }

    var lastUse: ContinuousClock.Instant { state.withLock { $0.lastUse } }

    /// True if this server or the user closes the window.
    private var isClosing: Bool { state.withLock { $0.closing != nil } }

    /// Opens a stream of the window's changes.
    ///
    /// - Parameters:
    ///   - page: The number of the page that the browser shows. Nil if it shows none.
    ///   - client: The client that uses the stream.
    /// - Returns: Nil if the server has no room for another stream.
    func stream(from page: PageNumber?, for client: Client, in pools: Pools) -> EventStream? {
        removeEnded()
        var opened = EventStream.open(showing: page?.version, for: client, in: pools)
        if opened == nil, let oldest = takeOldestStream() {
            // A browser whose connections were lost without a word must not wait until they time out.
            oldest.lose()
            opened = EventStream.open(showing: page?.version, for: client, in: pools)
        }
        guard let stream = opened else { return nil }
        let oldest: EventStream? = state.withLock { state in
            state.lastUse = .now
            // The browser has arrived.
            state.isExpected = false
            defer { state.streams.append(stream) }
            return state.streams.count >= Self.streamLimit ? state.streams.removeFirst() : nil
        }
        oldest?.end()
        update()
        return stream
    }

    private func takeOldestStream() -> EventStream? {
        state.withLock { $0.streams.isEmpty ? nil : $0.streams.removeFirst() }
    }

    /// Sends the newest state to the streams that lack it. Calls before it begins to look are answered by this look.
    private func update() {
        let isWaiting = state.withLock { state in
            defer { state.isBehind = true }
            return state.isBehind
        }
        if isWaiting { return }
        Task {
            // The streams that open from now on need another look.
            await client.inTurn { [self] in state.withLock { $0.isBehind = false } }
            await push(await look())
        }
    }

    /// Sends a state to all streams.
    private func push(_ view: View) async {
        await client.inTurn { [self] in
            let streams = state.withLock { $0.streams }
            if streams.isEmpty { return }
            if view.isClosed { return end(streams, with: view) }
            let version = view.number.version
            let behind = streams.filter { $0.needs(version) }
            if behind.isEmpty { return }
            let content = Page.content(view.state, context(of: view, nil))
            let event = ServerSentEvent.text("screen", id: view.number.text, content)
            behind.forEach { $0.send(version, event) }
        }
    }

    /// Ends the streams of a closed window. Without a reason for the end, the browser loads its page again.
    private func end(_ streams: [EventStream], with view: View) {
        let hasReason = state.withLock { $0.closing != nil } || view.state.error != nil
        let content = hasReason ? Page.content(view.state, context(of: view, nil)) : nil
        let event = content.map { ServerSentEvent.text("closed", id: view.number.text, $0) }
        for stream in streams { stream.end(after: event) }
    }

    /// Watches the window until it closes.
    ///
    /// - Parameter onEnd: A closure that is called when the window is closed, before the streams end. Its parameter is the
    ///   message of the last screen if the module has closed the window.
    func watch(onEnd: @escaping @Sendable (_ message: String?) -> Void) {
        let states = window.states()
        let watcher = Task { [weak self] in
            for await state in states {
                guard let self else { return }
                self.state.withLock { $0.changes += 1 }
                let view = await look()
                if state.isClosed { onEnd(isClosing || view.state.error != nil ? nil : view.state.screen.message) }
                await push(view)
                if state.isClosed { return }
            }
            if !Task.isCancelled { onEnd(nil) }
        }
        state.withLock { $0.watcher = watcher }
    }

    /// Sends a comment to the streams.
    func keepAlive() {
        removeEnded()
        let streams = state.withLock { state in
            // The page of a closed tab need not be kept.
            if state.streams.isEmpty { state.page = nil } else { state.lastUse = .now }
            return state.streams
        }
        streams.forEach { $0.keepAlive() }
    }

    /// Removes the streams whose browsers have closed the connection. Their connections stay suspended until the streams end.
    private func removeEnded() {
        let ended = state.withLock { $0.streams }.filter(\.isOver)
        ended.forEach { $0.end() }
        state.withLock { state in state.streams.removeAll { stream in ended.contains { $0 === stream } } }
    }

    /// Closes the window.
    ///
    /// - Parameter reason: The line that the browser shows.
    func close(because reason: String) async {
        state.withLock { $0.closing = reason }
        await window.close()
        // The session may have forgotten this window, and then nothing but this call keeps its watcher.
        await push(await look())
    }

    /// Closes the topmost scene at the request of the user.
    func goBack() async {
        let isLast = await look().state.scenes.count < 2
        if isLast { state.withLock { $0.closing = "You have closed this window." } }
        await window.goBack()
    }

    /// The state from which the next version of this module continues the window.
    var saved: SavedWindow {
        state.withLock { SavedWindow(number: number, window: window.id, version: $0.version + 1, turns: $0.turns) }
    }
}
