import ViperKit

@c(viper_entry_v1_Hello)
public func helloModule() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }

final class Hello: RoutedModule {
    init(services: any ServiceResolver) {}

    func view(for request: RouteRequest) throws -> any View {
        HelloView(name: try request.parameter("name", as: String.self))
    }
}

final class HelloView: View {
    let screen: Screen

    init(name: String) { screen = Screen(title: "Hello, \(name)") }
}
