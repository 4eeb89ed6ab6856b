package import HostSystem
package import ModuleCatalog
package import ViperKit

package enum LoadTrial {
    /// Loads a library in a temporary worker and compares its argument types with the manifest.
    ///
    /// - Parameters:
    ///   - library: The library's absolute path.
    ///   - manifest: The library's manifest.
    ///   - folder: The folder in which to create the worker's files.
    ///   - environment: The environment variables that the worker inherits.
    /// - Throws: ``ViperError/Code/libraryFailed`` with the linker's message, ``ViperError/Code/moduleFailed`` if an
    ///   argument type differs from the manifest, ``ViperError/Code/workerCrashed`` if the worker crashed, or
    ///   ``ViperError/Code/programFailed`` if the worker cannot start.
    package static func run(
        _ library: String, _ manifest: Manifest, in folder: PrivateFolder, environment: WorkerEnvironment
    ) async throws(ViperError) {
        // Loading does not need services, configuration or resources, and they may be missing here.
        var manifest = manifest
        (manifest.requires, manifest.optional, manifest.config, manifest.resources) = ([], [], [], nil)
        let part = WorkerRoot.Part(manifest: manifest, library: library)
        let root = try await BlockingWork.run { () throws(ViperError) in
            try WorkerRoot([part], settings: Settings(), hasOwnState: true, in: folder, trust: folder.trust)
        }
        let worker = try await Worker.start(manifest.name, in: root, limits: .probe, environment: environment) { _ in }
        do throws(ViperError) {
            try await worker.check(.load)
            try await worker.check(.arguments)
        } catch {
            await worker.stop()
            var failure = error
            if failure.code == .libraryFailed {
                failure.fix = failure.fix ?? fix(failure.cause)
            }
            throw failure
        }
        await worker.stop()
    }

    /// Returns a fix for an error of glibc's dynamic linker, addressed to the module's author. Returns nil if the error
    /// is unknown.
    private static func fix(_ cause: String) -> String? {
        if cause.contains("undefined symbol") {
            return "add the source file that defines the symbol, or link the library that does"
        }
        if cause.contains("cannot open shared object file") { return "install the library, or do not link it" }
        return nil
    }
}
