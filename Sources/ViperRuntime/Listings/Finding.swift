import HostSystem
import ModuleCatalog
import ModuleRuntime
package import ViperKit

/// A problem in a root that its owner should fix.
package struct Finding: Encodable, Sendable {
    /// The name of the module that it concerns. Nil if it concerns none.
    package let module: String?
    package let error: ViperError
    /// The part of the text before the error, such as `keeps module people 1.0.0`. Nil if the error says enough.
    let context: String?

    private enum CodingKeys: CodingKey { case module, error }

    /// The problem as text, without a line feed at the end.
    package var text: String { (context.map { printable($0) + ": " } ?? "") + "\(printable(error))" }

    init(_ module: String?, _ context: String?, _ error: ViperError) {
        (self.module, self.context, self.error) = (module, context, error)
    }
}

extension ModuleListing {
    /// The problems of all modules and libraries.
    package var findings: [Finding] {
        modules.flatMap(\.findings) + contests + strays
            + ((settingFaults ?? []) + [startError].compactMap(\.self)).map { Finding(nil, nil, $0) }
    }

    private var contests: [Finding] {
        (contestedRoutes ?? [:]).sorted { $0.key < $1.key }.map { route, names in
            Finding(
                nil, nil,
                ViperError(
                    .routeContested, operation: "cannot open route", subject: route,
                    cause: "several modules declare it: \(names.joined(separator: ", "))",
                    fix: "rename or remove it in all but one of them"))
        }
    }

    private var strays: [Finding] {
        unreferencedLibraries.map { library in
            Finding(
                nil, nil,
                ViperError(
                    .libraryUnreferenced, operation: "cannot use library", subject: library,
                    cause: "no manifest refers to it",
                    fix: "add Manifests/NAME.json with \"library\": \"\(library)\""))
        }
    }
}

extension ModuleListing.Entry {
    /// The problems of this module.
    package var findings: [Finding] {
        let states = [
            refusal.map { Finding(module, nil, $0) },
            rejection.map { Finding(module, "keeps module \(version.map { "\(module) \($0)" } ?? module)", $0) },
            runError.map { Finding(module, "module \(module) is \(run ?? "idle")", $0) },
        ]
        let lost = (lostRoutes ?? [:]).sorted { $0.key < $1.key }.map { route, owner in
            finding(
                .routeContested, "cannot provide route", route, "module \(owner) declared it first",
                fix: "rename or remove it in \(manifest)")
        }
        let missing = (missingRoutes ?? []).map { route in
            finding(
                .routeUnknown, "cannot open route", route, "no module provides it",
                fix: "add a module with this route, or remove it from \"opens\" in \(manifest)")
        }
        let withheld = (withheld ?? [:]).sorted { $0.key < $1.key }.map { service, cause in
            finding(.serviceMissing, "cannot get service", service, cause, fix: nil)
        }
        let resources = resourceFault.map { Finding(module, nil, $0) }
        return (states + [resources]).compactMap { $0 } + lost + missing + withheld
    }

    private func finding(
        _ code: ViperError.Code, _ operation: String, _ subject: String, _ cause: String, fix: String?
    ) -> Finding {
        Finding(
            module, "module \(module)",
            ViperError(code, operation: operation, subject: subject, cause: cause, fix: fix))
    }
}
