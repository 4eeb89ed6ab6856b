/// A part of an application that adds routes, services, or both to a host. A module is built as one shared library and
/// described by one manifest.
///
/// Conform to ``RoutedModule`` to open screens, to ``ServiceModule`` to provide services to other modules, or to both.
/// Every module goes through the same steps:
///
/// 1. **Discovered.** The host reads the manifest. No code of the module runs.
/// 2. **Resolved.** Every service in the manifest's `requires` has a provider.
/// 3. **Loaded.** When one of the module's routes or services is first needed, the host checks the library, loads a
///    private copy of the library, and calls its entry point, `viper_entry_v1_NAME`.
/// 4. **Initialized.** The host creates the services that the module requires, one at a time. If creating a service
///    fails, the host does not refuse the module, but retries when the module is next used. Then ``init(services:)``
///    runs once on the main actor. If the initializer throws, the host refuses the module with that error. Other
///    modules are not affected.
/// 5. **Wired.** A ``ServiceModule`` registers the services in the manifest's `provides`.
/// 6. **Healthy.** In a serving host, ``checkHealth()`` must return before a newer version replaces the current one.
/// 7. **Active.** ``RoutedModule/view(for:)`` runs each time a route is opened.
/// 8. **Retired.** ``stop()`` runs once. The library stays in memory, because Swift images cannot be unloaded.
///
/// A serving host first probes an unknown library in a child process, so the initializer and the service factories may
/// also run there.
///
/// When a module's version or one of its providers changes, the host creates a new instance. If that fails, the current
/// instance stays in use. See <doc:Living>.
@MainActor
public protocol Module: AnyObject, SendableMetatype {
    /// Creates the module with the services that its manifest requires.
    ///
    /// - Parameter services: The resolver for the services in the manifest's `requires`, and for the services in
    ///   `optional` that have a provider. After registration, the resolver can also prepare the services in `provides`.
    ///   The module may store the resolver.
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

    /// Releases the resources that the module holds outside its scenes, such as connections and observers.
    ///
    /// The host calls this method once for each instance, after the last scene and module have stopped using it. The
    /// host also calls this method for an instance that was never active, such as after a failed health check. If the
    /// host is killed, it does not call this method. The default implementation does nothing.
    func stop() async
}

extension Module {
    public func checkHealth() async throws {}
    public func stop() async {}
}
