extension ModuleFixture {
    /// Returns a fixture whose source can call `ownName()`, which returns `NAME` if the library's file is `libNAME.so`.
    /// Copies of one library under different names then register different routes.
    public static func named(_ name: String, _ source: String) -> Self {
        var fixture = ModuleFixture(
            name,
            source + """

                @_silgen_name("own_file") func ownFile() -> UnsafePointer<CChar>

                func ownName() -> String {
                    // The host loads a private copy, and writes a number before its name.
                    let file = String(cString: ownFile()).split(separator: "/").last ?? ""
                    return String(file.drop { $0 != "l" }.dropFirst("lib".count).dropLast(".so".count))
                }
                """)
        fixture.cSource = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            __attribute__((visibility("hidden"))) const char *own_file(void) {
                Dl_info info;
                return dladdr((void *)own_file, &info) ? info.dli_fname : "";
            }
            """
        return fixture
    }
}
