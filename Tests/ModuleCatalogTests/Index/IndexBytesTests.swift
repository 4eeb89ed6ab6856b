import Foundation
import TestSupport
import Testing

@testable import ModuleCatalog

/// The binary form of manifests in an index.
struct IndexBytesTests {
    private func decoded(_ bytes: [UInt8]) throws -> Manifest {
        var reader = IndexReader(bytes[...])
        let manifest = try Manifest(from: &reader)
        #expect(reader.rest.isEmpty)
        return manifest
    }

    private func encoded(_ manifest: Manifest) -> [UInt8] {
        var writer = IndexWriter()
        manifest.write(to: &writer)
        return writer.bytes
    }

    @Test("Every valid manifest is decoded as it was encoded", arguments: try ManifestFiles.names("good"))
    func manifests(name: String) throws {
        let manifest = try ManifestFiles.entry("good", name).manifest.get()
        #expect(try decoded(encoded(manifest)) == manifest)
    }

    @Test("Bytes that end early are refused, and changed bytes never crash the decoder")
    func damage() throws {
        for name in try ManifestFiles.names("good") {
            let bytes = encoded(try ManifestFiles.entry("good", name).manifest.get())
            for count in bytes.indices {
                #expect(throws: IndexReader.Damage.self) { try decoded(Array(bytes[..<count])) }
            }
            for index in bytes.indices {
                var changed = bytes
                changed[index] = ~changed[index]
                var reader = IndexReader(changed[...])
                _ = try? Manifest(from: &reader)
            }
        }
    }

    @Test(
        "Numbers of every size are decoded as they were encoded",
        arguments: [0, 1, 127, 128, -1, 1 << 35, Int.max, Int.min])
    func numbers(number: Int) throws {
        var writer = IndexWriter()
        writer.add(number)
        var reader = IndexReader(writer.bytes[...])
        #expect(try reader.integer() == number)
        #expect(reader.rest.isEmpty)
    }
}
