import CSystem
import Glibc
import HostSystem
@_spi(Host) import ViperKit

/// A wrapper for the dynamic linker's C interface. Raw pointers do not leave this type.
enum DynamicLinker {
    /// The entry function that a module's library exports; see ``ViperKit/ModuleEntry``.
    private typealias Entry = @convention(c) () -> UnsafeRawPointer?

    /// An error with the dynamic linker's message, or with the reason why an entry is unusable.
    struct Failure: Error {
        var cause: String
    }

    /// Loads a library, calls its entry, and returns the module's type. The library is never unloaded, because
    /// unloading a Swift image crashes the process at the next dynamic cast.
    ///
    /// This method runs on the main actor, because the library may be the first to load Foundation into the process.
    /// Loading Foundation initializes libdispatch again, which makes the current thread the owner of the main queue. If
    /// that thread did not serve the main queue, the main actor would stop forever.
    @MainActor
    static func entry(ofLibrary path: String, symbol: String) throws -> any Module.Type {
        let handle = try open(path)
        guard let address = dlsym(handle, symbol) else { throw Failure(cause: lastError()) }
        // The symbol's prefix identifies a function that has no parameters and returns a pointer.
        let entry = unsafeBitCast(address, to: Entry.self)
        guard let packed = entry() else { throw Failure(cause: "the entry \(symbol) returned no module") }
        return try ModuleEntry.unpack(packed)
    }

    /// Loads a library that has no entry. The libraries that need it by its SONAME then use this library.
    @MainActor
    static func load(_ path: String) throws { _ = try open(path) }

    @MainActor
    private static func open(_ path: String) throws -> UnsafeMutableRawPointer {
        loadRuntime(for: path)
        // RTLD_NOW reports a missing symbol here instead of crashing later. RTLD_LOCAL allows two modules to define the
        // same names.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw Failure(cause: lastError()) }
        return handle
    }

    /// Loads the libraries of Swift that a library needs from the folder of those that this process uses. The library's
    /// search paths name the folder of its compiler, which may be missing, or contain another version of Swift.
    @MainActor
    private static func loadRuntime(for path: String) {
        guard let folder = runtimeFolder, let file = try? RegularFile(path: path),
            let needs = try? ElfFile.needs(of: file)
        else { return }
        for name in needs.libraries where !name.utf8.contains(UInt8(ascii: "/")) && !hasLoaded(name) {
            let own = "\(folder)/\(name)"
            // If it cannot be loaded, loading the library itself fails, with the reason.
            if access(own, F_OK) == 0 { dlopen(own, RTLD_NOW | RTLD_LOCAL) }
        }
    }

    /// Returns true if this process has a global symbol with this name. The symbols of libViperKit are global, because
    /// the host links it.
    static func hasSymbol(_ name: String) -> Bool { dlsym(nil, name) != nil }

    /// Returns true if this process has loaded a library with this name. The dynamic linker then uses this library
    /// wherever the name is needed. This method does not load the library.
    static func hasLoaded(_ library: String) -> Bool { handle(ofLoaded: library) != nil }

    /// The folder of the Swift libraries that this process uses. Nil if it has loaded none.
    static var runtimeFolder: String? { folder(ofLoaded: "libswiftCore.so") }

    /// Returns the folder of a loaded library, or nil if the library is not loaded.
    static func folder(ofLoaded library: String) -> String? {
        guard let handle = handle(ofLoaded: library) else { return nil }
        // The dynamic linker itself limits paths to this size.
        var folder = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard dlinfo(handle, origin_of_library, &folder) == 0 else { return nil }
        return folder.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    /// The names of the libraries that the program itself needs. They were loaded when it started. The first check of a
    /// library asks for them, before any module is loaded.
    static let librariesOfProgram: Set<String> = {
        var all = loaded_paths()
        list_loaded_paths(&all)
        var names: Set<String> = []
        for index in 0..<all.count {
            let path = loaded_path(&all, index).map { String(cString: $0) } ?? ""
            if let name = pathNames(path).last { names.insert(name) }
        }
        return names
    }()

    /// Returns what this process has loaded under a name. Nil if it has loaded no such library.
    static func loaded(_ library: String) -> LoadedLibrary? {
        guard let handle = handle(ofLoaded: library) else { return nil }
        var map: UnsafePointer<loaded_map>?
        var found = loaded_library()
        guard dlinfo(handle, map_of_library, &map) == 0, let map, find_loaded_library(map, &found) != 0 else {
            return nil
        }
        let id = withUnsafeBytes(of: &found.build_id) { Array($0.prefix(found.build_id_size)) }
        return LoadedLibrary(
            path: map.pointee.path.map { String(cString: $0) } ?? library, start: found.start,
            buildID: id.isEmpty ? nil : ElfFile.hexadecimal(id[...]))
    }

    /// Returns true if a loaded library or one of the libraries that it needs defines a symbol.
    static func hasSymbol(_ name: String, in library: String) -> Bool {
        handle(ofLoaded: library).map { dlsym($0, name) != nil } ?? false
    }

    /// Returns true if the dynamic linker finds a library in the search paths of this program. This method does not
    /// load the library.
    static func finds(_ library: String) -> Bool {
        dlerror()
        // For a library that exists but is not loaded, dlopen returns null and reports no error.
        return handle(ofLoaded: library) != nil || dlerror() == nil
    }

    /// Returns the handle of a library, or nil if the library is not loaded. For a path, this method also returns nil,
    /// because `dlopen` would open the file immediately and block on a named pipe.
    private static func handle(ofLoaded library: String) -> UnsafeMutableRawPointer? {
        // The handle is never closed, because libraries stay loaded anyway.
        library.utf8.contains(UInt8(ascii: "/")) ? nil : dlopen(library, RTLD_LAZY | RTLD_NOLOAD)
    }

    // The string that dlerror returns belongs to the current thread and is valid until that thread calls the dynamic
    // linker again.
    private static func lastError() -> String {
        dlerror().map { String(cString: $0) } ?? "the dynamic linker gave no reason"
    }
}
