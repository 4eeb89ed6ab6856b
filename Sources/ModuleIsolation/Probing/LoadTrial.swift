package import HostSystem
package import ModuleCatalog
package import ViperKit

/// Loads a library in a process of its own, to find out whether the dynamic linker takes it.
package enum LoadTrial {
    /// Loads a library, and discards the process.
    ///
    /// - Parameters:
    ///   - library: An absolute path.
    ///   - manifest: The library's manifest.
    ///   - folder: Where the process works. What it leaves there goes with the folder.
    ///   - environment: The variables that the process inherits.
    /// - Throws: The reason why this host cannot load it: ``ViperError/Code/libraryFailed`` with the linker's words, or
    ///   ``ViperError/Code/workerCrashed`` if the process ended.
    package static func run(
        _ library: String, _ manifest: Manifest, in folder: PrivateFolder, environment: WorkerEnvironment
    ) async throws(ViperError) {
        // Loading needs no service and no configuration, which the root may lack.
        var manifest = manifest
        (manifest.requires, manifest.optional, manifest.config, manifest.resources) = ([], [], [], nil)
        let part = WorkerRoot.Part(manifest: manifest, library: library)
        let root = try await BlockingWork.run { () throws(ViperError) in
            try WorkerRoot([part], settings: Settings(), hasOwnState: true, in: folder, trust: folder.trust)
        }
        let worker = try await Worker.start(manifest.name, in: root, limits: .probe, environment: environment) { _ in }
        do throws(ViperError) {
            try await worker.check(.load)
        } catch {
            await worker.stop()
            var failure = error
            if failure.code == .libraryFailed { failure.mend = failure.mend ?? fix(failure.cause) }
            throw failure
        }
        await worker.stop()
    }

    /// What a module's author can do about glibc's message.
    private static func fix(_ cause: String) -> String? {
        if cause.contains("undefined symbol") { return "add the source that defines it, or link the library that does" }
        if cause.contains("cannot open shared object file") { return "install that library, or do not link it" }
        return nil
    }
}
