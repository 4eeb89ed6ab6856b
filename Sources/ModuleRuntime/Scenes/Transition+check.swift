import ViperKit

extension Transition {
    /// Throws ``ViperError/Code/transitionUnknown`` if this version does not support the transition. There is no
    /// suitable fallback.
    func check(_ route: String) throws(ViperError) {
        let known: [Transition] = [.push, .present, .replace, .replaceRoot]
        if known.contains(self) { return }
        throw ViperError(
            .transitionUnknown, operation: "cannot open route", subject: route,
            cause: "the transition is \"\(rawValue)\", expected \(known.map(\.rawValue).joined(separator: ", "))",
            fix: "use a transition that this host knows, or update the host")
    }
}
