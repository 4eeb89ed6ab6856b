import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
package import ViperKit

/// The parameters of `install`.
struct InstallCall: CallParameters {
    enum CodingKeys: String, CodingKey, CaseIterable { case file, sha256 }

    var file: String
    var sha256: Digest?
}

/// The parameters of a method that changes an installed module.
package struct ModuleCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case module }

    var module: String

    package init(_ module: String) { self.module = module }
}

/// The parameters of `rollback`.
struct RollbackCall: CallParameters {
    enum CodingKeys: String, CodingKey, CaseIterable { case module, version }

    var module: String
    var version: String?
}

/// The result of `enable` and `disable`.
struct EnabledResult: Encodable, Sendable {
    /// False if the module already was enabled or disabled.
    var isChanged: Bool
}

extension ServedClient {
    /// Starts a change of an installed module. The answer follows when this host has applied the change.
    ///
    /// - Parameter method: The method that makes the change.
    /// - Throws: ``ViperError/Code/busy`` if too many changes are waiting.
    func change(
        by method: Method,
        _ body: @escaping @Sendable (Installation) async throws(ViperError) -> any Encodable & Sendable
    ) throws(ViperError) -> Peer.Answer {
        try queued(method) { [host] () async throws(ViperError) in
            let result = try await body(Installation(host.configuration))
            await host.rescan()
            // The next list shows the change.
            await host.updateVersions()
            return result
        }
    }

    /// Starts a change when those before it have ended.
    ///
    /// - Throws: ``ViperError/Code/busy`` if too many changes are waiting.
    func queued(
        _ method: Method, _ body: @escaping @Sendable () async throws(ViperError) -> any Encodable & Sendable
    ) throws(ViperError) -> Peer.Answer {
        let place = try host.changes.place(for: method.rawValue)
        return .later { [host] () async throws(ViperError) in try await host.changes.run(at: place, body) }
    }

    func install(_ call: InstallCall) throws(ViperError) -> Peer.Answer {
        guard isAbsolute(call.file) else {
            throw ViperError(
                .argumentsInvalid, operation: "cannot install", subject: call.file,
                cause: "it is a relative path, and this host has another working folder", fix: "give an absolute path")
        }
        return try change(by: .install) { installation throws(ViperError) in
            try await installation.install(call.file, as: call.sha256) { _ in true }
        }
    }

    func set(_ call: ModuleCall, isDisabled: Bool) throws(ViperError) -> Peer.Answer {
        try change(by: isDisabled ? .disable : .enable) { installation throws(ViperError) in
            EnabledResult(
                isChanged: try await installation.set(call.module, isDisabled: isDisabled) { _ in true } ?? false)
        }
    }
}

extension ViperHost {
    /// Loads a module again, although its files have not changed, and returns when the new generation is in use.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name, or the error for which the host keeps the
    ///   earlier generation.
    package func reload(_ module: String) async throws(ViperError) {
        func record() throws(ViperError) -> ModuleRecord {
            if let record = registry.snapshot.modules.first(where: { $0.name == module && $0.state != .retired }) {
                return record
            }
            throw ViperError(
                .moduleUnknown, operation: "cannot reload module", subject: module, cause: "no module has this name")
        }
        reconciler.reload(try record().file)
        await rescan()
        let current = try record()
        if let error = current.state.refusal ?? current.rejection { throw error }
    }
}
