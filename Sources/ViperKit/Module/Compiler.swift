/// The Swift version that built this ViperKit, recorded in each module as a required symbol.
///
/// Swift on Linux has no stable ABI across minor versions. `ModuleEntry.export` is compiled into the module and
/// references ViperKit's version symbol, such as `swift_6_3`. A host built by another Swift version defines another
/// symbol, so it detects the mismatch in the module's symbol table before it loads the library.
///
/// A compiler of another version cannot read `ViperKit.swiftmodule`, but it can read the textual interface beside it. A
/// module built that way references the symbol of ViperKit's compiler, and the host cannot detect the mismatch.
public enum Compiler {
    #if compiler(>=6.4)
    #error("add the mark and the version of this Swift release")
    #else
    /// The minor version of Swift that built this ViperKit, as `MAJOR.MINOR`.
    public static var version: String { "6.3" }

    /// The version symbol. It has no behavior; only the symbol's name matters.
    @usableFromInline
    static func swift_6_3() {}
    #endif
}
