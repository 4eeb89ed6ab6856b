import Testing
import ViperKit

/// The way of a module through the C boundary.
@MainActor
struct ModuleEntryTests {
    private struct NoServices: ServiceResolver {
        func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
            throw ViperError(.serviceDenied, "cannot give service", key.name, cause: "the test has none")
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

    @Test("a module that answers routes comes through as one")
    func routed() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Routed.self))
        #expect(entry.answersRoutes && !entry.providesServices)
        let instance = try entry.make(NoServices())
        #expect(instance.module is Routed)
        #expect(instance.routed === instance.module)
        #expect(instance.service == nil)
    }

    @Test("a module that provides services comes through as one")
    func provider() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Provider.self))
        #expect(!entry.answersRoutes && entry.providesServices)
        let instance = try entry.make(NoServices())
        #expect(instance.module is Provider)
        #expect(instance.service === instance.module)
        #expect(instance.routed == nil)
    }

    @Test("a module that does both comes through as one object that does both")
    func both() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Both.self))
        #expect(entry.answersRoutes && entry.providesServices)
        let instance = try entry.make(NoServices())
        #expect(instance.routed === instance.module && instance.service === instance.module)
    }

    @Test("each make is a module of its own, and passes on what its initialiser throws")
    func make() throws {
        let entry = try ModuleEntry.unpack(ModuleEntry.export(Routed.self))
        #expect(try entry.make(NoServices()).module !== entry.make(NoServices()).module)
        let needy = ModuleEntry(Needy.self)
        let error = try #require(throws: ViperError.self) { _ = try needy.make(NoServices()) }
        #expect(error.subject == "logger")
    }

    @Test("an entry is freed with its last user: the packet holds nothing")
    func freed() throws {
        weak var entry: ModuleEntry?
        do {
            let unpacked = try ModuleEntry.unpack(ModuleEntry.export(Routed.self))
            entry = unpacked
            #expect(entry === unpacked)
        }
        #expect(entry == nil)
    }

    /// Unpacks three words that the test owns, and frees them.
    private func unpacked(_ words: UInt...) throws -> ViperError {
        let memory = UnsafeMutablePointer<UInt>.allocate(capacity: words.count)
        defer { memory.deallocate() }
        for (index, word) in words.enumerated() { (memory + index).initialize(to: word) }
        return try #require(throws: ViperError.self) { try ModuleEntry.unpack(UnsafeRawPointer(memory)) }
    }

    @Test("memory without the mark is no module")
    func noMark() throws {
        for mark: UInt in [0, .max, 0x444F_4D52_4550_4956] {
            let error = try unpacked(mark, 0, 0)
            #expect(error.code == .entryInvalid)
            #expect(error.cause == "it does not return a packed module")
            #expect(error.mend == "return ModuleEntry.export(YourModule.self) from it")
        }
    }

    @Test("a packet of another ViperKit, or without an entry, is refused before the entry is touched")
    func otherSDK() throws {
        let own = UInt(bitPattern: ObjectIdentifier(ModuleEntry.self))
        // The third word would crash if it were believed.
        for (sdk, entry): (UInt, UInt) in [(1, 8), (own + 8, 8), (own, 0)] {
            let error = try unpacked(0x5649_5045_524D_4F44, sdk, entry)
            #expect(error.code == .entryInvalid)
            #expect(error.cause == "it carries a ViperKit of its own")
        }
    }
}
