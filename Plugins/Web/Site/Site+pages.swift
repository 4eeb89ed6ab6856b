import ViperKit

// Pages: a route in a window.
extension Site {
    /// The time after which a browser gets an answer although a module still works.
    static let patience = Duration.seconds(20)

    /// Returns the page at an address.
    ///
    /// A window belongs to one tab of the browser. The script of its page keeps a stream open. A request for a window with
    /// an open stream therefore comes from another tab, which gets a window of its own, unless the same tab loads its page
    /// again, or was led there by this server.
    func page(at address: PageAddress, _ request: Request, _ session: Session) -> Reply {
        if request.isHead { return head(of: address, session) }
        guard let number = address.window else { return open(address.route, session) }
        guard let window = session.window(number) else {
            let notice = session.hasDisplaced(number) ? session.displacement + " It was opened again." : nil
            return open(address.route, session, notice: notice)
        }
        let isExpected = window.takeExpectation()
        let isSameTab = request.isLive || request.isReload || isExpected
        if !isSameTab, window.isShown { return open(address.route, session) }
        if let page = window.readyPage(of: address.scene) { return .now(page) }
        let isReload = request.isReload
        return answer { () async -> Response in
            let view = await window.look()
            if isReload || view.number.scene <= address.scene { return await show(view, of: window, at: address) }
            return await show(await window.goBack(to: address.scene), of: window, at: address, [turn(view)])
        } otherwise: {
            await show(await window.look(), of: window, at: address)
        }
    }

    /// Returns the page of a window's state, or leads to its address if it has another one.
    private func show(
        _ view: TabWindow.View, of window: TabWindow, at address: PageAddress, _ fields: [Response.Field] = []
    ) async -> Response {
        if view.isClosed { return Response(seeOther: "/" + address.route) }
        if view.number.scene == address.scene { return await window.page(of: view, fields) }
        window.expect()
        return Response(seeOther: window.address(of: view).text, fields)
    }

    /// Returns a cookie that changes. A browser may keep earlier pages, and show them without asking when the user goes
    /// back or forward. If a cookie has changed since, it asks.
    func turn(_ view: TabWindow.View) -> Response.Field {
        ("Set-Cookie", setCookie("\(cookie)-turn", "\(view.number.text)"))
    }

    /// Opens a route in a new window, and leads to its address.
    private func open(_ route: String, _ session: Session, notice: String? = nil) -> Reply {
        guard let lease = pools.windows.lease(1, to: session.client, for: nil) else {
            return refuseFull(pools.windows, of: session.client, "windows are open")
        }
        return answer {
            let opened: any OpenWindow
            do throws(ViperError) { opened = try await windows.open(route, for: session.identity) } catch {
                return Response(error)
            }
            // The browser already has an answer, and would never find the window.
            if Task.isCancelled {
                await opened.close()
                return .stopping
            }
            let window = session.add(opened, lease)
            if let notice = notice ?? session.takeMessage() { window.tell(notice) }
            window.expect()
            return Response(seeOther: window.address(of: await window.look()).text)
        } otherwise: {
            Response(problem: "This page takes too long", "Please try again later.", status: 504)
        }
    }

    /// Answers HEAD like GET, and changes no window. The address of a new window is missing.
    private func head(of address: PageAddress, _ session: Session) -> Reply {
        let window = address.window.flatMap { session.window($0) }
        if let page = window?.readyPage(of: address.scene) { return .now(page) }
        return answer {
            guard let window else { return await head(of: address.route, session) }
            let view = await window.look()
            if view.isClosed { return Response(seeOther: "/" + address.route) }
            if view.number.scene == address.scene { return await window.preview(of: view) }
            return Response(seeOther: window.address(of: view).text)
        } otherwise: {
            Response(problem: "This page takes too long", "Please try again later.", status: 504)
        }
    }

    private func head(of route: String, _ session: Session) async -> Response {
        let name = route.prefix { $0 != "?" }
        do throws(ViperError) {
            let isListed = try await registry.routes().contains { $0.name == name }
            // Another route does not open, and has the error of GET.
            if !isListed, !name.isEmpty { await (try windows.open(route, for: session.identity)).close() }
        } catch { return Response(error) }
        return Response(303, "text/plain; charset=utf-8", [])
    }

    /// Returns a reply that comes from `work`, or from `otherwise` if the work takes too long. The work is then cancelled.
    func answer(
        _ work: @escaping @Sendable () async -> Response, otherwise: @escaping @Sendable () async -> Response
    ) -> Reply {
        .later {
            let (answers, answer) = AsyncStream.makeStream(of: Response?.self)
            let task = Task { answer.yield(await work()) }
            let timer = Task { [clock] in
                if (try? await clock.sleep(for: Self.patience)) != nil { answer.yield(nil) }
            }
            var iterator = answers.makeAsyncIterator()
            let first = await iterator.next() ?? nil
            timer.cancel()
            if let first { return first }
            task.cancel()
            return await otherwise()
        }
    }
}

extension Response {
    /// Creates the page about a route that does not open.
    fileprivate convenience init(_ error: ViperError) {
        self.init(problem: "This page cannot be shown", error.text, status: error.status)
    }
}

extension ViperError {
    /// The status of a page about the error.
    fileprivate var status: UInt32 {
        switch code.name {
        case "route-unknown": 404
        case "parameter-invalid", "parameter-missing", "parameter-unknown": 400
        case "route-refused": 403
        case "limit-reached", "module-retired", "requirement-unmet": 503
        default: 500
        }
    }

    /// The text of a page about the error. The places where the host has looked for a route are of no use in a browser.
    fileprivate var text: String {
        let notes = code.name == "route-unknown" ? notes.filter { $0.label == "did you mean" } : notes
        return ([summary] + notes.map { "\($0.label): \($0.text)" }).joined(separator: "\n")
    }
}
