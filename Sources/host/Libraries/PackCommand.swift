import HostSystem
import ModuleCatalog

/// `host pack FILE.so MANIFEST.json`: writes a manifest and resources into a library.
struct PackCommand: Command {
    var library = ""
    var manifest = ""
    var resources: String?

    static let name = "pack"
    static let summary = "Pack a manifest and resources into a library"
    static let example = "pack libHello.so hello.json"
    static let operands = [Operand("FILE.so", \Self.library), Operand("MANIFEST.json", \Self.manifest)]
    static let options: [Option<Self>] = [
        Option(
            "--resources", value: "DIR", summary: "Pack the files of this folder",
            fallback: "the folder beside FILE.so that the manifest names"
        ) { $0.resources = $1 }
    ]
    static let changesFiles = true
    static let details =
        """
        The library is then a complete module: copy it to Plugins. A manifest in Manifests takes precedence over the \
        packed one. Packed resources take precedence over a folder in Plugins. The command requires llvm-objcopy, which is part of the Swift toolchain.
        """

    func output() async throws -> String {
        let packer = LibraryPacker(library: library, manifest: manifest, resources: resources)
        let (manifest, resources) = try await packer.pack()
        let files = resources.map { " and " + counted($0.files.count, "resource") } ?? ""
        return "Packed the manifest\(files) of \(manifest.name) \(manifest.version) into \(library)\n"
    }
}
