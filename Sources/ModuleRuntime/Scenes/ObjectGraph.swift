import Observation
import ViperKit

/// The objects that can be reached from a set of values through stored properties. The graph does not retain the
/// objects.
package struct ObjectGraph {
    private struct Part {
        weak var object: AnyObject?
        var type: String
    }

    private var parts: [ObjectIdentifier: Part] = [:]

    package init(of values: [Any]) {
        for value in values { add(value) }
    }

    package var isEmpty: Bool { parts.isEmpty }

    /// The type names of the objects that are still alive, sorted.
    private var living: [String] { parts.values.filter { $0.object != nil }.map(\.type).sorted() }

    /// Waits until all objects in the graph are freed. Gives up after five seconds or 100 checks, whichever takes
    /// longer. The wait is necessary because a cancelled task keeps the objects that it uses until its current step
    /// ends.
    ///
    /// - Returns: The type names of the objects that are still alive, sorted.
    @MainActor
    package func survivors() async -> [String] {
        let deadline = ContinuousClock.now + .seconds(5)
        // On a busy machine, five seconds may pass before other tasks have run at all.
        var checks = 0
        while !living.isEmpty, checks < 100 || ContinuousClock.now < deadline, !Task.isCancelled {
            checks += 1
            try? await Task.sleep(for: .milliseconds(1))
        }
        return living
    }

    /// Returns a copy of this graph without the objects that are still alive in another graph.
    package func subtracting(_ other: ObjectGraph) -> ObjectGraph {
        var rest = self
        rest.parts = parts.filter { other.parts[$0.key]?.object == nil }
        return rest
    }

    private mutating func add(_ value: Any) {
        // Skip screens, which are plain values and may be large, and the registrar that every observable object
        // contains.
        if value is Screen || value is ObservationRegistrar { return }
        var mirror: Mirror? = Mirror(reflecting: value)
        if mirror?.displayStyle == .class {
            let object = value as AnyObject
            let part = Part(object: object, type: "\(type(of: object))")
            guard parts.updateValue(part, forKey: ObjectIdentifier(object)) == nil else { return }
            // A navigator refers to the host, which is not part of the scene.
            if object is any Navigator { return }
        }
        while let level = mirror {
            for child in level.children { add(child.value) }
            mirror = level.superclassMirror
        }
    }
}
