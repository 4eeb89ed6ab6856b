import ModuleRuntime
import ViperKit

/// A route that a test answers in place of a module.
struct StubbedRoute: Sendable {
    let view: @MainActor (RouteRequest) throws -> any View

    @MainActor
    func open(
        _ route: String, _ given: UnvalidatedParameters, navigator: any Navigator
    ) throws(ViperError) -> OpenedScene {
        let parameters = given.texts.mapValues(Self.value).merging(given.values) { $1 }
        let view: any View
        do {
            view = try self.view(RouteRequest(route: route, parameters: parameters, navigator: navigator))
        } catch {
            throw error as? ViperError
                ?? ViperError(
                    .init("stub-failed", .module), operation: "cannot open route", subject: route,
                    cause: "its stub threw \(error)")
        }
        return OpenedScene(
            route: route, parameters: parameters, content: ViewContent(view), calls: CallCount(), onRelease: {})
    }

    private static func value(of texts: [String]) -> ParameterValue {
        texts.count == 1 ? .string(texts[0]) : .array(texts.map { .string($0) })
    }
}

/// A view that closes its scene with a result as soon as it is loaded.
final class ReturningView<Result: Encodable & Sendable>: View {
    private(set) var screen = Screen(title: "Stub")
    private let result: Result
    private let navigator: any Navigator

    init(result: Result, navigator: any Navigator) { (self.result, self.navigator) = (result, navigator) }

    func load() async {
        do { try await navigator.close(returning: result) } catch { screen.text = error.description }
    }
}
