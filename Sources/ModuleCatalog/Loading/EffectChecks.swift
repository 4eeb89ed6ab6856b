import HostSystem
package import ViperKit

/// Checks of what a library does to the whole process that loads it.
enum EffectChecks {
    /// A promise, and the error of a library that breaks it.
    typealias Check = (promise: String, error: ViperError?)

    /// Returns the checks that a library must pass to be installed.
    static func strict(_ effects: ElfFile.Effects, of library: String) -> [Check] {
        [
            (
                "it keeps the stacks of the process from being executed",
                effects.hasExecutableStack
                    ? error(
                        library, "it makes the stacks of the whole process executable",
                        fix: "give its assembly files a section .note.GNU-stack, or link it with -z noexecstack") : nil
            ),
            (
                "its code need not be changed to load it",
                effects.hasTextRelocations
                    ? error(
                        library, "the dynamic linker has to change its code, so that it cannot be shared or protected",
                        fix: "compile its C files with -fPIC") : nil
            ),
        ]
    }

    /// Returns the checks of what works, but not for long or not as the author may think.
    static func lenient(_ effects: ElfFile.Effects, of library: String) -> [Check] {
        let replaced = effects.replaceableNames.filter { DynamicLinker.hasSymbol($0) }
        return [
            (
                "each of its versions has room for its thread-local data",
                effects.usesStaticTLS
                    ? error(
                        library,
                        "its thread-local data take room in a small block of the process, which a few versions use up",
                        fix: "compile its C files without -ftls-model=initial-exec, or write \"isolation\": "
                            + "\"process\" in the manifest") : nil
            ),
            (
                "its versions share no variables",
                effects.uniqueNames.isEmpty
                    ? nil
                    : error(
                        library, "all its versions in a process use the variables of the first one",
                        ModuleSymbols.notes(effects.uniqueNames.map(demangled), "shared"),
                        fix: "compile its C++ files with -fno-gnu-unique")
            ),
            (
                "it calls its own functions",
                replaced.isEmpty
                    ? nil
                    : error(
                        library, "it defines functions that the process has, too, and calls those of the process",
                        ModuleSymbols.notes(replaced, "not called"),
                        fix: "compile its C files with -fvisibility=hidden, link it with -Bsymbolic, or rename the "
                            + "functions")
            ),
        ]
    }

    private static func error(
        _ library: String, _ cause: String, _ notes: [ViperError.Note] = [], fix: String
    ) -> ViperError {
        ViperError(
            .libraryAffectsProcess, operation: "cannot accept library", subject: library, cause: cause, notes: notes,
            fix: fix)
    }
}

/// Refuses a library that does to the process what a new library must not do.
///
/// - Parameter name: The library's name, for the error.
/// - Returns: The errors of what it may do, at its users' risk.
/// - Throws: ``ViperError/Code/libraryAffectsProcess``. ``ViperError/Code/libraryInvalid`` if it cannot be read.
@discardableResult
package func checkEffects(ofLibrary path: String, named name: String) throws(ViperError) -> [ViperError] {
    let effects: ElfFile.Effects
    do {
        let content = try LibraryContent.read(try RegularFile(path: path), named: name).get()
        effects = try ElfFile(content.bytes).effects()
    } catch {
        let cause = (error as? ElfFile.Problem)?.cause ?? (error as? RegularFile.Failure)?.cause ?? "\(error)"
        throw ViperError(.libraryInvalid, operation: "cannot read library", subject: name, cause: cause)
    }
    for check in EffectChecks.strict(effects, of: name) { if let error = check.error { throw error } }
    return EffectChecks.lenient(effects, of: name).compactMap(\.error)
}
