import CSystem
import Glibc
import ViperKit

/// The C boundary to the dynamic linker. Everything here is raw pointers, and nothing outside is.
enum DynamicLinker {
    /// The function that a module's library defines; see ``ViperKit/ModuleEntry``.
    private typealias Entry = @convention(c) () -> UnsafeRawPointer?

    /// Why the linker refused, in its own words.
    struct Failure: Error {
        var cause: String
    }

    /// Loads a library and calls its entry. The library stays loaded for good: unloading a Swift image crashes the process
    /// at the next cast.
    ///
    /// On the main actor, because the library may be the first to bring Foundation into the process: while that is loaded it
    /// initialises libdispatch anew, which makes the current thread the owner of the main queue. A thread that does not
    /// serve the main queue would then own it for good, and nothing on the main actor would ever run again.
    @MainActor
    static func entry(ofLibrary path: String, symbol: String) throws -> ModuleEntry {
        // RTLD_NOW: a symbol that is missing is an error here and not a crash later. RTLD_LOCAL: two modules may define
        // the same names.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw Failure(cause: lastError()) }
        guard let address = dlsym(handle, symbol) else { throw Failure(cause: lastError()) }
        // The name's prefix says that this is a function without parameters that returns a pointer.
        let entry = unsafeBitCast(address, to: Entry.self)
        guard let packed = entry() else { throw Failure(cause: "the entry \(symbol) returned no module") }
        return try ModuleEntry.unpack(packed)
    }

    /// Whether this process has a global symbol of that name. libViperKit's are global, since the host links it.
    static func hasSymbol(_ name: String) -> Bool { dlsym(nil, name) != nil }

    /// True if this process has loaded a library of this name, so that the linker takes that one for any other that needs it. Loads
    /// nothing.
    static func hasLoaded(_ library: String) -> Bool { handle(ofLoaded: library) != nil }

    /// True if a library that this process has loaded, or one that it needs, defines a symbol.
    static func hasSymbol(_ name: String, in library: String) -> Bool {
        handle(ofLoaded: library).map { dlsym($0, name) != nil } ?? false
    }

    /// True if the linker finds a library by the rules that hold for this program. Loads nothing.
    static func finds(_ library: String) -> Bool {
        dlerror()
        // Of a library that is there and not loaded, dlopen returns nothing and reports no error.
        return handle(ofLoaded: library) != nil || dlerror() == nil
    }

    /// Only for a name that the linker looks up: it opens a path at once, and waits for ever if that is a named pipe.
    private static func handle(ofLoaded library: String) -> UnsafeMutableRawPointer? {
        // Never closed: the library stays loaded anyway.
        library.contains("/") ? nil : dlopen(library, RTLD_LAZY | RTLD_NOLOAD)
    }

    /// The Swift declaration behind a mangled name, or the name itself.
    static func demangled(_ name: String) -> String {
        guard let text = swift_demangle(name, name.utf8.count, nil, nil, 0) else { return name }
        defer { free(text) }
        return String(cString: text)
    }

    // dlerror's text is the thread's own, and valid until its next call.
    private static func lastError() -> String {
        dlerror().map { String(cString: $0) } ?? "the dynamic linker said nothing"
    }
}
