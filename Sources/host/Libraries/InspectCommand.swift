import HostSystem
import ModuleCatalog
import ModuleRuntime

/// `host inspect FILE.so`: shows the contents of a library without running any of its code.
struct InspectCommand: Command {
    var library = ""
    var format = Format.text

    static let name = "inspect"
    static let summary = "Show what is in a library, without running it"
    static let example = "inspect libHello.so"
    static let operands = [Operand("FILE.so", \Self.library)]
    static let options = [Format.option.at(\Self.format)]
    static let details =
        """
        The command shows the manifest, the packed resources, the declarations of ViperKit and the libraries that the library needs, its \
        build ID, and the version of Swift that compiled it.
        """

    func output() async throws -> String {
        let report = try await LibraryReport(reading: library)
        if format == .json { return try renderJSON(report) }
        var table = TextTable(headings: [report.file, "\(report.size) bytes"])
        table.add(["build id", report.buildID ?? "none"])
        table.add(["Swift", report.swift ?? "unknown"])
        table.add(["entry", report.entries.isEmpty ? "none: not a module" : report.entries.joined(separator: ", ")])
        for library in report.libraries { table.add(["needs library", library]) }
        for declaration in report.declarations {
            table.add([report.missing.contains(declaration) ? "missing" : "needs", declaration])
        }
        for file in report.resources { table.add(["resource", "\(file.name), \(file.size) bytes"]) }
        let manifest = report.manifest.map { "\nPacked manifest:\n\($0.hasSuffix("\n") ? $0 : $0 + "\n")" }
        return Terminal.text(of: table) + printableLines(manifest ?? "\nNo packed manifest.\n")
    }
}
