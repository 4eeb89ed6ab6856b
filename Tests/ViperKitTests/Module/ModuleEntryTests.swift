import Testing
import ViperKit

/// Packing and unpacking of a module's entry at the C boundary.
@MainActor
struct ModuleEntryTests {
    private struct NoServices: ServiceResolver {
        func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
            throw ViperError(
                .serviceDenied, operation: "cannot resolve service", subject: key.name, cause: "the test has none")
        }
        func resolveOrCreate<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
            try resolve(key)
        }
    }

    final class Blank: View {
        let screen = Screen(title: "Blank")
    }

    final class Routed: RoutedModule {
        init(services: any ServiceResolver) {}
        func view(for request: RouteRequest) -> any View { Blank() }
    }

    final class Provider: ServiceModule {
        init(services: any ServiceResolver) {}
        func registerServices(with registrar: any ServiceRegistrar) {}
    }

    final class Both: RoutedModule, ServiceModule {
        init(services: any ServiceResolver) {}
        func view(for request: RouteRequest) -> any View { Blank() }
        func registerServices(with registrar: any ServiceRegistrar) {}
    }

    final class Needy: RoutedModule {
        init(services: any ServiceResolver) throws { _ = try services.resolve(.logger) }
        func view(for request: RouteRequest) -> any View { Blank() }
    }

    @Test("A routed module is unpacked as one that answers routes only")
    func routed() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Routed.self))
        #expect(entry.answersRoutes && !entry.providesServices)
        let instance = try entry.make(NoServices())
        #expect(instance.module is Routed)
        #expect(instance.routed === instance.module)
        #expect(instance.service == nil)
    }

    @Test("A service module is unpacked as one that provides services only")
    func provider() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Provider.self))
        #expect(!entry.answersRoutes && entry.providesServices)
        let instance = try entry.make(NoServices())
        #expect(instance.module is Provider)
        #expect(instance.service === instance.module)
        #expect(instance.routed == nil)
    }

    @Test("A module with routes and services is unpacked as one object with both roles")
    func both() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Both.self))
        #expect(entry.answersRoutes && entry.providesServices)
        let instance = try entry.make(NoServices())
        #expect(instance.routed === instance.module && instance.service === instance.module)
    }

    @Test("Each call of make creates a new module and rethrows the initializer's error")
    func make() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Routed.self))
        #expect(try entry.make(NoServices()).module !== entry.make(NoServices()).module)
        let needy = ModuleEntry(Needy.self)
        let error = try #require(throws: ViperError.self) { _ = try needy.make(NoServices()) }
        #expect(error.subject == "logger")
    }

    @Test("An unpacked entry is freed with its last reference")
    func freed() throws {
        weak var entry: ModuleEntry?
        do {
            let unpacked = try ModuleEntry.unpack(ModuleEntry.export(Routed.self))
            entry = unpacked
            #expect(entry === unpacked)
        }
        #expect(entry == nil)
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
            let error = try unpacked(mark, 0, 0)
            #expect(error.code == .entryInvalid)
            #expect(error.cause == "it does not return a packed module")
            #expect(error.fix == "return ModuleEntry.export(YourModule.self) from it")
        }
    }

    @Test("A packet of another ViperKit, or without an entry, is rejected before the entry is used")
    func otherSDK() throws {
        let own = UInt(bitPattern: ObjectIdentifier(ModuleEntry.self))
        // Using the third word as an entry would crash.
        for (sdk, entry): (UInt, UInt) in [(1, 8), (own + 8, 8), (own, 0)] {
            let error = try unpacked(0x5649_5045_524D_4F44, sdk, entry)
            #expect(error.code == .entryInvalid)
            #expect(error.cause == "it contains its own copy of ViperKit")
        }
    }
}
