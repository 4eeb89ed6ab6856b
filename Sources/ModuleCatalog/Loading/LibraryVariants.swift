import HostSystem

/// The folders below a search path in which the dynamic linker looks for a library built for this kind of processor. It
/// searches them before the search path itself.
enum LibraryVariants {
    // The first folder is that of glibc 2.33 and later, and contains the next three. Versions before 2.37 also search the
    // others, which may be nested in this order.
    private static let names = [
        "glibc-hwcaps", "x86-64-v4", "x86-64-v3", "x86-64-v2", "tls", "haswell", "xeon_phi", "avx512_1", "atomics",
        "aarch64", "x86_64", "x86_64",
    ]

    /// Returns the existing folders that the dynamic linker could search, in its order. Whether it does depends on the
    /// processor and on its version.
    static func folders(in folder: String) -> [String] { folders(in: folder, names[...]) }

    private static func folders(in folder: String, _ names: ArraySlice<String>) -> [String] {
        names.indices.flatMap { index in
            let inner = "\(folder)/\(names[index])"
            return isFolder(inner) ? folders(in: inner, names[(index + 1)...]) + [inner] : []
        }
    }
}
