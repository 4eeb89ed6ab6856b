import TestSupport
import Testing

@testable import ModuleCatalog

/// What a library does to the whole process, found in real libraries.
struct ElfEffectsTests {
    private static func effects(_ source: String, _ flags: [String] = []) async throws -> ElfFile.Effects {
        try ElfFile(await SmallLibrary(source: source, linksViperKit: false, flags: flags).bytes()).effects()
    }

    @Test("An ordinary library affects nothing")
    func none() async throws {
        let effects = try await Self.effects("static int own(void) { return 1; } int other(void) { return own(); }")
        #expect(!effects.hasExecutableStack && !effects.hasTextRelocations && !effects.usesStaticTLS)
        #expect(effects.uniqueNames.isEmpty && effects.replaceableNames.isEmpty)
    }

    @Test("An executable stack, a change of the code, and thread-local data of the process are found in the headers")
    func headers() async throws {
        let source = "int value(void) { return 1; }"
        #expect(try await Self.effects(source, ["-Wl,-z,execstack"]).hasExecutableStack)
        let changed = "extern int other; __asm__(\".text\\n.quad other\\n\"); \(source)"
        #expect(try await Self.effects(changed, ["-Wl,-z,notext"]).hasTextRelocations)
        let local = """
            static __thread int block[100] __attribute__((tls_model("initial-exec")));
            int value(int index) { return block[index]++; }
            """
        #expect(try await Self.effects(local).usesStaticTLS)
        let general = local.replacing("initial-exec", with: "global-dynamic")
        // A small library without the C library has no function for these data.
        #expect(try await !Self.effects(general, ["-Wl,--unresolved-symbols=ignore-all"]).usesStaticTLS)
    }

    @Test("Symbols of which the process has one, and those that another library can replace, are named")
    func symbols() async throws {
        let unique = """
            __asm__(".data\\n.globl only\\n.type only, @gnu_unique_object\\n.size only, 8\\nonly: .quad 0\\n");
            """
        #expect(try await Self.effects(unique).uniqueNames == ["only"])
        let calls = "int error(int code) { return code; } int value(int code) { return error(code); }"
        #expect(try await Self.effects(calls).replaceableNames == ["error"])
        for flag in ["-fvisibility=hidden", "-Wl,-Bsymbolic"] {
            #expect(try await Self.effects(calls, [flag]).replaceableNames == [])
        }
    }
}
