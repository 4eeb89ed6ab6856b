import ViperKit

// The requests of a page: its forms, its stream and its images.
extension Site {
    /// The maximum number of forms of a window that wait.
    private static let formLimit = 8

    /// Answers a form.
    func post(_ request: Request, _ path: Substring) -> Reply {
        guard names.isOwn(request) else {
            return refuse(.origin, "This form is from another site", "Open the page again.", 403)
        }
        if isLogout(path) { return logOut(request) }
        guard path.hasPrefix(Self.windowPath) else { return refuse(methodOf: path) }
        guard let number = Int(path.dropFirst(Self.windowPath.count)) else {
            return refuse(.path, "No such page", "Forms go to a window.", 404)
        }
        guard let session = sessions.session(request.cookie(cookie)) else {
            return refuse(.login, "The session has ended", "Open the page again.", 403)
        }
        let type = request[.contentType]?.prefix { $0 != ";" }
        guard type == "application/x-www-form-urlencoded", let submission = Submission(request) else {
            return refuse(.form, "This is not a form", "Open the page again.", 400)
        }
        guard Secret.isEqual(submission.token, session.token) else {
            return refuse(.token, "This form is not from this session", "Open the page again.", 403)
        }
        session.client.noteForm()
        guard let window = session.window(number) else {
            return refuse(.window, "This window is closed", "Open the page again.", 404)
        }
        return execute(submission, in: window, isLive: request.isLive)
    }

    private func execute(_ submission: Submission, in window: TabWindow, isLive: Bool) -> Reply {
        let receipt = submission.page.map { window.take($0, isLive: isLive) } ?? .outdated
        guard let page = submission.page, receipt == .taken else {
            // A repeated form is answered like the first one, so that a browser that repeats it shows the right page.
            let isRepeated = receipt == .repeated
            let notice = "The page has changed since. Nothing was done\(isRepeated ? " twice" : "")."
            return .later { await result(in: window, isLive: isLive, notice) }
        }
        let perform = { @Sendable in await window.perform(submission, on: page) }
        // Going back does not wait for a module.
        let isBack = submission.button == .back
        guard let work = isBack ? Task(operation: perform) : window.forms.add(ifFewerThan: Self.formLimit, perform)
        else {
            return refuse(.limit, "Too many forms are waiting", "Please wait until the page has changed.", 503)
        }
        return answer {
            await result(in: window, isLive: isLive, await work.value)
        } otherwise: {
            await result(in: window, isLive: isLive, "This takes longer than usual.")
        }
    }

    /// Returns the answer to a form: the new content for a script, or else the way to the page.
    private func result(in window: TabWindow, isLive: Bool, _ notice: String?) async -> Response {
        let view = await window.look()
        if isLive { return await window.content(of: view, notice: notice) }
        if view.isClosed { return Response(seeOther: "/", [turn(view)]) }
        if let notice { window.tell(notice) }
        window.expect()
        return Response(seeOther: window.address(of: view).text, [turn(view)])
    }

    /// Answers a request for a part of a window: `/_window/NUMBER/changes` or `/_window/NUMBER/image`.
    func part(_ request: Request, _ path: Substring, of session: Session?) -> Reply {
        let parts = path.dropFirst(Self.windowPath.count).split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 1 { return refuse(methodOf: path) }
        guard parts.count == 2, let number = Int(parts[0]) else {
            return refuse(.path, "No such page", "No page has this path.", 404)
        }
        guard let session, let window = session.window(number) else {
            return refuse(.window, "This window is closed", "Open the page again.", 404)
        }
        switch parts[1] {
        case "changes":
            // The answer to HEAD has no events, and ends no other stream.
            if request.isHead { return .stream(.ofHeader(for: session.client, in: pools)) }
            let page = (request[.lastEventID] ?? request.query("from")).flatMap(PageNumber.init)
            guard let stream = window.stream(from: page, for: session.client, in: pools) else {
                return refuseFull(pools.streams, of: session.client, "pages are kept up to date")
            }
            return .stream(stream)
        case "image": return image(request, of: window)
        default: return refuse(.path, "No such page", "No page has this path.", 404)
        }
    }

    /// Answers a request for an image of the topmost scene. Another scene may have an image with the same path.
    private func image(_ request: Request, of window: TabWindow) -> Reply {
        let (path, scene) = (request.query("path") ?? "", request.query("scene").flatMap { Int($0) })
        return answer {
            guard await window.look().number.scene == scene, let bytes = try? await window.window.image(at: path),
                let type = ImageType.of(bytes)
            else {
                return Response(problem: "No such image", "The module has no image with this path.", status: 404)
            }
            return Response(200, type, bytes, [("Cache-Control", "private, max-age=300")])
        } otherwise: {
            Response(problem: "No such image", "The image cannot be read in time.", status: 504)
        }
    }
}

extension TabWindow {
    /// Executes a submission. Stops if the scene of its page is no longer on top.
    ///
    /// - Returns: A line for the user if something was refused.
    fileprivate func perform(_ submission: Submission, on page: PageNumber) async -> String? {
        let view = await goBack(to: page.scene)
        guard view.number.scene == page.scene else { return "The page has changed. Nothing was done." }
        if submission.button == .back {
            await goBack()
            return nil
        }
        let events = submission.events(on: view.state.screen)
        for (index, event) in events.enumerated() {
            if index > 0, await look().number.scene != page.scene {
                return "The page has changed. Not everything was done."
            }
            do { try await window.send(event) } catch { return error.summary }
        }
        return nil
    }
}
