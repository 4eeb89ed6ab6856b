extension ModuleTemplate {
    /// Returns the template of a module that provides a service and has no screens. The service is a data provider in
    /// memory, because modules can share a service only if ViperKit publishes its protocol.
    static func service(_ name: ModuleName) -> ModuleTemplate {
        ModuleTemplate(
            sources: [
                "\(name.type)Module.swift": serviceModule(name),
                "MemoryProvider.swift": memoryProvider,
            ],
            tests: ["ServiceTests.swift": serviceTests(name)],
            manifestKeys: """
                  "routes": [],
                  "requires": ["json"],
                  "provides": ["data-provider"]
                """,
            trial: "host services --use data-provider=\(name.kebab)")
    }

    private static func serviceModule(_ name: ModuleName) -> String {
        #"""
        import ViperKit

        /// The library's entry: the host calls it once, after loading.
        @c(viper_module_v1_\#(name.type))
        public func \#(name.function)Module() -> UnsafeRawPointer {
            ModuleEntry.export(\#(name.type)Module.self)
        }

        /// Provides a data provider that forgets everything when the host ends.
        final class \#(name.type)Module: ServiceModule {
            init(services: any ServiceResolver) {}

            func registerServices(with registrar: any ServiceRegistrar) throws {
                try registrar.register(.dataProvider, scope: .singleton) { services in
                    MemoryProvider(json: try services.resolve(.json))
                }
            }
        }

        """#
    }

    private static let memoryProvider = #"""
        import ViperKit

        /// Keeps records in memory, as JSON, since whoever reads one may know it by another type than whoever wrote it. An actor, so
        /// that many tasks may use it at once.
        actor MemoryProvider: DataProvider {
            private let json: any JSONCoder
            private var collections: [String: [EncodedChange]] = [:]

            init(json: any JSONCoder) { self.json = json }

            func all<R: Record>(_ type: R.Type, in collection: String) throws(ViperError) -> [R] {
                try EncodedChange.checkCollection(collection)
                var records: [R] = []
                for record in collections[collection, default: []] { records.append(try decode(type, record)) }
                return records
            }

            func find<R: Record>(_ type: R.Type, id: String, in collection: String) throws(ViperError) -> R? {
                try EncodedChange.checkCollection(collection)
                guard let record = collections[collection, default: []].first(where: { Self.isSame($0.id, id) }) else {
                    return nil
                }
                return try decode(type, record)
            }

            func apply(_ changes: [DataChange]) throws(ViperError) {
                // On a copy: all changes are made, or none.
                var changed = collections
                for change in changes {
                    let encoded = try EncodedChange(change, with: json)
                    try Self.make(encoded, in: &changed[encoded.collection, default: []])
                }
                collections = changed
            }

            private static func make(_ change: EncodedChange, in records: inout [EncodedChange]) throws(ViperError) {
                let place = records.firstIndex { isSame($0.id, change.id) }
                switch (change.kind, place) {
                case (.insert, nil): records.append(change)
                case (.replace, let place?): records[place] = change
                case (.delete, let place?): records.remove(at: place)
                case (.insert, _):
                    throw ViperError(
                        .recordExists, change.what, change.id, cause: "\(change.collection) has one with this id")
                case (.replace, _), (.delete, _):
                    throw ViperError(
                        .recordMissing, change.what, change.id, cause: "\(change.collection) has none with this id")
                default: throw change.unknownKind
                }
            }

            /// By bytes: strings are equal when they look equal, and no database compares ids that way.
            private static func isSame(_ id: String, _ other: String) -> Bool { id.utf8.elementsEqual(other.utf8) }

            private func decode<R: Record>(_ type: R.Type, _ record: EncodedChange) throws(ViperError) -> R {
                do {
                    return try json.decode(type, from: record.json, named: record.id)
                } catch {
                    throw ViperError(.recordInvalid, "cannot read records", error.subject, cause: error.cause)
                }
            }
        }

        """#

    private static func serviceTests(_ name: ModuleName) -> String {
        #"""
        import Testing
        import ViperKit
        import ViperTesting

        @testable import \#(name.type)

        struct MemoryProviderTests {
            @Test("the provider keeps what every provider promises")
            func promises() async {
                var providers: [String: MemoryProvider] = [:]
                await checkDataProvider { store in
                    let provider = providers[store] ?? MemoryProvider(json: TestJSONCoder())
                    providers[store] = provider
                    return provider
                }
            }
        }

        @MainActor
        struct \#(name.type)ModuleTests {
            @Test("the module registers what its manifest provides")
            func registering() async throws {
                let entry = ModuleEntry(\#(name.type)Module.self)
                let host = try TestHost(entry, manifest: "\#(name.kebab).json") { services in
                    services.provide(.json, TestJSONCoder())
                }
                let provider = try await host.provided(.dataProvider)
                #expect(provider is MemoryProvider)
            }
        }

        """#
    }
}
