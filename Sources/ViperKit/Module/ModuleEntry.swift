/// The entry point of a library, through which the host gets the library's module.
///
/// A library defines exactly one function with a C name that begins with `viper_entry_v1_`. The `1` is the major
/// version of the binary interface. The rest of the name is your choice. Modules with different names can be linked
/// into the same test executable:
///
/// ```swift
/// @c(viper_entry_v1_Hello)
/// public func helloModule() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }
/// ```
public enum ModuleEntry {
    // The C boundary between a library's entry point and the host. The entry point returns a pointer to a packet: a
    // magic number, the address of the type metadata of `ModuleEntry`, and the module's type. The host compares the
    // second word before it uses the type. This check refuses a module that links its own copy of ViperKit, because
    // casts to the copy's types would fail.
    private typealias Packet = (mark: UInt, sdk: UInt, type: any Module.Type)

    // "VIPERMOD" in ASCII.
    private static var mark: UInt { 0x5649_5045_524D_4F44 }

    private static var sdk: UInt { UInt(bitPattern: ObjectIdentifier(ModuleEntry.self)) }

    /// Returns a pointer to a packet with the module's type. Call this function from the library's C entry point.
    @export(implementation)
    public static func export<M: Module>(_ type: M.Type) -> UnsafeRawPointer {
        Compiler.swift_6_3()
        return packed(type)
    }

    @usableFromInline
    static func packed(_ type: any Module.Type) -> UnsafeRawPointer {
        let packet = UnsafeMutablePointer<Packet>.allocate(capacity: 1)
        packet.initialize(to: (mark, sdk, type))
        return UnsafeRawPointer(packet)
    }

    /// Returns the module's type from a packet that `export` created, and frees the packet.
    ///
    /// - Parameter pointer: The pointer that a library's entry point returned. Do not use the pointer after this call.
    /// - Throws: ``ViperError/Code/entryInvalid`` if the pointer does not point to a packet, or if another copy of
    ///   ViperKit created it.
    @_spi(Host)
    public static func unpack(_ pointer: UnsafeRawPointer) throws(ViperError) -> any Module.Type {
        let packet = UnsafeMutablePointer(mutating: pointer.assumingMemoryBound(to: Packet.self))
        guard packet.pointee.mark == mark else {
            throw ViperError(
                .entryInvalid, operation: "cannot use", subject: "the library's entry",
                cause: "it does not return a packed module",
                fix: "return ModuleEntry.export(YourModule.self) from it")
        }
        guard packet.pointee.sdk == sdk else {
            throw ViperError(
                .entryInvalid, operation: "cannot use", subject: "the library's entry",
                cause: "it contains its own copy of ViperKit",
                fix: "link the host's libViperKit.so dynamically")
        }
        defer { packet.deallocate() }
        return packet.pointee.type
    }
}
