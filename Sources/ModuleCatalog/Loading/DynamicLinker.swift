import CSystem
import Glibc
import ViperKit

/// The C boundary to the dynamic linker. Its raw pointers do not leave this type.
enum DynamicLinker {
    /// The function that a module's library exports; see ``ViperKit/ModuleEntry``.
    private typealias Entry = @convention(c) () -> UnsafeRawPointer?

    /// The dynamic linker's own message, or the reason why an entry is unusable.
    struct Failure: Error {
        var cause: String
    }

    /// Loads a library and calls its entry. The library is never unloaded, because unloading a Swift image crashes the
    /// process at the next cast.
    ///
    /// Must run on the main actor, because the library may be the first to load Foundation into the process. Loading
    /// Foundation initializes libdispatch again, which makes the current thread the owner of the main queue. On a
    /// thread that does not serve the main queue, this would stop the main actor forever.
    @MainActor
    static func entry(ofLibrary path: String, symbol: String) throws -> ModuleEntry {
        // RTLD_NOW reports a missing symbol here instead of crashing later. RTLD_LOCAL allows two modules to define the
        // same names.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw Failure(cause: lastError()) }
        guard let address = dlsym(handle, symbol) else { throw Failure(cause: lastError()) }
        // The prefix of the symbol's name promises a function without parameters that returns a pointer.
        let entry = unsafeBitCast(address, to: Entry.self)
        guard let packed = entry() else { throw Failure(cause: "the entry \(symbol) returned no module") }
        return try ModuleEntry.unpack(packed)
    }

    /// Returns true if this process has a global symbol of this name. The symbols of libViperKit are global, because
    /// the host links it.
    static func hasSymbol(_ name: String) -> Bool { dlsym(nil, name) != nil }

    /// Returns true if this process has loaded a library of this name. The dynamic linker then uses it for every
    /// library that needs that name. Loads nothing.
    static func hasLoaded(_ library: String) -> Bool { handle(ofLoaded: library) != nil }

    /// Returns true if a loaded library, or a library that it needs, defines a symbol.
    static func hasSymbol(_ name: String, in library: String) -> Bool {
        handle(ofLoaded: library).map { dlsym($0, name) != nil } ?? false
    }

    /// Returns true if the dynamic linker finds a library by the rules for this program. Loads nothing.
    static func finds(_ library: String) -> Bool {
        dlerror()
        // For a library that exists but is not loaded, dlopen returns null and reports no error.
        return handle(ofLoaded: library) != nil || dlerror() == nil
    }

    /// Returns the handle of a loaded library, or nil. Ignores paths: dlopen would open the file immediately, and block
    /// on a named pipe.
    private static func handle(ofLoaded library: String) -> UnsafeMutableRawPointer? {
        // The handle is never closed, because libraries stay loaded anyway.
        library.utf8.contains(UInt8(ascii: "/")) ? nil : dlopen(library, RTLD_LAZY | RTLD_NOLOAD)
    }

    /// Returns the Swift declaration of a mangled name, or the name itself if it cannot be demangled.
    static func demangled(_ name: String) -> String {
        guard let text = swift_demangle(name, name.utf8.count, nil, nil, 0) else { return name }
        defer { free(text) }
        return String(cString: text)
    }

    // The text of dlerror belongs to the current thread and is valid until that thread's next call.
    private static func lastError() -> String {
        dlerror().map { String(cString: $0) } ?? "the dynamic linker gave no reason"
    }
}
