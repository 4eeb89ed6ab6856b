/// A part of an application that adds routes, services, or both to a host. A module is built as one shared library and
/// described by one manifest.
///
/// ```swift
/// final class Hello: Module {
///     init(services: any ServiceResolver) {}
///     static func register(with registrar: Registrar<Hello>) {
///         registrar.route("hello") { _, _ in HelloView() }
///     }
/// }
/// ```
///
/// Every module goes through the same steps:
///
/// 1. **Discovered.** The host reads the manifest. No code of the module runs.
/// 2. **Resolved.** Every service in the manifest's `requires` has a provider.
/// 3. **Loaded.** When one of the module's routes or services is first needed, the host checks the library, loads a
///    private copy of the library, and calls its entry point, `viper_entry_v1_NAME`.
/// 4. **Registered.** ``register(with:)`` runs on the main actor. If the manifest declares a route or service that
///    the method does not register, the host refuses the module.
/// 5. **Initialized.** The host creates the services that the module requires, one at a time. If creating a service
///    fails, the host does not refuse the module, but retries when the module is next used. Then ``init(services:)``
///    runs once on the main actor. If the initializer throws, the host refuses the module with that error. Other
///    modules are not affected.
/// 6. **Healthy.** In a serving host, ``checkHealth()`` must return before a newer version replaces the current one.
/// 7. **Active.** The closure of a route runs each time the route is opened. The factory of a service runs when the
///    service is first needed.
/// 8. **Running.** If the manifest contains `runs`, the host calls ``run()`` as soon as it serves, although no route was
///    opened.
/// 9. **Retired.** The task of ``run()`` is cancelled. After it has returned, ``stop()`` runs once. The library stays in memory, because Swift images cannot be unloaded.
///
/// A serving host first probes an unknown library in a child process, so the initializer and the service factories may
/// also run there.
///
/// When a module's version or one of its providers changes, the host creates a new instance. If that fails, the current
/// instance stays in use. See <doc:Living>.
@MainActor
public protocol Module: AnyObject, Sendable {
    /// Registers the routes and services that the manifest declares.
    ///
    /// The host calls this method after it has loaded the library, before it creates the module. `host build` calls it
    /// too, creates no module, and also reports routes and services that the manifest does not declare. A running host
    /// ignores them, so a library can be replaced before its manifest. The method must not have other effects, and must
    /// register the same in every call.
    ///
    /// - Parameter registrar: The registrar for this type of module.
    static func register(with registrar: Registrar<Self>)

    /// Creates the module with the services that its manifest requires.
    ///
    /// - Parameter services: The resolver for the services in the manifest's `requires`, and for the services in
    ///   `optional` that have a provider. After the initializer has returned, the resolver can also prepare the services
    ///   in `provides`. The module may store the resolver.
    /// - Throws: Any error. The host then refuses the module and shows the error as the reason.
    init(services: any ServiceResolver) throws

    /// Checks that the module works, for example that its stored data can be read.
    ///
    /// A serving host calls this method when it probes an unknown library or starts a module's worker process, and
    /// before a new instance replaces the current one. The method must return within 10 seconds. The default
    /// implementation does nothing.
    ///
    /// - Throws: An error that describes why the module does not work. The host then stops this instance and does not
    ///   use it.
    func checkHealth() async throws

    /// Does the module's work that needs no screen, such as listening on a port or watching a folder.
    ///
    /// The host calls this method only if the manifest contains `runs`. With `"runs": true`, a serving host calls it;
    /// with `"runs": "always"`, `host run` does too. Probes, `host build` and `host test` never call it. The default
    /// implementation returns at once.
    ///
    /// The method runs outside the main actor, on a thread that other modules do not need. The host cancels its task
    /// when the instance is retired. On a replacement, the host cancels it when the new instance is healthy, and calls
    /// the new instance's method after the old one has returned, or after ten seconds. Return soon after a cancellation:
    /// a host that shuts down waits only for a limited time, and then names the module and exits with 70.
    ///
    /// If the method returns, the module's work has finished, and the host does not call the method again. The module's
    /// routes and services stay available.
    ///
    /// - Throws: Any error. The host calls the method again after a pause of one second, which doubles with each failure
    ///   in a row. After five failures in a row, the host does not call it again. A failure after more than one minute
    ///   begins a new row.
    nonisolated func run() async throws

    /// Releases the resources that the module holds outside its scenes, such as connections and observers.
    ///
    /// The host calls this method once for each instance, after the last scene and module have stopped using it and
    /// ``run()`` has returned. The
    /// host also calls this method for an instance that was never active, such as after a failed health check. If the
    /// host is killed, it does not call this method. The default implementation does nothing.
    func stop() async
}

extension Module {
    public func checkHealth() async throws {}
    public nonisolated func run() async throws {}
    public func stop() async {}
}
