/// The Swift version that compiled ViperKit. Each module records this version as a required symbol.
///
/// Swift on Linux has no stable ABI across minor versions. `ModuleEntry.export` is compiled into the module and
/// references ViperKit's version symbol, such as `swift_6_3`. If the host was built with another Swift version, its
/// ViperKit defines a different symbol. The host finds this mismatch in the module's symbol table before it loads the
/// library.
///
/// A compiler of another version cannot read `ViperKit.swiftmodule`, but it can read the textual interface beside that
/// file. A module built from the textual interface references the symbol of the compiler that built ViperKit, so the
/// host cannot detect the mismatch.
public enum Compiler {
    #if compiler(>=6.4)
    #error("add the mark and the version of this Swift release")
    #else
    /// The Swift version that compiled ViperKit, in the form `MAJOR.MINOR`.
    public static var version: String { "6.3" }

    /// The version symbol. The function is empty, because only the symbol's name matters.
    @usableFromInline
    static func swift_6_3() {}
    #endif
}
