import Foundation
import TestSupport
import Testing

@testable import ModuleCatalog

/// Reading of a library before the dynamic linker loads it.
@Suite(.fewAtOnce)
struct ElfFileTests {
    private let good: [UInt8]

    init() async throws { good = try await SmallLibrary().bytes() }

    private func cause(_ change: (inout [UInt8]) throws -> Void) throws -> String {
        var bytes = good
        try change(&bytes)
        return try #require(throws: ElfFile.Problem.self) { try ElfFile(bytes).linkage() }.cause
    }

    /// Returns the offset of the program header of this type, without the reader under test.
    private func header(_ type: UInt8) throws -> Int {
        try #require((0..<Int(good[56])).map { 64 + $0 * 56 }.first { good[$0] == type })
    }

    @Test("A section is read without the rest of the file")
    func section() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        var sum = 0
        let name = ".note.gnu.build-id"
        let section = try ElfFile.section(named: name, inFileOf: bytes.count) { offset, count in
            sum += count
            return bytes[offset..<(offset + count)]
        }
        #expect(try section == ElfFile(bytes).section(named: name) && section?.isEmpty == false)
        #expect(sum < bytes.count / 20, "\(sum) of \(bytes.count)")
    }

    @Test("The needed libraries are read without the rest of the file")
    func needs() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        var sum = 0
        let needs = try ElfFile.needs(inFileOf: bytes.count) { offset, count in
            sum += count
            return bytes[offset..<(offset + count)]
        }
        #expect(needs.libraries.contains("libViperKit.so") && !needs.searchPaths.isEmpty)
        #expect(sum < bytes.count / 2, "\(sum) of \(bytes.count)")
    }

    @Test("Needed libraries and symbols are read with each kind of hash table", arguments: ["gnu", "sysv", "both"])
    func linkage(hashStyle: String) async throws {
        let source = """
            extern int wanted(void);
            int shared = 5;
            static int hidden(void) { return shared; }
            int viper_entry_v1_One(void) { return hidden() + wanted(); }
            int another(void) { return 2; }
            """
        let linkage = try await ElfFile(SmallLibrary(source: source, hashStyle: hashStyle).bytes()).linkage()
        #expect(linkage.needs.libraries == ["libViperKit.so"])
        #expect(linkage.undefined == ["wanted"])
        #expect(Set(linkage.defined).isSuperset(of: ["viper_entry_v1_One", "another"]))
        #expect(!linkage.defined.contains("hidden"))
    }

    @Test("A library without definitions still has its needed libraries")
    func nothingDefined() async throws {
        let linkage = try await ElfFile(SmallLibrary(source: "", linksViperKit: true).bytes()).linkage()
        #expect(linkage.defined == [])
        #expect(linkage.needs.libraries == ["libViperKit.so"])
    }

    @Test("Libraries built by SwiftPM are readable", arguments: ["libCompanyList.so", "libViperKit.so"])
    func built(name: String) throws {
        let linkage = try ElfFile(BuiltLibrary.bytes(name)).linkage()
        #expect(linkage.needs.libraries.contains("libswiftCore.so"))
        #expect(linkage.undefined.contains { $0.hasPrefix("swift_") })
        #expect(!linkage.defined.isEmpty)
    }

    @Test(
        "A file that is not ELF is refused",
        arguments: ["", "x", "#!/bin/sh\n", "\u{7F}EL", "MZ", String(repeating: "a", count: 200)])
    func noElf(text: String) {
        #expect(throws: ElfFile.Problem(cause: "it is not an ELF file")) { try ElfFile(Array(text.utf8)) }
    }

    @Test("Other kinds of ELF files are refused with the reason")
    func otherKinds() throws {
        #expect(try cause { $0 = Array($0.prefix(63)) } == "it ends within the ELF header")
        #expect(try cause { $0[4] = 1 } == "it is not 64-bit and little-endian")
        #expect(try cause { $0[5] = 2 } == "it is not 64-bit and little-endian")
        #expect(try cause { $0[16] = 2 } == "it is not a shared library (ELF type 2)")
        #expect(try cause { $0[16] = 1 } == "it is not a shared library (ELF type 1)")
    }

    @Test("A library for another architecture is refused with both names")
    func machines() throws {
        #if arch(arm64)
        let (own, other, number) = ("AArch64", "x86-64", UInt16(62))
        #else
        let (own, other, number) = ("x86-64", "AArch64", UInt16(183))
        #endif
        #expect(try cause { $0.put(number, at: 18) } == "it is built for \(other), and this host is \(own)")
        for (number, name) in [(3, "i386"), (40, "ARM"), (243, "RISC-V"), (0xFFFF, "machine 65535")] {
            #expect(try cause { $0.put(UInt16(number), at: 18) } == "it is built for \(name), and this host is \(own)")
        }
    }

    @Test("Missing or malformed program headers are refused")
    func programHeaders() throws {
        #expect(try cause { $0.put(UInt16(32), at: 54) } == "its program headers have an unknown size")
        #expect(try cause { $0.put(UInt16(0), at: 56) } == "it has no loadable segment")
        #expect(try cause { $0.put(Int.max, at: 32) } == "it is truncated")
        #expect(try cause { $0.put(-56, at: 32) } == "it is truncated")
        #expect(try cause { $0.put(UInt16.max, at: 56) }.hasPrefix("it is truncated"))
    }

    @Test("A segment with impossible bounds is refused")
    func segments() throws {
        let load = try header(1)
        let index = (load - 64) / 56
        for (field, value) in [(8, good.count), (8, -1), (16, -1), (32, good.count + 1), (32, -1)] {
            #expect(
                try cause { $0.put(value, at: load + field) }
                    == "it is truncated: segment \(index) ends beyond the end of the file")
        }
        #expect(
            try cause { $0.put(Int.max, at: load + 32) }
                == "it is truncated: segment \(index) ends beyond the end of the file")
        #expect(try cause { $0.put(1, at: load + 40) } == "segment \(index) is larger in the file than in memory")
    }

    @Test("A segment whose end overflows is refused")
    func overflow() throws {
        let load = try header(1)
        #expect(
            try cause {
                $0.put(1, at: load + 8)
                $0.put(Int.max, at: load + 32)
            } == "a number in it is out of range")
    }

    @Test("A missing, unterminated or misplaced dynamic section is refused")
    func dynamicSection() throws {
        let dynamic = try header(2)
        #expect(try cause { $0.put(UInt32(0x6000_0000), at: dynamic) } == "it has no dynamic section")
        #expect(try cause { $0.put(16, at: dynamic + 32) } == "its dynamic section has no terminating entry")
        #expect(try cause { $0.put(0, at: dynamic + 32) } == "its dynamic section has no terminating entry")
        // glibc uses the address and this reader the offset, so both must refer to the same bytes.
        let address: Int = try ElfFile(good).read(at: dynamic + 16)
        #expect(
            try cause { $0.put(address + 16, at: dynamic + 16) }
                == "the address and the offset of its dynamic section do not match")
        #expect(
            try cause { $0.put(1 << 40, at: dynamic + 16) }
                == "an address in its dynamic section is outside the file")
    }

    @Test("Missing or misplaced tables are refused")
    func tables() throws {
        let file = try ElfFile(good)
        let dynamic: Int = try file.read(at: header(2) + 8)
        func place(_ tag: Int) throws -> Int {
            let entries = try file.dynamicEntries()
            return dynamic + 16 * (try #require(entries.firstIndex { $0.tag == tag }))
        }
        for tag in [5, 6, 10] {
            #expect(try cause { $0.put(0x6FFF_0000, at: try place(tag)) } == "its dynamic section has no symbol table")
        }
        #expect(try cause { $0.put(0x6FFF_0000, at: try place(0x6FFF_FEF5)) } == "it has no symbol hash table")
        for tag in [5, 6, 0x6FFF_FEF5] {
            for address in [-1, Int.max, good.count * 2] {
                #expect(
                    try cause { $0.put(address, at: try place(tag) + 8) }
                        == "an address in its dynamic section is outside the file")
            }
        }
        #expect(
            try cause { $0.put(-1, at: try place(10) + 8) }
                == "it is truncated: its string table ends beyond the end of the file")
        #expect(
            try cause { $0.put(good.count, at: try place(10) + 8) }
                == "it is truncated: its string table ends beyond the end of the file")
        #expect(try cause { $0.put(1, at: try place(10) + 8) } == "the offset of a name is outside its string table")
    }

    @Test("Maximum counts in a hash table do not overflow")
    func hashCounts() throws {
        let file = try ElfFile(good)
        let entry = try #require(try file.dynamicEntries().first { $0.tag == 0x6FFF_FEF5 })
        let table = try file.offset(ofAddress: entry.value)
        let (buckets, bloom): (UInt32, UInt32) = (try file.read(at: table), try file.read(at: table + 8))
        let problem = try cause { bytes in
            bytes.put(UInt32.max, at: table + 4)
            for bucket in 0..<Int(buckets) { bytes.put(UInt32.max, at: table + 16 + Int(bloom) * 8 + bucket * 4) }
        }
        #expect(problem == "its symbol count is too large for the file")
        #expect(try cause { $0.put(UInt32.max, at: table) } == "its symbol hash table is damaged")
        #expect(try cause { $0.put(UInt32.max, at: table + 8) } == "its symbol hash table is damaged")
    }
}
