import Glibc

extension ElfFile {
    /// What a library does to the whole process that loads it.
    struct Effects {
        /// True if the library makes the stacks of all threads executable.
        var hasExecutableStack = false
        /// True if the dynamic linker writes to the library's code.
        var hasTextRelocations = false
        /// True if the library takes its thread-local data from a small block of the process.
        var usesStaticTLS = false
        /// The symbols of which the process has one only, which all versions of the library share.
        var uniqueNames: [String] = []
        /// The functions that the library defines, and calls through a table that the dynamic linker fills. It fills in a
        /// function of the process with the same name, if there is one.
        var replaceableNames: [String] = []
    }

    // The segment type PT_GNU_STACK, and its flag PF_X.
    private static let (stack, executable): (UInt32, UInt32) = (0x6474_E551, 1)
    // The tags DT_SYMBOLIC, DT_TEXTREL and DT_FLAGS.
    private static let (symbolic, textRelocations, flags) = (16, 22, 30)

    /// Finds the effects in the headers and in the symbols.
    func effects() throws(Problem) -> Effects {
        let entries = try dynamicEntries()
        func has(_ tag: Int, orFlag flag: Int) -> Bool {
            entries.contains { $0.tag == tag || $0.tag == Self.flags && $0.value & flag != 0 }
        }
        var effects = Effects()
        // Without this segment, glibc assumes that the code needs an executable stack on x86-64.
        let stack = layout.segments.first { $0.type == Self.stack }
        #if arch(x86_64)
        effects.hasExecutableStack = stack.map { $0.flags & Self.executable != 0 } ?? true
        #else
        effects.hasExecutableStack = stack.map { $0.flags & Self.executable != 0 } ?? false
        #endif
        // The flags DF_SYMBOLIC, DF_TEXTREL and DF_STATIC_TLS of DT_FLAGS. Only a flag says the last.
        effects.hasTextRelocations = has(Self.textRelocations, orFlag: 4)
        effects.usesStaticTLS = has(-1, orFlag: 16)
        var functions: Set<String> = []
        try forEachSymbol(entries) { symbol in
            // STB_GNU_UNIQUE
            if symbol.isDefined, symbol.binding == 10 { effects.uniqueNames.append(symbol.name) }
            if symbol.isDefined, symbol.binding == 1, symbol.isFunction, !Self.isOwn(symbol.name) {
                functions.insert(symbol.name)
            }
        }
        // DT_SYMBOLIC: the library prefers its own symbols.
        if !functions.isEmpty, !has(Self.symbolic, orFlag: 2) {
            effects.replaceableNames = try references(to: functions).sorted()
        }
        return effects
    }

    /// Returns true if no other library has a symbol with this name: a Swift name contains that of its module.
    private static func isOwn(_ name: String) -> Bool { name.hasPrefix("$s") || name.hasPrefix("viper_entry_") }
}
