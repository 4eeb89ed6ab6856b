package import HostSystem
package import ModuleCatalog
import ModuleRuntime
import Synchronization
package import ViperKit

/// A list of all modules with their states and errors.
package struct ModuleListing: Listing {
    package struct Entry: Codable, Sendable, Equatable {
        /// The module's name.
        package var module: String
        /// The module's version. Nil if the manifest could not be read.
        package var version: String?
        /// The module's state in one word.
        package var state: String
        /// The file name of the module's library. Nil if the manifest could not be read.
        package var library: String?
        /// The file that contains the module's manifest.
        package var manifest: String
        /// The error that caused the module to be refused. Nil if the module is not refused.
        package var refusal: ViperError?
        /// The error that caused the last change to be rejected. The module continues to run unchanged. Nil if no
        /// change was rejected.
        package var rejection: ViperError?
        /// The state of the module's work without a screen: `starting`, `running`, `restarting`, `finished`, `failed`, or `idle` if
        /// the work was not started. Nil if the module has no such work.
        package var run: String?
        /// The error of the work's last attempt. Nil if there was none.
        package var runError: ViperError?
        /// `process` if the module runs in a process of its own. Nil otherwise.
        package var isolation: String?
        /// A description of the last crash of a host in this module's code. Nil if there is no report.
        package var lastCrash: String?
        /// The routes that the manifest declares but other modules claimed first. Each value is the name of the module
        /// that claimed the route.
        package var lostRoutes: [String: String]?
        /// The routes that the module opens but that no module has. Nil if there is none.
        package var missingRoutes: [String]?
        /// The providers that the settings choose for this module only, keyed by service name.
        package var choices: [String: String]?
        /// The reasons for withholding optional services from the module, keyed by service name.
        package var withheld: [String: String]?
        /// The routes of other modules that the module opens. Nil if there is none.
        package var opens: [String]?
        /// The contracts that the module uses, with their versions. Nil if there is none.
        package var contracts: [String: String]?
        /// The contributions of the module, keyed by point. Nil if there are none.
        package var contributes: [String: [JSONValue]]?
        /// The people or the organization that made the module.
        package var author: String?
        /// The license of the module.
        package var license: String?
        /// The address of a page about the module.
        package var homepage: String?
        /// The error of resources that are missing. Nil if they are there, or if the module has none.
        package var resourceFault: ViperError?
        /// What the library does to the whole process, at its users' risk. Nil if there is nothing, or if it was not checked.
        package var warnings: [ViperError]?
        /// The earlier versions that `host rollback` can use again, the latest first. Nil if there is none.
        package var earlier: [EarlierVersion]?
    }

    package static var method: String { "modules" }

    /// The modules, sorted by name.
    package var modules: [Entry]
    /// The libraries in `Plugins/` that belong to no module.
    package var unreferencedLibraries: [String]
    /// The names of the modules that claim each contested route, keyed by route. No module gets such a route. Nil if
    /// there is none.
    package var contestedRoutes: [String: [String]]?
    /// The error of the start route that the settings choose. Nil if they choose none, or if it can be opened.
    package var startError: ViperError?

    /// The errors of names in `host.json` that no module or route has. Nil if there are none.
    package var settingFaults: [ViperError]?

    /// The names of the refused modules.
    package var refused: [String] { modules.filter { $0.refusal != nil }.map(\.module) }

    package init(of host: ViperHost) {
        unreferencedLibraries = host.unreferencedLibraries
        let snapshot = host.registry.snapshot
        // Modules with the same name are refused anyway.
        let contested = snapshot.routes.contested.map { ($0.route.name, snapshot.claimantNames(of: $0)) }
            .filter { $0.1.count > 1 }
        contestedRoutes = contested.isEmpty ? nil : Dictionary(contested) { first, _ in first }
        startError = host.startError
        let crashes = host.lastCrashes.withLock { $0 }
        let earlier = host.knownVersions.withLock { $0.all }
        let warnings = host.libraryWarnings.withLock { $0 }
        modules = snapshot.modules.map { record in
            var entry = Entry(
                record, in: snapshot,
                lastCrash: crashes[record.name].map { "a host \($0.description) at \($0.when)" },
                isolation: record.manifest.flatMap {
                    host.activator.codes.isIsolated($0) ? Manifest.Isolation.process : nil
                }, earlier: earlier[record.name])
            entry.resourceFault = record.manifest.flatMap { ModuleResources.fault(of: $0, in: host.root) }
            if let found = warnings[record.name], found.files == record.files { entry.warnings = found.errors }
            return entry
        }
        let disabled = host.registry.disabled
        modules += disabled.compactMap { entry -> Entry? in
            guard let manifest = try? entry.manifest.get() else { return nil }
            return Entry(
                module: manifest.name, version: manifest.version, state: "disabled", library: manifest.library,
                manifest: entry.file, author: manifest.author, license: manifest.license, homepage: manifest.homepage,
                earlier: earlier[manifest.name])
        }
        if !disabled.isEmpty { modules.sort { $0.module < $1.module } }
        settingFaults = host.settingFaults(in: snapshot, disabled.compactMap { try? $0.manifest.get() })
    }
}

extension ModuleListing.Entry {
    init(
        _ record: ModuleRecord, in snapshot: RegistrySnapshot, lastCrash: String?, isolation: Manifest.Isolation? = nil,
        earlier: [EarlierVersion]? = nil
    ) {
        let manifest = record.manifest
        let lost = snapshot.lostRoutes(of: record).map { ($0.route.name, $0.module) }
        let missing = snapshot.missingRoutes(of: record)
        let choices = snapshot.choices(of: record)
        let withheld = snapshot.withheldServices(from: record).mapValues(\.cause)
        self.init(
            module: record.name, version: manifest?.version, state: record.state.name,
            library: manifest?.library, manifest: record.file, refusal: record.state.refusal,
            rejection: record.rejection, run: record.run, runError: record.generation?.run.state?.error,
            isolation: isolation?.rawValue, lastCrash: lastCrash,
            lostRoutes: lost.isEmpty ? nil : Dictionary(lost) { first, _ in first },
            missingRoutes: missing.isEmpty ? nil : missing,
            choices: choices.isEmpty ? nil : choices,
            withheld: withheld.isEmpty ? nil : withheld,
            opens: manifest.flatMap { $0.opens.isEmpty ? nil : $0.opens },
            contracts: manifest.flatMap { $0.contracts.isEmpty ? nil : $0.contracts.mapValues(\.description) },
            contributes: manifest.flatMap { $0.contributes.isEmpty ? nil : try? $0.decodedContributions() },
            author: manifest?.author, license: manifest?.license, homepage: manifest?.homepage, earlier: earlier)
    }
}
