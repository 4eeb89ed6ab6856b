import HostSystem
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host modules`: lists all modules with their states, and the reason for each refusal. The command reads libraries
/// without loading them.
struct ModulesCommand {
    let options: Options

    func output() async throws -> String {
        let listing = try await options.listing(ModuleListing.self).0
        if options.format == .json { return try renderJSON(listing) }
        var table = TextTable(headings: ["MODULE", "VERSION", "STATE", "LIBRARY", "MANIFEST"])
        for entry in listing.modules {
            table.add([entry.module, entry.version ?? "-", entry.state, entry.library ?? "-", entry.manifest])
        }
        let refusals = listing.modules.compactMap(\.refusal).map { "\n\(printable($0))\n" }
        let rejections = listing.modules.compactMap { entry in
            entry.rejection.map { error in
                let name = entry.version.map { "\(entry.module) \($0)" } ?? entry.module
                return "\nkeeps module \(printable(name)): \(printable(error))\n"
            }
        }
        let lost = listing.modules.flatMap { entry in
            (entry.lostRoutes ?? [:]).sorted { $0.key < $1.key }.map { route, owner in
                let text =
                    "route \"\(route)\" of module \(entry.module) is unavailable: module \(owner) declared it first"
                return "\n\(printable(text))\n"
            }
        }
        let withheld = listing.modules.flatMap { entry in
            (entry.withheld ?? [:]).sorted { $0.key < $1.key }.map { service, cause in
                ServicesCommand.text(of: service, withheldFrom: entry.module, cause)
            }
        }
        let strays = listing.unreferencedLibraries.map(Self.nextStep)
        return table.text(Terminal.style) + (refusals + rejections + lost + withheld + strays).joined()
            + (try await numbers())
    }

    /// Returns a table with statistics for the host at `--via`, or an empty string without `--via`.
    private func numbers() async throws(ViperError) -> String {
        guard let via = options.via else { return "" }
        let statistics = try await Options.asked(via) { host throws(ViperError) in try await host.statistics() }
        let headings = [
            "MODULE", "GENERATION", "LOADS", "SCENES", "CALLS", "FAILED", "SECONDS", "RETIRED", "RETIRED MEMORY",
            "PROCESS",
        ]
        var table = TextTable(headings: headings)
        for numbers in statistics {
            table.add([
                numbers.module, numbers.generation.map { "\($0)" } ?? "-", "\(numbers.loads)", "\(numbers.openScenes)",
                "\(numbers.calls)", "\(numbers.failures)", Self.seconds(numbers.seconds),
                "\(numbers.retired)", "\(numbers.retiredMemory >> 10) KiB",
                numbers.process.map { "\($0)" } ?? (numbers.isolation == "process" ? "-" : "host"),
            ])
        }
        return "\n" + table.text(Terminal.style)
    }

    private static func seconds(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let rest = "\(thousandths % 1000)"
        return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    private static func nextStep(for library: String) -> String {
        let library = printable(library)
        return "\nlibrary \"\(library)\": no manifest refers to it\n"
            + "  fix: add Manifests/NAME.json with \"library\": \"\(library)\"\n"
    }
}
