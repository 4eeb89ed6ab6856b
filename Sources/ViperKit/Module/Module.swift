/// One feature or one provider of services, compiled to one shared library and described by one manifest.
///
/// Conform to ``RoutedModule`` to open screens, to ``ServiceModule`` to offer services to other modules, or to both.
/// The host drives every module through the same life:
///
/// 1. **Discovered.** The host reads the manifest. No code of the module runs.
/// 2. **Resolved.** Every service in the manifest's `requires` has a provider. Still no code runs.
/// 3. **Loaded.** On the first open of one of its routes (or the first need of one of its services) the host checks
///    the library, loads a private copy of it, and calls its entry, `viper_module_v1_NAME`.
/// 4. **Made.** ``init(services:)`` runs once on the main actor. If it throws, the module is refused with that error,
///    nothing of it is called again, and every other module goes on.
/// 5. **Wired.** A ``ServiceModule`` registers what its manifest `provides`.
/// 6. **Healthy.** In a host that serves, ``checkHealth()`` has to return before a newer version takes over.
/// 7. **Active.** ``RoutedModule/view(for:)`` runs for each open of a route; scenes come and go.
/// 8. **Retired.** ``stop()`` runs once. The library stays in memory: an image of Swift cannot be unloaded.
///
/// A newer version, and another provider of what the module uses, is a new instance with a life of its own: see <doc:Living>.
@MainActor
public protocol Module: AnyObject, SendableMetatype {
    /// Makes the module with the services that its manifest requires.
    ///
    /// - Parameter services: Hands out what the manifest names in `requires`, in `optional` when it is there, in `provides` once
    ///   it is registered, and nothing else. It may be kept.
    /// - Throws: Any error; the host then refuses the module and shows the error as the reason.
    init(services: any ServiceResolver) throws

    /// Checks that the module can do its work: what it needs is there, what it keeps can be read. Since ViperKit 1.1.
    ///
    /// A host that serves asks a newer version of a module before it takes the place of the one that answers. The default does
    /// nothing.
    ///
    /// - Throws: Why the module cannot work. It is then not taken, and asked to stop.
    func checkHealth() async throws

    /// Ends the module: it releases what it holds outside its scenes (connections, observers).
    ///
    /// Runs once, after the last scene of the module closed, or when its services could not be taken. The default does nothing.
    func stop() async
}

extension Module {
    public func checkHealth() async throws {}
    public func stop() async {}
}
