import JSONRPC
import ModuleIsolation
import ViperKit

extension CheckedModule {
    /// Answers calls from the process that started this one, until the connection ends. Takes ownership of the
    /// descriptors.
    package func answer(reading: Int32, writing: Int32) async {
        let limits = Limits.ofCaller
        let peer = Peer(LineConnection(reading: reading, writing: writing, limits: limits), limits: limits)
        var module = self
        // A notification is written before the call returns, so it also arrives if the step crashes the process.
        module.announce = { step in try? peer.notify("step", StepNotification(String(step.prefix(200)))) }
        await withCheckedContinuation { continuation in
            peer.start { [module] method, content throws(ViperError) in
                switch method {
                case "ping": return .now(EmptyPayload())
                case "check":
                    let check = try content.parameters(ModuleCheckCall.self).check
                    return .later { () async throws(ViperError) in await module.faults(in: check) }
                default: throw .methodUnknown(method, known: ["ping", "check"])
                }
            } end: { _ in
                continuation.resume()
            }
        }
    }
}

/// The parameters of `check` in a process that checks a module. The result is the list of faults.
package struct ModuleCheckCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case check }

    var check: ModuleCheck

    package init(_ check: ModuleCheck) { self.check = check }
}
