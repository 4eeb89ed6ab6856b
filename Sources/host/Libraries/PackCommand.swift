import ModuleCatalog

/// `host pack FILE.so MANIFEST.json`: writes a manifest into a library.
struct PackCommand: Command {
    var library = ""
    var manifest = ""

    static let name = "pack"
    static let summary = "Pack a manifest into a library"
    static let example = "pack libHello.so hello.json"
    static let operands = [Operand("FILE.so", \Self.library), Operand("MANIFEST.json", \Self.manifest)]
    static let options: [Option<Self>] = []
    static let details =
        """
        The library is then a complete module: copy it to Plugins. A manifest in Manifests takes precedence over the \
        packed one. The command requires llvm-objcopy, which is part of the Swift toolchain.
        """

    func output() async throws -> String {
        let manifest = try await LibraryPacker(library: library, manifest: manifest).pack()
        return "Packed the manifest of \(manifest.name) \(manifest.version) into \(library)\n"
    }
}
