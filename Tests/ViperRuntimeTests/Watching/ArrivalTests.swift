import Testing

@testable import ViperRuntime

/// Libraries that are still being copied.
struct ArrivalTests {
    @Test("a library that lacks any number of its last bytes has not arrived")
    func truncated() throws {
        let library = try SmallLibrary().bytes()
        #expect(Arrival.isWhole(library))
        #expect(Arrival.isWhole(library + [0]))
        let whole = library.indices.filter { Arrival.isWhole(Array(library.prefix($0))) }
        #expect(whole == [])
    }

    @Test("the libraries that SwiftPM has built are whole, and cut at the ends of their parts they are not")
    func built() throws {
        for name in ["libCompanyList.so", "libViperKit.so"] {
            let library = try BuiltLibrary.bytes(name)
            #expect(Arrival.isWhole(library))
            for count in [0, 1, 3, 4, 63, 64, 65, 4096, library.count / 2, library.count - 64, library.count - 1] {
                #expect(!Arrival.isWhole(Array(library.prefix(count))), "\(name) \(count)")
            }
        }
    }

    @Test("a stripped library, without a table of sections, is whole where its segments are")
    func stripped() throws {
        var library = try SmallLibrary().bytes()
        let end = try #require(try ElfFile(library).segments.map { $0.offset + $0.fileSize }.max())
        library.put(0, at: 40)
        library.put(UInt32(0), at: 58)
        #expect(Arrival.isWhole(Array(library.prefix(end))))
        #expect(!Arrival.isWhole(Array(library.prefix(end - 1))))
    }

    @Test("a file that is only as long as its library will be has not arrived")
    func hole() throws {
        let library = try SmallLibrary().bytes()
        #expect(!Arrival.isWhole([UInt8](repeating: 0, count: library.count)))
    }

    @Test("what no further bytes would mend counts as whole, so that it is refused")
    func damaged() throws {
        for text in ["x", "#!/bin/sh\n", "\u{7F}ELX", "\u{7F}F"] { #expect(Arrival.isWhole(Array(text.utf8))) }
        let library = try SmallLibrary().bytes()
        // An impossible table, entry size, and place of a segment.
        for (offset, value) in [(32, -1), (32, Int.max), (40, -1), (64 + 8, -1), (64 + 32, Int.max)] {
            var damaged = library
            damaged.put(value, at: offset)
            #expect(Arrival.isWhole(damaged), "\(offset) \(value)")
        }
        var damaged = library
        damaged.put(UInt16(3), at: 54)
        #expect(Arrival.isWhole(damaged))
    }

    @Test("no damage crashes it")
    func fuzz() throws {
        let library = try SmallLibrary().bytes()
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            var damaged = library
            for _ in 0..<4 {
                damaged[.random(in: 0..<256, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            _ = Arrival.isWhole(Array(damaged.prefix(.random(in: 0...damaged.count, using: &generator))))
        }
    }
}
