// The C boundary between a library's entry point and the host. The entry point returns a pointer to a packet of three
// words: a magic number, the address of the type metadata of `ModuleEntry`, and the retained entry. The host compares
// the second word before it uses the third. This check refuses a module that links its own copy of ViperKit, because
// casts to the copy's types would fail.
extension ModuleEntry {
    /// Returns a pointer to the packed entry of a module with routes. Call this function from the library's C entry
    /// point.
    @export(implementation)
    public static func export<M: RoutedModule>(_ type: M.Type) -> UnsafeRawPointer {
        Compiler.swift_6_3()
        return ModuleEntry(type).packed()
    }

    /// Returns a pointer to the packed entry of a module with services. Call this function from the library's C entry
    /// point.
    @export(implementation)
    public static func export<M: ServiceModule>(_ type: M.Type) -> UnsafeRawPointer {
        Compiler.swift_6_3()
        return ModuleEntry(type).packed()
    }

    /// Returns a pointer to the packed entry of a module with routes and services. Call this function from the
    /// library's C entry point.
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
        // `unpack` balances this retain. The host passes each packed pointer to `unpack` once.
        let entry = UInt(bitPattern: Unmanaged.passRetained(self).toOpaque())
        packet.initialize(to: (Self.mark, Self.sdk, entry))
        return UnsafeRawPointer(packet)
    }

    /// Returns the entry from a packet that `export` created, and frees the packet. Only hosts call this function.
    ///
    /// - Parameter pointer: The pointer that a library's entry point returned. Do not use the pointer after this call.
    /// - Throws: ``ViperError/Code/entryInvalid`` if the pointer is not a packed entry, or if another copy of ViperKit
    ///   created it.
    public static func unpack(_ pointer: UnsafeRawPointer) throws(ViperError) -> ModuleEntry {
        let packet = UnsafeMutablePointer(mutating: pointer.assumingMemoryBound(to: Packet.self))
        guard packet.pointee.mark == mark else {
            throw ViperError(
                .entryInvalid, operation: "cannot use", subject: "the library's entry",
                cause: "it does not return a packed module",
                fix: "return ModuleEntry.export(YourModule.self) from it")
        }
        guard packet.pointee.sdk == sdk, let entry = UnsafeRawPointer(bitPattern: packet.pointee.entry) else {
            throw ViperError(
                .entryInvalid, operation: "cannot use", subject: "the library's entry",
                cause: "it contains its own copy of ViperKit",
                fix: "link the host's libViperKit.so dynamically")
        }
        defer { packet.deallocate() }
        return Unmanaged<ModuleEntry>.fromOpaque(entry).takeRetainedValue()
    }
}
