import HostSystem
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host modules`: lists all modules with their states, and the reason for each refusal. The command reads libraries
/// without loading them.
struct ModulesCommand: Command {
    var listing = ListingOptions()

    static let name = "modules"
    static let summary = "List all modules, their state, and the reason for each refusal"
    static let example = "modules --root ~/site"
    static let details =
        "The command checks the libraries without loading them. With --via, it also shows statistics of the modules."
    static let options = ListingOptions.all.map { $0.at(\Self.listing) }

    func output() async throws -> String {
        let modules = try await listing.read(ModuleListing.self, readsLibraries: true).0
        if listing.format == .json { return try renderJSON(modules) }
        // Most roots have no module that runs.
        let hasRuns = modules.modules.contains { $0.run != nil }
        var table = TextTable(
            headings: ["MODULE", "VERSION", "STATE"] + (hasRuns ? ["RUN"] : []) + ["LIBRARY", "MANIFEST"])
        for entry in modules.modules {
            table.add(
                [entry.module, entry.version ?? "-", entry.state] + (hasRuns ? [entry.run ?? "-"] : [])
                    + [entry.library ?? "-", entry.manifest])
        }
        let failedRuns = modules.modules.compactMap { entry in
            entry.runError.map { error in
                "\nmodule \(printable(entry.module)) is \(entry.run ?? "idle"): \(printable(error))\n"
            }
        }
        let refusals = modules.modules.compactMap(\.refusal).map { "\n\(printable($0))\n" }
        let rejections = modules.modules.compactMap { entry in
            entry.rejection.map { error in
                let name = entry.version.map { "\(entry.module) \($0)" } ?? entry.module
                return "\nkeeps module \(printable(name)): \(printable(error))\n"
            }
        }
        let crashes = modules.modules.compactMap { entry in
            entry.lastCrash.map {
                "\nlast crash of module \(printable(entry.module)) in a host's process: \(printable($0))\n"
            }
        }
        let lost = modules.modules.flatMap { entry in
            (entry.lostRoutes ?? [:]).sorted { $0.key < $1.key }.map { route, owner in
                let text =
                    "route \"\(route)\" of module \(entry.module) is unavailable: module \(owner) declared it first"
                return "\n\(printable(text))\n"
            }
        }
        let missing = modules.modules.flatMap { entry in
            (entry.missingRoutes ?? []).map { route in
                let text = "module \(entry.module) opens the route \"\(route)\", which no module provides"
                return "\n\(printable(text))\n"
                    + "  fix: add a module with this route, or remove it from \"opens\" in \(printable(entry.manifest))\n"
            }
        }
        let contested = (modules.contestedRoutes ?? [:]).sorted { $0.key < $1.key }.map { route, names in
            let names = names.joined(separator: ", ")
            return "\n" + printable("route \"\(route)\" is unavailable: several modules declare it: \(names)")
                + "\n  fix: rename or remove it in all but one of them\n"
        }
        let withheld = modules.modules.flatMap { entry in
            (entry.withheld ?? [:]).sorted { $0.key < $1.key }.map { service, cause in
                ServicesCommand.text(of: service, withheldFrom: entry.module, cause)
            }
        }
        let choices = modules.modules.flatMap { entry in
            (entry.choices ?? [:]).sorted { $0.key < $1.key }.map { service, provider in
                "\n" + printable("module \(entry.module) gets the service \"\(service)\" from \"\(provider)\"") + "\n"
            }
        }
        let strays = modules.unreferencedLibraries.map(Self.nextStep)
        return table.text(Terminal.style)
            + (refusals + rejections + failedRuns + crashes + lost + missing + contested + choices + withheld + strays)
            .joined()
            + (try await numbers())
    }

    /// Returns a table with statistics for the host at `--via`, or an empty string without `--via`.
    private func numbers() async throws(ViperError) -> String {
        let statistics = try await listing.via.ask { host throws(ViperError) in try await host.statistics() }
        guard let statistics else { return "" }
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
