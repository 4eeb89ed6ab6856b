import Glibc
import ViperKit

/// The module's work: it serves pages until its task is cancelled.
struct WebFront: Sendable {
    let settings: WebSettings
    let windows: any Windows
    let registry: any ModuleRegistry
    let sockets: any ListeningSockets
    let files: any FileReader
    let journal: SessionJournal
    let clock: any Clock<Duration>
    let logger: any Logger
    /// The server after the end of ``run()``.
    let departure: Departure

    /// The seconds between two comments in a stream.
    private static let beat = 15
    /// The time for the answers of modules after the task was cancelled.
    private static let grace = Duration.seconds(2)

    func run() async throws {
        // The socket is held until the end. The host then keeps it for the next version.
        let socket = try sockets.socket(at: settings.listen)
        let identity = try settings.files.map { files throws(ViperError) in
            Server.Identity(certificate: try Self.text(files.certificate), key: try Self.text(files.key))
        }
        let store = SessionStore(journal: journal, server: socket.address, logger: logger)
        let sessions = Sessions(windowLimit: settings.windows, hasLogin: settings.hasLogin, store: store)
        let pools = Pools(connections: Server.connectionLimit, windows: settings.windows)
        do throws(ViperError) { await sessions.take(try store.load(), from: windows, in: pools) } catch {
            logger.log(.warning, error.summary)
        }
        let site = try await site(sessions, pools, at: socket.address)
        let isStrict = site.isSecure && !site.names.isLoopback
        let server = try Server(
            listeningOn: socket.descriptor, identity: identity, isStrict: isStrict, pools: pools
        ) {
            site.admits($0)
        } client: {
            site.client(of: $0)
        } handler: {
            site.answer($0)
        }
        // If the server cannot start, the next attempt needs the windows.
        save(sessions)
        logger.log(.info, "serving pages on \(site.names.base)/")
        if let login = site.login { logger.log(.info, "log in at \(site.names.base)\(login.path)") }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await store.run() }
            await watch(server, site, sessions)
            // Browsers log in and out until the server has answered them.
            await end(server)
            store.close()
        }
        departure.begin(server)
        site.refusals.tell(isLast: true)
        save(sessions, hasWindows: true)
    }

    /// Looks at the server and its sessions each second, until the task is cancelled.
    private func watch(_ server: Server, _ site: Site, _ sessions: Sessions) async {
        var second = 0
        while !Task.isCancelled, (try? await clock.sleep(for: .seconds(1))) != nil {
            second += 1
            site.refusals.add(.slow, count: server.connections.shutOverdue())
            site.refusals.add(.slow, count: server.cutStalledStreams())
            for (reason, count) in server.connections.takeRefusals() { site.refusals.add(reason, count: count) }
            site.refusals.tell()
            if second % Self.beat == 0 { for session in sessions.all { session.windows.forEach { $0.keepAlive() } } }
            if second % 60 == 0 { sessions.expire() }
            // A browser that is used stays known after its host was killed.
            if second % 3_600 == 0 { save(sessions) }
        }
    }

    /// Stores the sessions. The thread belongs to this module's work, so it may block.
    private func save(_ sessions: Sessions, hasWindows: Bool = false) {
        do throws(ViperError) { try sessions.store.save(sessions.all, hasWindows: hasWindows) } catch {
            logger.log(.warning, error.summary)
        }
    }

    private func site(_ sessions: Sessions, _ pools: Pools, at address: String) async throws(ViperError) -> Site {
        let isSecure = settings.files != nil || settings.proxy != nil
        let names = HostNames(
            listeningAt: address, name: settings.host, proxy: settings.proxy, isSecure: isSecure)
        // Cookies do not depend on the port, and several hosts may run on one machine.
        let port = address.split(separator: ":").last ?? ""
        return Site(
            windows: windows, registry: registry, sessions: sessions, pools: pools, names: names,
            assets: try await Assets(files),
            refusals: Refusals(logger: logger), clock: clock, logger: logger,
            cookie: (isSecure ? "__Host-" : "") + "viper-\(port)", isSecure: isSecure,
            login: settings.hasLogin ? LoginAddress() : nil)
    }

    /// Ends all streams, and waits for the answers of modules, for a limited time. They change windows, which the next
    /// version continues.
    private func end(_ server: Server) async {
        server.quiesce()
        // Sleeping would fail at once in this task, which is cancelled.
        await Task { [clock] in
            var rest = Self.grace
            while server.isWorking, rest > .zero {
                try? await clock.sleep(for: .milliseconds(10))
                rest -= .milliseconds(10)
            }
            server.giveUp()
        }.value
    }

    /// Returns the content of a PEM file. The thread belongs to this module's work, so it may block.
    private static func text(_ path: String) throws(ViperError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = descriptor < 0 ? -1 : read(descriptor, &bytes, bytes.count)
        guard count >= 0, count < bytes.count else {
            throw ViperError(
                .fileUnreadable, operation: "cannot read file", subject: path,
                cause: count < 0 ? String(cString: strerror(errno)) : "it is too large for a PEM file")
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
