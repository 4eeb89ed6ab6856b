// The C boundary between a library's entry and the host. Three words travel: a mark that tells a packed entry from any
// other pointer, the address of this ViperKit's own type, and the retained entry. The host compares the second before it
// touches the third, so a module with a ViperKit of its own is refused instead of failing at a cast much later.
extension ModuleEntry {
    /// Packs a module that answers routes for the way through C.
    @export(implementation)
    public static func export<M: RoutedModule>(_ type: M.Type) -> UnsafeRawPointer {
        Compiler.swift_6_3()
        return ModuleEntry(type).packed()
    }

    /// Packs a module that provides services for the way through C.
    @export(implementation)
    public static func export<M: ServiceModule>(_ type: M.Type) -> UnsafeRawPointer {
        Compiler.swift_6_3()
        return ModuleEntry(type).packed()
    }

    /// Packs a module that does both for the way through C.
    @export(implementation)
    public static func export<M: RoutedModule & ServiceModule>(_ type: M.Type) -> UnsafeRawPointer {
        Compiler.swift_6_3()
        return ModuleEntry(type).packed()
    }

    private typealias Packet = (mark: UInt, sdk: UInt, entry: UInt)

    // "VIPERMOD" in ASCII.
    private static var mark: UInt { 0x5649_5045_524D_4F44 }

    private static var sdk: UInt { UInt(bitPattern: ObjectIdentifier(ModuleEntry.self)) }

    @usableFromInline
    func packed() -> UnsafeRawPointer {
        let packet = UnsafeMutablePointer<Packet>.allocate(capacity: 1)
        // The retain is balanced by `unpack`, which every pointer from here goes through once.
        let entry = UInt(bitPattern: Unmanaged.passRetained(self).toOpaque())
        packet.initialize(to: (Self.mark, Self.sdk, entry))
        return UnsafeRawPointer(packet)
    }

    /// Takes back what `export` packed, and frees the packet. For hosts; a module never calls it.
    ///
    /// - Parameter pointer: The result of one call of a library's entry. It must not be used again.
    /// - Throws: ``ViperError/Code/entryInvalid`` when the pointer is no packed entry, or was packed by another
    ///   copy of ViperKit than the caller's.
    public static func unpack(_ pointer: UnsafeRawPointer) throws(ViperError) -> ModuleEntry {
        let packet = UnsafeMutablePointer(mutating: pointer.assumingMemoryBound(to: Packet.self))
        guard packet.pointee.mark == mark else {
            throw ViperError(
                .entryInvalid, "cannot use", "the library's entry", cause: "it does not return a packed module",
                mend: "return ModuleEntry.export(YourModule.self) from it")
        }
        guard packet.pointee.sdk == sdk, let entry = UnsafeRawPointer(bitPattern: packet.pointee.entry) else {
            throw ViperError(
                .entryInvalid, "cannot use", "the library's entry", cause: "it carries a ViperKit of its own",
                mend: "link the host's libViperKit.so dynamically")
        }
        defer { packet.deallocate() }
        return Unmanaged<ModuleEntry>.fromOpaque(entry).takeRetainedValue()
    }
}
