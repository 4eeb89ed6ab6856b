import CSystem
package import Glibc
import Synchronization

/// The handler for crashes of this process. It names the module at fault, then lets Swift's runtime print its backtrace.
///
/// A module is at fault if the innermost stack frame in the library of any module lies in its library. If there is no
/// such frame, the report says that the code is unknown. A stack overflow is not reported, except in the first thread:
/// the handler needs a stack of its own, which other threads do not have.
package enum CrashHandler {
    private static let hasBegun = Atomic(false)

    /// True if the libraries of modules must be added before they are loaded.
    package static var isInstalled: Bool { hasBegun.load(ordering: .relaxed) }

    // The functions below may not be inlined. The C functions use a static variable, and an object file with inlined
    // copies of the functions would have its own copy of this variable.

    /// Installs the handler. Later calls have no effect.
    ///
    /// - Parameters:
    ///   - folder: The folder for the file that the handler writes. The handler creates the folder if it is missing. Nil
    ///     to write only to standard error.
    ///   - isWorker: True if a host starts this process to run a module. If another process sends a fault signal, such as
    ///     SIGSEGV, the worker then ends by SIGKILL, so that the host does not blame the module.
    @inline(never)
    package static func install(folder: String?, isWorker: Bool) {
        if hasBegun.exchange(true, ordering: .relaxed) { return }
        // The process ID alone is not unique, because it is reused.
        let name = "\(time(nil))-\(getpid())-\(UInt32.random(in: .min ... .max))"
        let paths = [Crash.newSuffix, Crash.unfinishedSuffix].map { suffix in
            folder.map { "\($0)/\(name)\(suffix)" } ?? ""
        }
        crash_install(paths[0], paths[1], isWorker ? 1 : 0)
    }

    /// Sets what the handler does to the terminal of a front end before it reports a crash.
    ///
    /// - Parameters:
    ///   - modes: The terminal's modes to restore. Nil if no front end uses the terminal.
    ///   - text: The text that ends the drawing.
    @inline(never)
    package static func setTerminal(modes: termios?, text: StaticString) {
        guard let modes else { return crash_set_terminal(nil) }
        // The handler may read these at any time, so they are never freed. A process lends its terminal once.
        let kept = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        kept.initialize(to: modes)
        let terminal = UnsafeMutablePointer<crash_terminal>.allocate(capacity: 1)
        terminal.initialize(
            to: crash_terminal(
                input: STDIN_FILENO, output: STDOUT_FILENO, modes: kept,
                text: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self),
                length: text.utf8CodeUnitCount))
        crash_set_terminal(terminal)
    }

    /// Adds the library of a module. Call this method before the library is loaded, because its initialisers may crash.
    ///
    /// - Parameter path: The path for `dlopen`.
    @inline(never)
    package static func add(library path: String, module: String, version: String, digest: Digest?) {
        // The handler may read the image and its strings at any time, so they are never freed.
        let image = UnsafeMutablePointer<crash_image>.allocate(capacity: 1)
        image.initialize(
            to: crash_image(
                path: strdup(path), module: strdup(module), version: strdup(version),
                digest: strdup(digest?.description ?? "-"), next: nil))
        crash_add_image(image)
    }
}
