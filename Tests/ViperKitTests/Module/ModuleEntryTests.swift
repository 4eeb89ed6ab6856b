import Testing

@_spi(Host) import ViperKit

/// Packing and unpacking of a module's type at the C boundary.
@MainActor
struct ModuleEntryTests {
    final class Routed: Module {
        init(services: any ServiceResolver) {}
        static func register(with registrar: Registrar<Routed>) {}
    }

    @Test("A packed module is unpacked as its type")
    func type() throws {
        #expect(try ModuleEntry.unpack(ModuleEntry.export(Routed.self)) == Routed.self)
    }

    /// Unpacks a packet of these words and returns the error.
    private func unpacked(_ words: UInt...) throws -> ViperError {
        let memory = UnsafeMutablePointer<UInt>.allocate(capacity: words.count)
        defer { memory.deallocate() }
        for (index, word) in words.enumerated() { (memory + index).initialize(to: word) }
        return try #require(throws: ViperError.self) { try ModuleEntry.unpack(UnsafeRawPointer(memory)) }
    }

    @Test("Memory without the magic number is rejected")
    func noMark() throws {
        for mark: UInt in [0, .max, 0x444F_4D52_4550_4956] {
            let error = try unpacked(mark, 0, 0, 0)
            #expect(error.code == .entryInvalid)
            #expect(error.cause == "it does not return a packed module")
            #expect(error.fix == "return ModuleEntry.export(YourModule.self) from it")
        }
    }

    @Test("A packet of another ViperKit is rejected before its type is used")
    func otherSDK() throws {
        let own = UInt(bitPattern: ObjectIdentifier(ModuleEntry.self))
        // Using the third word as a type would crash.
        for sdk: UInt in [0, 1, own + 8] {
            let error = try unpacked(0x5649_5045_524D_4F44, sdk, 8, 8)
            #expect(error.code == .entryInvalid)
            #expect(error.cause == "it contains its own copy of ViperKit")
        }
    }
}
