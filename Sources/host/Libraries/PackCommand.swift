import ModuleCatalog

/// `host pack FILE.so MANIFEST.json`: writes a manifest into a library.
struct PackCommand {
    let options: Options

    func output() async throws -> String {
        let library = options.operands[0]
        let manifest = try await LibraryPacker(library: library, manifest: options.operands[1]).pack()
        return "Packed the manifest of \(manifest.name) \(manifest.version) into \(library)\n"
    }
}
