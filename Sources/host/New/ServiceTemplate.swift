extension ModuleTemplate {
    /// A provider of a service to other modules, which has no screens. Records in memory are the example, because a service can cross
    /// from one module to another only when ViperKit publishes its protocol.
    static func service(_ name: ModuleName) -> ModuleTemplate {
        ModuleTemplate(
            sources: [
                "\(name.type)Module.swift": serviceModule(name),
                "MemoryProvider.swift": memoryProvider,
                "StoredRecord.swift": storedRecord,
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

        /// Keeps records in memory. An actor, so that many tasks may use it at once.
        actor MemoryProvider: DataProvider {
            private let json: any JSONCoder
            private var collections: [String: [StoredRecord]] = [:]

            init(json: any JSONCoder) { self.json = json }

            func all<R: Record>(_ type: R.Type, in collection: String) throws(ViperError) -> [R] {
                try checkCollection(collection)
                var records: [R] = []
                for record in collections[collection, default: []] {
                    records.append(try record.decode(type, with: json))
                }
                return records
            }

            func find<R: Record>(_ type: R.Type, id: String, in collection: String) throws(ViperError) -> R? {
                try checkCollection(collection)
                return try collections[collection, default: []].first { $0.hasID(id) }?.decode(type, with: json)
            }

            func apply(_ changes: [DataChange]) throws(ViperError) {
                // On a copy: all changes are made, or none.
                var changed = collections
                for change in changes { try make(change, in: &changed) }
                collections = changed
            }

            private func make(
                _ change: DataChange, in collections: inout [String: [StoredRecord]]
            ) throws(ViperError) {
                switch change {
                case .insert(let record, let collection):
                    try checkCollection(collection)
                    let new = try StoredRecord(record, with: json)
                    guard !collections[collection, default: []].contains(where: { $0.hasID(record.id) }) else {
                        throw ViperError(
                            .recordExists, "cannot insert record", record.id, cause: "\(collection) has one with this id")
                    }
                    collections[collection, default: []].append(new)
                case .replace(let record, let collection):
                    let new = try StoredRecord(record, with: json)
                    let place = try place(of: record.id, in: collections, collection)
                    collections[collection]?[place] = new
                case .delete(let id, let collection):
                    let place = try place(of: id, in: collections, collection)
                    collections[collection]?.remove(at: place)
                @unknown default:
                    throw ViperError(
                        .storeFailed, "cannot make change", "\(change)", cause: "this provider does not know its kind")
                }
            }

            private func place(
                of id: String, in collections: [String: [StoredRecord]], _ collection: String
            ) throws(ViperError) -> Int {
                try checkCollection(collection)
                if let place = collections[collection]?.firstIndex(where: { $0.hasID(id) }) { return place }
                throw ViperError(
                    .recordMissing, "cannot find record", id, cause: "\(collection) has none with this id")
            }
        }

        /// Checks that a collection's name is made as those of services are.
        func checkCollection(_ name: String) throws(ViperError) {
            let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            let isMadeOfWords = words.allSatisfy { word in
                !word.isEmpty && word.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
            }
            guard isMadeOfWords, let first = name.utf8.first, first >= 0x61, name.utf8.count <= 64 else {
                throw ViperError(
                    .recordInvalid, "cannot use collection", name, cause: "a collection cannot have this name",
                    mend: "write small letters, digits and single hyphens, beginning with a letter, at most 64 of them")
            }
        }

        """#

    private static let storedRecord = #"""
        import ViperKit

        /// A record as JSON, since whoever reads it may know it by another type than whoever wrote it.
        struct StoredRecord: Sendable {
            private let id: String
            private let bytes: [UInt8]

            init(_ record: any Record, with json: any JSONCoder) throws(ViperError) {
                id = record.id
                if id.isEmpty { throw Self.invalid(id, "its id is empty") }
                do throws(ViperError) {
                    bytes = try json.encode(record)
                    let stored = try json.decode(Identified.self, from: bytes, named: id)
                    guard hasID(stored.id) else { throw Self.invalid(id, "it is encoded with another \"id\"") }
                } catch {
                    throw Self.invalid(record.id, error.cause)
                }
            }

            /// The part of an encoded record that every record has.
            private struct Identified: Decodable {
                var id: String
            }

            /// By bytes: strings are equal when they look equal, and no database compares ids that way.
            func hasID(_ other: String) -> Bool { id.utf8.elementsEqual(other.utf8) }

            func decode<R: Record>(_ type: R.Type, with json: any JSONCoder) throws(ViperError) -> R {
                do {
                    return try json.decode(type, from: bytes, named: id)
                } catch {
                    throw ViperError(.recordInvalid, "cannot read records", error.subject, cause: error.cause)
                }
            }

            private static func invalid(_ id: String, _ cause: String) -> ViperError {
                ViperError(.recordInvalid, "cannot store record", id, cause: cause)
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

        struct StoredRecordTests {
            private struct Note: Record, Equatable {
                var id: String
                var text: String
            }

            @Test("a record comes back as it was, and is known by the very bytes of its id")
            func stored() throws {
                let note = Note(id: "caf\u{E9}", text: "a")
                let stored = try StoredRecord(note, with: TestJSONCoder())
                #expect(try stored.decode(Note.self, with: TestJSONCoder()) == note)
                #expect(stored.hasID("caf\u{E9}") && !stored.hasID("cafe\u{301}"))
            }

            @Test("a record without an id is refused")
            func invalid() {
                let error = #expect(throws: ViperError.self) {
                    try StoredRecord(Note(id: "", text: "a"), with: TestJSONCoder())
                }
                #expect(error?.code == .recordInvalid)
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
