/// The Swift that a module was built with, as a symbol that its library needs of ViperKit.
///
/// Swift on Linux promises no binary compatibility between minor versions. `ModuleEntry.export` is compiled into the module and
/// uses this ViperKit's mark, which carries the version of the compiler that built it; and only the same compiler reads its compiled
/// interface, `ViperKit.swiftmodule`. A host by another Swift has another mark, and sees before it loads the library which one is
/// missing. Another compiler can read the textual interface that lies beside, and then leaves the mark of the first: who compiles a
/// module by hand for such a host is told so by nobody.
public enum Compiler {
    #if compiler(>=6.4)
    #error("give this Swift a mark and a version, in place of the ones below")
    #else
    /// The minor version of Swift that built this ViperKit, `MAJOR.MINOR`.
    public static var version: String { "6.3" }

    /// The mark. Its name is all that it is for.
    @usableFromInline
    static func swift_6_3() {}
    #endif
}
